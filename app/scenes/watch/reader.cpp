#include "app/scenes/watch/reader.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/scenes/watch/advice.hpp"
#include "app/watch/description_json.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

std::string names_of(Paths const& files)
{
  std::vector<std::string> names;
  for (fs::path const& file : files) { names.push_back(path_text(file.filename())); }
  return listed(names);
}

/// The total size of the files that exist.
std::uint64_t bytes_of_files(Paths const& files)
{
  std::uint64_t bytes = 0;
  for (fs::path const& file : files) {
    std::error_code unreadable;
    std::uintmax_t const size = fs::file_size(file, unreadable);
    bytes += unreadable ? 0 : size;
  }
  return bytes;
}

}  // namespace

WatchReader::WatchReader(WatchState& state, WatchPicture& picture, WatchNumbers& numbers)
    : state_(state), picture_(picture), numbers_(numbers), work_(look_first)
{
}

watch::Dump WatchReader::dump_of_settings() const
{
  watch::Dump dump;
  for (std::string const& file : state_.settings.files) { dump.files.push_back(path_of_text(file)); }
  dump.layout = state_.settings.layout;
  dump.layout_name = state_.settings.layout_name;
  return dump;
}

/// Large files are opened in the background; errors in small ones are reported at once.
void WatchReader::open_dump_of_settings()
{
  constexpr std::uint64_t small = std::uint64_t{1} << 24;
  watch::Dump dump = dump_of_settings();
  if (bytes_of_files(dump.files) > small) {
    forget_table(nullptr, path_text(dump.files.front().filename()), false);
    return begin_opening(std::move(dump), true);
  }
  show(watch::open_dump(dump), false);
  if (!state_.problem.empty()) { throw Error(state_.problem); }
}

void WatchReader::connect_to(std::string const& name)
{
  std::vector<Announcement> const running = running_tables();
  std::vector<Announcement> found;
  std::ranges::copy_if(running, std::back_inserter(found), [&](Announcement const& each) { return each.is(name); });
  if (found.size() == 1) { return connect(found.front()); }
  std::vector<std::string> names;
  for (Announcement const& each : found.empty() ? running : found) {
    names.push_back(fmt::format("'{}'", each.full_name()));
  }
  if (!found.empty()) {
    throw Error(tr("{} programs show a table '{}': choose one of {}.", found.size(), name, listed(names)));
  }
  if (names.empty()) { throw Error(tr("No running program shows a table '{}': none shows any table.", name)); }
  throw Error(tr("No running program shows a table '{}': the tables are {}.", name, listed(names)));
}

void WatchReader::connect(Announcement const& table)
{
  bool const on_cpu = state_.table.device.backend == Backend::cpu;
  std::unique_ptr<watch::Source> source = table.connect(on_cpu ? BackendChoice::cpu : BackendChoice::automatic);
  state_.settings.files.clear();
  state_.settings.layout = Json::object();
  state_.own_layout.reset();
  state_.settings.layout_name.clear();
  state_.settings.running = table.name;
  state_.pid = table.pid;
  show(std::move(source), true);
}

void WatchReader::show(std::unique_ptr<watch::Source> source, bool is_live)
{
  std::string name = source->name();
  forget_table(std::move(source), std::move(name), is_live);
  source_->refresh();
  look();
}

void WatchReader::forget_table(std::unique_ptr<watch::Source> source, std::string name, bool is_live)
{
  work_.stop();
  lose_table({});
  source_ = std::move(source);
  described_.clear();
  failed_at_ = -1e9;
  picture_.leave();
  ++opened_;
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

/// Reopens a file after it was written, but not while paused.
void WatchReader::follow_files()
{
  constexpr double rest = 1.0;  // seconds until the next try, because writing may take a while
  bool const is_due = !state_.paused && state_.table.now - failed_at_ >= rest;
  if (!is_due || !source_->is_stale()) { return; }
  if (source_->is_mapped()) { lose_table(tr("The file has changed and was reopened.")); }
  begin_opening(dump_of_settings(), false);
}

void WatchReader::follow()
{
  if (!source_ || work_.busy() || state_.copied) { return; }
  if (!state_.is_live) { return follow_files(); }
  bool const moved = source_->refresh();
  take_events();
  state_.alive = source_->alive();
  state_.manner = source_->manner();
  if (moved && state_.paused) {
    described_.clear();  // the copy stays in view; `look` follows when resumed
    return;
  }
  if (moved) { return look(); }
  if (!table_ || state_.paused || !state_.alive) { return; }
  table_->changed();
  // A table that was empty when opened could not confirm its description, so it is checked again.
  constexpr double rest = 2.0;
  constexpr std::uint64_t enough = 500;
  bool const is_due = state_.check.sampled < enough && state_.table.now - checked_at_ > rest;
  if (is_due && state_.table.statistics.live > 2 * state_.check.sampled) { check_description(true); }
}

void WatchReader::take_events()
{
  for (watch::Event const& event : source_->take_events()) {
    double const now = opened_at_ + event.seconds;  // negative if sent before the table was opened
    switch (event.kind) {
      case watch::Event::Kind::mark: state_.history.mark(now, event.text); break;
      case watch::Event::Kind::moved:
        state_.history.mark(now, event.text.empty() ? std::string("moved") : event.text);
        break;
      case watch::Event::Kind::ended:
        state_.history.mark(now, "ended");
        notice_ = event.text.empty() ? tr("The program that shows '{}' has ended. Its last state is kept.", state_.name)
                                     : tr("'{}': {} Its last state is kept.", state_.name, event.text);
        break;
    }
  }
}

void WatchReader::pause_or_go_on()
{
  if (!table_) { return; }
  if (!state_.is_live) {  // loaded data does not change
    state_.paused = !state_.paused;
  } else if (std::exchange(state_.paused, false) || state_.copied) {
    state_.copied.reset();
    look();
  } else {
    state_.copied = 0.0;
  }
}

/// A large copy takes several frames. Its source stays valid meanwhile, because the program's messages are not handled.
/// GPU memory is copied at once, because the program frees it without waiting for long.
void WatchReader::copy_on(std::optional<double> max_wait)
{
  if (!state_.copied) { return; }
  constexpr double at_once = 0.010;
  bool const goes_on_later = max_wait && source_->backend() == Backend::cpu;
  double const seconds = goes_on_later ? std::min(*max_wait, at_once) : std::numeric_limits<double>::infinity();
  try {
    state_.copied = table_->continue_freezing(seconds);
  } catch (Error const&) {
    state_.copied.reset();
    throw;
  }
  if (*state_.copied < 1.0) { return; }
  state_.copied.reset();
  state_.table.foreign = &table_->family();
  state_.paused = true;
}

bool WatchReader::cancel()
{
  if (work_.busy()) {
    work_.cancel();
    return true;
  }
  if (!std::exchange(state_.copied, std::nullopt)) { return false; }
  look();
  return true;
}

void WatchReader::use_preset(std::string const& name)
{
  Json layout{{"preset", name}};
  if (state_.is_live && state_.description.slots != 0) { layout["slots"] = state_.description.slots; }
  replace_layout(std::move(layout));
}

void WatchReader::use_description(watch::Description const& description)
{
  replace_layout(watch::description_json(description));
}

void WatchReader::use_own_description()
{
  if (!state_.own_layout) { return; }
  state_.settings.layout = *std::exchange(state_.own_layout, std::nullopt);
  look_by_layout();
}

void WatchReader::use_description_of(fs::path const& file)
{
  state_.settings.layout = read_layout(file);
  state_.own_layout.reset();
  state_.settings.layout_name = path_text(file.filename());
  if (!state_.settings.files.empty()) { open_dump_of_settings(); }
  if (state_.is_live && source_) { look(); }
}

/// Remembers the user's own description, to return to it.
void WatchReader::replace_layout(Json layout)
{
  if (!state_.own_layout) { state_.own_layout = state_.settings.layout; }
  state_.settings.layout = std::move(layout);
  state_.settings.layout_name.clear();
  look_by_layout();
}

void WatchReader::look_by_layout()
{
  if (state_.is_live) {
    look();
  } else if (!state_.settings.files.empty()) {
    open_dump_of_settings();
  }
}

void WatchReader::open(Paths const& files)
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
}

bool WatchReader::follows() const
{
  return source_ && state_.is_live && state_.alive && !state_.paused;
}

}  // namespace slotscape
