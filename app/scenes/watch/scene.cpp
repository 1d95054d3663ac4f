#include "app/scenes/watch/scene.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/scenes/watch/advice.hpp"
#include "app/watch/description_json.hpp"
#include "app/watch/dump.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr double sample_seconds = 0.1;  ///< between samples of the history

std::string names_of(Paths const& files)
{
  std::vector<std::string> names;
  for (fs::path const& file : files) { names.push_back(path_text(file.filename())); }
  return listed(names);
}

/// Bytes of the files, as far as they are there.
std::uint64_t bytes_of(Paths const& files)
{
  std::uint64_t bytes = 0;
  for (fs::path const& file : files) {
    std::error_code unreadable;
    std::uintmax_t const size = fs::file_size(file, unreadable);
    bytes += unreadable ? 0 : size;
  }
  return bytes;
}

double seconds_since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

WatchScene::WatchScene(WatchSetup const& set_up, DeviceFacts const& device) : work_(look_first)
{
  state_.settings = set_up.settings;
  state_.table.device = device;
  state_.table.settings.view = set_up.settings.view;
  view_.look(set_up.camera);
  commands_ = make_commands();
  if (!set_up.settings.files.empty()) {
    open_dump_of_settings();
  } else if (!set_up.settings.running.empty()) {
    connect_to(set_up.settings.running);
  }
}

SceneSetup WatchScene::set_up() const
{
  WatchSetup set_up{state_.settings, view_.framing()};
  set_up.settings.view = without_words(state_.table.settings.view);
  return set_up;
}

SceneSetup WatchScene::to_remember() const
{
  auto set_up = std::any_cast<WatchSetup>(this->set_up());
  set_up.camera = {};
  if (!set_up.settings.running.empty()) {  // it may not run any more, and nobody wants to be told at the next start
    set_up.settings.running.clear();
    set_up.settings.layout = Json::object();
  }
  return set_up;
}

watch::Dump WatchScene::dump_of_settings() const
{
  watch::Dump dump;
  for (std::string const& file : state_.settings.files) { dump.files.push_back(path_of_text(file)); }
  dump.layout = state_.settings.layout;
  dump.layout_name = state_.settings.layout_name;
  return dump;
}

/// Large files are opened beside the frames; what is wrong with small ones is said at once.
void WatchScene::open_dump_of_settings()
{
  constexpr std::uint64_t small = std::uint64_t{1} << 24;
  watch::Dump dump = dump_of_settings();
  if (bytes_of(dump.files) > small) {
    forget_table(nullptr, path_text(dump.files.front().filename()), false);
    return begin_opening(std::move(dump), true);
  }
  watch_source(watch::open_dump(dump), false);
  if (!state_.problem.empty()) { throw Error(state_.problem); }
}

void WatchScene::connect_to(std::string const& name)
{
  std::vector<RunningTable> const running = running_tables();
  std::vector<RunningTable> found;
  std::ranges::copy_if(running, std::back_inserter(found), [&](RunningTable const& each) { return each.is(name); });
  if (found.size() == 1) { return handle(WatchRunning{found.front()}); }
  std::vector<std::string> names;
  for (RunningTable const& each : found.empty() ? running : found) {
    names.push_back(fmt::format("'{}'", each.full_name()));
  }
  if (!found.empty()) {
    throw Error(tr("{} programs show a table '{}': choose one of {}.", found.size(), name, listed(names)));
  }
  if (names.empty()) { throw Error(tr("No running program shows a table '{}': none shows any.", name)); }
  throw Error(tr("No running program shows a table '{}': there are {}.", name, listed(names)));
}

void WatchScene::watch_source(std::unique_ptr<watch::Source> source, bool is_live)
{
  std::string name = source->name();
  forget_table(std::move(source), std::move(name), is_live);
  source_->refresh();
  look();
}

void WatchScene::forget_table(std::unique_ptr<watch::Source> source, std::string name, bool is_live)
{
  work_.stop();
  lose_table({});
  source_ = std::move(source);
  described_.clear();
  failed_at_ = -1e9;
  drawn_.reset();
  host_presenter_.reset();
  handed_over_.reset();
  notice_.clear();
  TableState fresh;
  fresh.settings.view = state_.table.settings.view;
  fresh.device = state_.table.device;
  fresh.now = opened_at_ = state_.table.now;
  state_.table = std::move(fresh);
  state_.history = {};
  state_.alive = true;
  state_.manner.clear();
  state_.description = {};
  state_.check = {};
  state_.is_live = is_live;
  state_.name = std::move(name);
}

/// A file is opened again when it was written; while it is paused, that waits.
void WatchScene::follow_files()
{
  constexpr double rest = 1.0;  // a file may be written for a while
  bool const is_due = !state_.paused && state_.table.now - failed_at_ >= rest;
  if (!is_due || !source_->is_stale()) { return; }
  if (source_->is_mapped()) { lose_table(tr("The file was written, and is opened again.")); }
  begin_opening(dump_of_settings(), false);
}

void WatchScene::follow_source()
{
  if (!source_ || work_.busy() || state_.copied) { return; }
  if (!state_.is_live) { return follow_files(); }
  bool const moved = source_->refresh();
  take_events();
  state_.alive = source_->alive();
  state_.manner = source_->manner();
  if (moved && state_.paused) {
    described_.clear();  // the copy stays in view; `look` comes when it is let go
    return;
  }
  if (moved) { return look(); }
  if (!table_ || state_.paused || !state_.alive) { return; }
  table_->changed();
  // A table that was empty when it was opened says nothing of its description.
  constexpr double rest = 2.0;
  constexpr std::uint64_t enough = 500;
  bool const is_due = state_.check.sampled < enough && state_.table.now - checked_at_ > rest;
  if (is_due && state_.table.statistics.live > 2 * state_.check.sampled) { check_description(true); }
}

void WatchScene::take_events()
{
  for (watch::Event const& event : source_->take_events()) {
    double const now = opened_at_ + event.seconds;  // below 0 if the program said it before it was looked at
    switch (event.kind) {
      case watch::Event::Kind::mark: state_.history.mark(now, event.text); break;
      case watch::Event::Kind::moved:
        state_.history.mark(now, event.text.empty() ? std::string("moved") : event.text);
        break;
      case watch::Event::Kind::ended:
        state_.history.mark(now, "ended");
        notice_ = event.text.empty() ? tr("The program that shows '{}' has ended. Its last state stays.", state_.name)
                                     : tr("'{}': {} Its last state stays.", state_.name, event.text);
        break;
    }
  }
}

void WatchScene::advance(double elapsed_seconds)
{
  state_.table.now += elapsed_seconds;
  handle_requests();
  handle_table_requests();
  follow_source();
  constexpr double frame = 1.0 / 60.0;  // the rest of what `advance` may wait would be seen
  copy_on();
  if (work_.busy()) { take_look(max_wait() ? std::optional(std::min(*max_wait(), frame)) : std::nullopt); }
  running_.follow();
  state_.running = running_.known();
}

void WatchScene::handle_requests()
{
  for (WatchRequest const& request : std::exchange(state_.requests, {})) {
    std::visit([this](auto const& each) { handle(each); }, request);
  }
}

void WatchScene::handle(WatchRunning const& request)
{
  bool const on_cpu = state_.table.device.backend == Backend::cpu;
  std::unique_ptr<watch::Source> source = request.table.connect(on_cpu ? BackendChoice::cpu : BackendChoice::automatic);
  state_.settings.files.clear();
  state_.settings.layout = Json::object();
  state_.own_layout.reset();
  state_.settings.layout_name.clear();
  state_.settings.running = request.table.name;
  state_.pid = request.table.pid;
  watch_source(std::move(source), true);
}

void WatchScene::handle(OpenDump const&)
{
  ask_for_file({.title = "Open a dump of a table",
                .files = {{translatable("dump of a table"), {".npy", ".npz", ".bin", ".dat", ".raw"}}},
                .most = 4,
                .use = [this](Paths const& chosen) { open(chosen); }});
}

void WatchScene::handle(OpenLayout const&)
{
  ask_for_file({.title = "Open the description of the table",
                .files = {{translatable("description"), {".json"}}},
                .use = [this](Paths const& chosen) {
                  state_.settings.layout = read_layout(chosen.front());
                  state_.own_layout.reset();
                  state_.settings.layout_name = path_text(chosen.front().filename());
                  if (!state_.settings.files.empty()) { open_dump_of_settings(); }
                  if (state_.is_live && source_) { look(); }
                }});
}

void WatchScene::handle(PauseWatch const&)
{
  if (!table_) { return; }
  if (!state_.is_live) {  // nothing writes to what was loaded
    state_.paused = !state_.paused;
  } else if (std::exchange(state_.paused, false) || state_.copied) {
    state_.copied.reset();
    look();
  } else {
    state_.copied = 0.0;
  }
}

/// A large copy takes several frames. What it is made of stays meanwhile, since nothing that the program says is heard:
/// memory of a GPU, which it frees without waiting long, is copied at once.
void WatchScene::copy_on()
{
  if (!state_.copied) { return; }
  constexpr double at_once = 0.010;
  bool const goes_on_later = max_wait() && source_->backend() == Backend::cpu;
  double const seconds = goes_on_later ? std::min(*max_wait(), at_once) : std::numeric_limits<double>::infinity();
  try {
    state_.copied = table_->freeze_on(seconds);
  } catch (Error const&) {
    state_.copied.reset();
    throw;
  }
  if (*state_.copied < 1.0) { return; }
  state_.copied.reset();
  state_.table.foreign = &table_->family();
  state_.paused = true;
}

void WatchScene::handle(UsePreset const& request)
{
  Json layout{{"preset", request.name}};
  if (state_.is_live && state_.description.slots != 0) { layout["slots"] = state_.description.slots; }
  replace_layout(std::move(layout));
}

void WatchScene::handle(UseDescription const& request)
{
  replace_layout(watch::description_json(request.description));
}

void WatchScene::handle(UseOwnDescription const&)
{
  if (!state_.own_layout) { return; }
  state_.settings.layout = *std::exchange(state_.own_layout, std::nullopt);
  look_by_layout();
}

/// The user's own stays known, to come back to.
void WatchScene::replace_layout(Json layout)
{
  if (!state_.own_layout) { state_.own_layout = state_.settings.layout; }
  state_.settings.layout = std::move(layout);
  state_.settings.layout_name.clear();
  look_by_layout();
}

void WatchScene::look_by_layout()
{
  if (state_.is_live) {
    look();
  } else if (!state_.settings.files.empty()) {
    open_dump_of_settings();
  }
}

void WatchScene::handle(CheckAgain const&)
{
  check_description(true);
}

void WatchScene::handle(ShowSlot const& request)
{
  if (!table_) { return; }
  constexpr double close = 110.0;  // pixels of a slot
  state_.table.selection.lookup.reset();
  state_.table.selection.pinned = request.slot;
  view_.fly_to(request.slot, close);
}

void WatchScene::handle_table_requests()
{
  for (TableRequest const& request : std::exchange(state_.table.requests, {})) {
    if (auto const* typed = std::get_if<OnTyped>(&request)) {
      Pair const& key = typed->on_keys.pairs->front();
      bool const is_wide = state_.table.foreign_facts.typed_key_bits > 64;
      if (!is_wide) { state_.table.typed.note(typed->on_keys); }
      look_up(is_wide ? watch::AnyKey{key.value} << 64 | key.key : typed_key(key.key));
    }
    if (auto const* message = std::get_if<ErrorMessage>(&request)) { throw Error{message->text}; }
  }
}

bool WatchScene::open(Paths const& files)
{
  WatchSettings const before = state_.settings;
  std::vector<std::string> dumped;
  Json layout;
  std::string layout_name;
  auto const read = [&](fs::path const& file) {
    layout = read_layout(file);
    layout_name = path_text(file.filename());
  };
  for (fs::path const& file : files) {
    if (fs::path(file).extension() == ".json") {
      read(file);
    } else {
      dumped.push_back(path_text(fs::absolute(file).lexically_normal()));
    }
  }
  if (layout.is_null() && !files.empty()) {
    if (fs::path const beside = layout_beside(files.front()); !beside.empty()) { read(beside); }
  }
  if (!layout.is_null()) {
    state_.settings.layout = std::move(layout);
    state_.settings.layout_name = std::move(layout_name);
  }
  auto const own_before = std::exchange(state_.own_layout, std::nullopt);
  if (!dumped.empty()) { state_.settings.files = dumped; }
  state_.settings.running.clear();
  try {
    open_dump_of_settings();
  } catch (Error const& error) {
    bool const needs_description = !dumped.empty() && state_.settings.layout.empty();
    if (!needs_description) {
      state_.settings = before;
      state_.own_layout = own_before;
      throw;
    }
    forget_table(nullptr, names_of(files), false);
    state_.problem = why_unknown(state_.name, error.what());
  }
  return true;
}

void WatchScene::lay_out(Frame const& frame)
{
  StepState const& steps = state_.table.steps;
  layout_ = frame.bare ? lay_out_slide(frame.look, frame.window, steps)
                       : slotscape::lay_out(frame.look, frame.window, frame.panels, steps);
  place_canvas(layout_.canvas);
}

/// No colouring by what is not known.
void WatchScene::show_what_is_known()
{
  TableState& table = state_.table;
  table.settings.table = table_->table();
  table.foreign = &table_->family();
  ColorBy& color = table.settings.view.color_by;
  bool const unknown = (color == ColorBy::recent && table.foreign_facts.is_still) ||
                       (color == ColorBy::probe_length && table.foreign->measure.name.empty()) ||
                       (color == ColorBy::cluster_length && !table.foreign->clusters);
  if (unknown) { color = ColorBy::state; }
  try {
    table_->record_recent(color == ColorBy::recent);
  } catch (Error const&) {
    color = ColorBy::state;  // said once
    throw;
  }
}

/// The digits of a key of 16 bytes, which is shown by its hash; of others, nothing.
std::string WatchScene::wide_text(watch::AnyKey key) const
{
  return table_->description().key.bits > 64 ? watch::hex_of(key) : std::string();
}

/// What cards say of slots in somebody else's table only.
void WatchScene::complete_cards()
{
  for (auto* const detail : {&state_.table.inspected.pinned, &state_.table.inspected.hovered}) {
    if (!*detail || !(*detail)->slot.has_key) { continue; }
    SlotInfo const& slot = (*detail)->slot;
    (*detail)->wide_key = wide_text(table_->key_in(slot.slot));
    if (slot.state != SlotState::link) { continue; }
    watch::Reached const lookup = table_->reached(std::span(&slot.slot, 1)).front().reached;
    if (lookup.reach == watch::Reach::elsewhere) { (*detail)->found_in = lookup.first; }
  }
}

Presenter& WatchScene::presenter(Presenters& presenters)
{
  bool const same = source_->backend() == state_.table.device.backend;
  if (same) { return presenters[0]; }
  if (!host_presenter_) { host_presenter_ = make_presenter(source_->backend(), PresentChoice::automatic); }
  return *host_presenter_;
}

/// Whether the table may be another one in the next frame.
bool WatchScene::follows() const
{
  return source_ && state_.is_live && state_.alive && !state_.paused;
}

/// For a while after the last change, until all of them have faded.
bool WatchScene::flashes() const
{
  constexpr double fade_seconds = 1.5;
  return state_.table.settings.view.color_by == ColorBy::recent && state_.table.now - followed_at_ < fade_seconds;
}

/// A file that nobody writes is analysed when the view changes; a live table as often as a part of the time allows.
bool WatchScene::is_analysis_due(Frame const& frame, PictureRequest const& request) const
{
  auto const same_view = [](PictureRequest const& a, PictureRequest const& b) {
    return a.layout == b.layout && a.color_by == b.color_by && a.reduce == b.reduce && a.level == b.level &&
           a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
  };
  if (!drawn_ || frame.slide || !same_view(*drawn_, request)) { return true; }
  double const share = watch::max_share_of_time(source_->backend());
  return (follows() || flashes()) && state_.table.now - analysed_at_ >= analysis_seconds_ / share;
}

FrameFacts WatchScene::analyse(Frame const& frame)
{
  if (!table_) { return {}; }
  show_what_is_known();
  TableState& table = state_.table;
  view_.place(layout_.canvas, frame.look, table, frame.elapsed_seconds);
  unfaded_seconds_ += frame.elapsed_seconds;
  if (follows()) { followed_at_ = table.now; }
  PictureRequest const request = view_.camera().request(table.settings.view);
  if (!is_analysis_due(frame, request)) {
    view_.inspect(*table_, table);
    complete_cards();
    if (counts_on_) {
      note_statistics();
      judge();
    }
    return {};
  }
  auto const start = std::chrono::steady_clock::now();
  FrameFacts const times =
      view_.analyse(*table_, presenter(frame.presenters), table, std::exchange(unfaded_seconds_, 0.0));
  complete_cards();
  if (table.selection.lookup && state_.is_live) { table.selection.lookup = lookup_of(looked_up_); }
  analysis_seconds_ = seconds_since(start);
  analysed_at_ = table.now;
  drawn_ = request;
  note_statistics();
  judge();
  return times;
}

void WatchScene::note_statistics()
{
  TableState& table = state_.table;
  Statistics const& now = table.statistics;
  if (!state_.paused && table.now - sampled_at_ >= sample_seconds) {
    sampled_at_ = table.now;
    state_.history.add(table.now, now);
  }
  // Not in every frame, and so many keys over several.
  constexpr double rest = 5.0;
  constexpr double at_once = 0.010;
  bool const is_due =
      now.live != counted_live_ && table.now - counted_homes_at_ >= (counted_live_ + 1 == 0 ? 0.0 : rest);
  if (!is_due) { return; }
  auto facts = table_->key_facts(at_once);
  counts_on_ = !facts;
  if (facts) { note_facts(*facts); }
}

/// Homes of those keys that an insertion has not given up say nothing of the hash.
void WatchScene::show_homes()
{
  bool const is_cut = early_end(table_->description(), state_.table.statistics).has_value();
  state_.table.run.homes = is_cut ? std::nullopt : facts_.homes;
}

void WatchScene::judge()
{
  show_homes();
  TheoryFit const fit = theory_fit(state_.table);
  bool const is_new =
      table_->lost_keys() != state_.lost.keys || (state_.check.repeats != 0 && state_.lost.repeats == 0);
  if (follows() || is_new) { state_.lost = lost_facts(*table_, state_.check); }
  WatchedFacts const facts{table_->description(), state_.check, state_.table.statistics, fit, facts_,
                           state_.lost,           follows()};
  state_.warnings = lost_keys_text(facts);
  state_.advice = advice_on(facts);
}

void WatchScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  if (!table_ || !drawn_) { return; }
  view_.draw_map(presenter(presenters).buffer(), state_.table, framebuffer_height);
}

bool WatchScene::type(char32_t character)
{
  return table_ && type_key(state_.table.typed, use_of_field(state_.table), character);
}

bool WatchScene::types_letters() const
{
  return table_ && has_letters(key_form(state_.table));
}

void WatchScene::cancel()
{
  if (work_.busy()) { return work_.cancel(); }
  if (std::exchange(state_.copied, std::nullopt)) { return look(); }
  if (view_.forget_pointed()) { return; }
  state_.table.selection.pinned.reset();
  state_.table.selection.lookup.reset();
}

bool WatchScene::quiet() const
{
  return !follows() && !flashes() && !counts_on_ && !work_.busy() && !state_.copied && !view_.in_flight() &&
         state_.requests.empty() && state_.table.requests.empty();
}

std::vector<std::string> WatchScene::told() const
{
  if (!state_.has_table) { return {}; }
  std::vector<std::string> lines{fmt::format("{}: {}.", state_.name, summary_of(state_.table.statistics))};
  lines.insert(lines.end(), state_.advice.begin(), state_.advice.end());
  return lines;
}

Findings WatchScene::findings() const
{
  if (!state_.has_table) { return {}; }
  std::string const text = watch::text_of(state_.check);
  Findings findings = text.empty() ? Findings{} : Findings{text};
  if (state_.is_live) { return findings; }  // its lost keys come and go
  if (std::string rows = watch::rows_left_out(table_->description(), source_->arrays()); !rows.empty()) {
    findings.push_back(std::move(rows));
  }
  watch::LostKeys const& lost = state_.lost.keys;
  bool const in_one_sentence = state_.lost.are_marks() || state_.check.is_beaten();
  std::size_t const kinds = (lost.unreachable != 0 ? 1 : 0) + (lost.twice != 0 ? 1 : 0);
  std::size_t const first = std::min(in_one_sentence ? std::min<std::size_t>(kinds, 1) : kinds, state_.warnings.size());
  add_findings(findings, {state_.warnings.begin(), state_.warnings.begin() + static_cast<std::ptrdiff_t>(first)});
  return findings;
}

/// The panels say what is wrong with the table, and what fits better.
bool WatchScene::shows(std::string const& finding) const
{
  bool const is_warning = std::ranges::find(state_.warnings, finding) != state_.warnings.end();
  return is_warning || finding == watch::text_of(state_.check) || Scene::shows(finding);
}

}  // namespace slotscape
