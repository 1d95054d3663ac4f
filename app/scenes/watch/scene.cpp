#include "app/scenes/watch/scene.hpp"

#include "app/base/text.hpp"
#include "app/scenes/watch/advice.hpp"
#include "app/scenes/watch/commands.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape {

namespace {

/// Replaces a colouring that needs unknown facts.
void show_what_is_known(TableState& table, watch::WatchedTable& watched)
{
  table.settings.table = watched.table();
  table.foreign = &watched.family();
  ColorBy& color = table.settings.view.color_by;
  bool const unknown = (color == ColorBy::recent && table.foreign_facts.is_still) ||
                       (color == ColorBy::probe_length && table.foreign->measure.name.empty()) ||
                       !has_color(color, *table.foreign, table.settings.table);
  if (unknown) { color = ColorBy::state; }
  try {
    watched.record_recent(color == ColorBy::recent);
  } catch (Error const&) {
    color = ColorBy::state;  // so that the error is reported once
    throw;
  }
}

}  // namespace

WatchScene::WatchScene(WatchSetup const& set_up, DeviceFacts const& device)
    : picture_(state_, view_), numbers_(state_), reader_(state_, picture_, numbers_), lookups_(state_, view_, reader_)
{
  state_.settings = set_up.settings;
  state_.table.device = device;
  state_.table.settings.view = set_up.settings.view;
  view_.look(set_up.camera);
  commands_ = watch_commands(state_, view_);
  if (!set_up.settings.files.empty()) {
    reader_.open_dump_of_settings();
  } else if (!set_up.settings.running.empty()) {
    reader_.connect_to(set_up.settings.running);
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
  if (!set_up.settings.running.empty()) {  // the program may have ended, which is no news at the next start
    set_up.settings.running.clear();
    set_up.settings.layout = Json::object();
  }
  return set_up;
}

void WatchScene::advance(double elapsed_seconds)
{
  state_.table.now += elapsed_seconds;
  handle_requests();
  handle_table_requests();
  reader_.follow();
  constexpr double frame = 1.0 / 60.0;  // a longer wait in `advance` would be noticeable
  reader_.copy_on(max_wait());
  if (reader_.is_busy()) { reader_.take_look(max_wait() ? std::optional(std::min(*max_wait(), frame)) : std::nullopt); }
  running_.follow();
  state_.running = running_.known();
}

void WatchScene::handle_requests()
{
  for (WatchRequest const& request : std::exchange(state_.requests, {})) { handle(request); }
}

void WatchScene::handle(WatchRequest const& request)
{
  if (auto const* running = std::get_if<WatchRunning>(&request)) {
    reader_.connect(running->table);
  } else if (std::holds_alternative<OpenDump>(request)) {
    ask_for_dump();
  } else if (std::holds_alternative<OpenLayout>(request)) {
    ask_for_layout();
  } else if (std::holds_alternative<PauseWatch>(request)) {
    reader_.pause_or_go_on();
  } else if (auto const* preset = std::get_if<UsePreset>(&request)) {
    reader_.use_preset(preset->name);
  } else if (auto const* use = std::get_if<UseDescription>(&request)) {
    reader_.use_description(use->description);
  } else if (std::holds_alternative<UseOwnDescription>(request)) {
    reader_.use_own_description();
  } else if (std::holds_alternative<CheckAgain>(request)) {
    reader_.check_description(true);
  } else if (auto const* same_keys = std::get_if<SameKeysIn>(&request)) {
    show_keys_in(same_keys->scene);
  } else if (auto const* show = std::get_if<ShowSlot>(&request)) {
    lookups_.show(show->slot);
  }
}

void WatchScene::ask_for_dump()
{
  ask_for_file({.title = "Open a dump of a table",
                .files = {{translatable("dump of a table"), {".npy", ".npz", ".bin", ".dat", ".raw"}}},
                .most = 4,
                .use = [this](Paths const& chosen) { open(chosen); }});
}

void WatchScene::ask_for_layout()
{
  ask_for_file({.title = "Open the description of the table",
                .files = {{translatable("description"), {".json"}}},
                .use = [this](Paths const& chosen) { reader_.use_description_of(chosen.front()); }});
}

void WatchScene::handle_table_requests()
{
  for (TableRequest const& request : std::exchange(state_.table.requests, {})) {
    if (auto const* typed = std::get_if<OnTyped>(&request)) { lookups_.look_up(typed->on_keys); }
    if (auto const* message = std::get_if<ErrorMessage>(&request)) { throw Error{message->text}; }
  }
}

/// Throws Error if a requested table could not be shown.
void WatchScene::finish_steps(std::function<void()> const& frame)
{
  if (!reader_.is_busy()) { return; }
  auto const progress = [&] { return reader_.progress(); };
  bool const is_done = finish({[&] { return !reader_.is_busy(); }, progress, [&] { reader_.cancel(); }}, frame);
  if (is_done && reader_.table() == nullptr) { throw Error(state_.problem); }
}

void WatchScene::lay_out(Frame const& frame)
{
  StepState const& steps = state_.table.steps;
  layout_ = frame.bare ? lay_out_slide(frame.look, frame.window, steps)
                       : slotscape::lay_out(frame.look, frame.window, frame.panels, steps);
  place_canvas(layout_.canvas);
}

FrameFacts WatchScene::analyse(Frame const& frame)
{
  watch::WatchedTable* const watched = reader_.table();
  if (watched == nullptr) { return {}; }
  TableState& table = state_.table;
  show_what_is_known(table, *watched);
  view_.place(layout_.canvas, frame.look, table, frame.elapsed_seconds);
  bool const follows = reader_.follows();
  picture_.pass(frame.elapsed_seconds, follows);
  PictureRequest const request = view_.camera().request(table.settings.view);
  Backend const backend = reader_.source()->backend();
  if (!frame.slide && !picture_.is_due(request, backend, follows)) {
    view_.inspect(*watched, table);
    lookups_.complete_cards();
    if (numbers_.counts_on()) {
      numbers_.count(*watched);
      numbers_.judge(*watched, follows);
    }
    return {};
  }
  FrameFacts const times = picture_.analyse(*watched, request, picture_.presenter(frame.presenters, backend), [&] {
    lookups_.complete_cards();
    if (state_.is_live) { lookups_.refresh(); }
  });
  numbers_.count(*watched);
  numbers_.judge(*watched, follows);
  return times;
}

void WatchScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  if (reader_.table() == nullptr || !picture_.is_drawn()) { return; }
  Backend const backend = reader_.source()->backend();
  view_.draw_map(picture_.presenter(presenters, backend).buffer(), state_.table, framebuffer_height);
}

bool WatchScene::type(char32_t character)
{
  return reader_.table() != nullptr && type_key(state_.table.typed, use_of_field(state_.table), character);
}

bool WatchScene::types_letters() const
{
  return reader_.table() != nullptr && has_letters(key_form(state_.table));
}

void WatchScene::cancel()
{
  if (reader_.cancel()) { return; }
  if (view_.forget_pointed()) { return; }
  state_.table.selection.pinned.reset();
  state_.table.selection.lookup.reset();
}

bool WatchScene::quiet() const
{
  return !reader_.follows() && !picture_.flashes() && !numbers_.counts_on() && !reader_.is_busy() && !state_.copied &&
         !view_.in_flight() && state_.requests.empty() && state_.table.requests.empty();
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
  if (state_.is_live) { return findings; }  // lost keys of a live table come and go
  if (std::string rows = watch::rows_left_out(reader_.table()->description(), reader_.source()->arrays());
      !rows.empty()) {
    findings.push_back(std::move(rows));
  }
  watch::LostKeys const& lost = state_.lost.keys;
  bool const in_one_sentence = state_.lost.are_marks() || state_.check.is_beaten();
  std::size_t const kinds = (lost.unreachable != 0 ? 1 : 0) + (lost.twice != 0 ? 1 : 0);
  std::size_t const first = std::min(in_one_sentence ? std::min<std::size_t>(kinds, 1) : kinds, state_.warnings.size());
  add_findings(findings, {state_.warnings.begin(), state_.warnings.begin() + static_cast<std::ptrdiff_t>(first)});
  return findings;
}

/// The panels already show these findings and a better description.
bool WatchScene::shows(std::string const& finding) const
{
  bool const is_warning = std::ranges::find(state_.warnings, finding) != state_.warnings.end();
  return is_warning || finding == watch::text_of(state_.check) || Scene::shows(finding);
}

}  // namespace slotscape
