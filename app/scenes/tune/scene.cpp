#include "app/scenes/tune/scene.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

constexpr double moment_seconds = 0.02;

std::unique_ptr<tuning::Sweep> start_on_device(tuning::Workload const& workload, tuning::SweepSettings const& settings,
                                               std::vector<tuning::Measured> known)
{
  return std::make_unique<tuning::Sweep>(workload, settings, std::move(known));
}

/// The settings without the view options, which are not undoable.
TuneSettings without_views(TuneSettings settings)
{
  settings.view = {};
  settings.code = {};
  settings.printed = false;
  return settings;
}

}  // namespace

TuneScene::TuneScene(TuneSetup const& set_up, DeviceFacts const& device)
    : run_(set_up.run), start_sweep_(set_up.start_sweep ? set_up.start_sweep : start_on_device), to_start_(set_up.start)
{
  state_.settings = set_up.settings;
  state_.device = device;
  state_.elsewhere = set_up.elsewhere;
  state_.device_numbers = set_up.devices;
  settled_ = state_.settings;
  for (auto make :
       {&TuneScene::sweep_commands, &TuneScene::mark_commands, &TuneScene::file_commands, &TuneScene::view_commands}) {
    std::ranges::move((this->*make)(), std::back_inserter(commands_));
  }
  if (!run_) { return; }
  to_start_ = false;
  if (std::exchange(run_->waits, false)) { run_->sweep->resume(); }
  follow_sweep();
}

TuneScene::~TuneScene()
{
  if (!run_) { return; }
  tuning::SweepStatus const status = run_->sweep->status();
  if (status.over() || status.paused) { return; }
  run_->sweep->pause();
  run_->waits = true;
}

SceneSetup TuneScene::set_up() const
{
  TuneSetup set_up{state_.settings};
  set_up.start = run_ != nullptr;
  set_up.devices = state_.device_numbers;
  set_up.run = run_;
  set_up.start_sweep = start_sweep_;
  return set_up;
}

void TuneScene::handle_requests()
{
  for (TuneRequest const& request : std::exchange(state_.requests, {})) {
    if (std::holds_alternative<StartOrPause>(request)) {
      start_or_pause();
    } else if (std::holds_alternative<StartOver>(request)) {
      start({});
    } else if (std::holds_alternative<CancelSweep>(request)) {
      if (run_) { run_->sweep->cancel(); }
    } else if (auto const* slots = std::get_if<OpenInSlots>(&request)) {
      open_in_slots(slots->measured);
    } else if (std::holds_alternative<OpenBoth>(request)) {
      open_both();
    } else if (std::holds_alternative<AskForKeys>(request)) {
      ask_for_file({.title = tr("Open a file with keys"),
                    .files = {key_file_kind()},
                    .use = [this](Paths const& files) { open(files); }});
    } else if (auto const* column = std::get_if<UseColumn>(&request)) {
      KeySettings const& source = state_.settings.workload.source;
      use_keys(with_key_file(source, path_of_text(source.file_name), {column->name}));
    } else if (std::holds_alternative<AskForProbe>(request)) {
      ask_for_file({.title = tr("Open the probe side of the join"),
                    .files = {key_file_kind()},
                    .use = [this](Paths const& files) { open_probe(files); }});
    } else if (auto const* probe_column = std::get_if<UseProbeColumn>(&request)) {
      tuning::Workload const& workload = state_.settings.workload;
      if (workload.join) {
        use_probe(with_key_file({}, path_of_text(workload.join->probe.file_name), {probe_column->name}));
      }
    } else if (auto const* what = std::get_if<AskWhereToSave>(&request)) {
      ask_where_to_save(what->what);
    } else {
      ask_where_to_save_plot(std::get<AskWhereToSavePlot>(request).plot);
    }
  }
}

/// Continues the sweep of the same workload from its results so far, or starts one for a new workload.
void TuneScene::start_or_pause()
{
  if (state_.sweeping) { return state_.status.paused ? run_->sweep->resume() : run_->sweep->pause(); }
  bool const same = run_ && run_->workload == state_.settings.workload && run_->settings.seed == state_.settings.seed;
  start(same && state_.results ? state_.results->measured : std::vector<tuning::Measured>{});
}

void TuneScene::start(std::vector<tuning::Measured> known)
{
  TuneSettings const& settings = state_.settings;
  tuning::validate(settings.workload);
  auto run = std::make_shared<TuneRun>();
  run->workload = settings.workload;
  run->settings = {state_.device.backend, settings.budget_seconds, settings.seed, state_.device_numbers};
  run_.reset();  // only one sweep may use the device
  run->sweep = start_sweep_(run->workload, run->settings, std::move(known));
  run_ = std::move(run);
  select(std::nullopt);
  state_.results.reset();
  state_.notice.clear();
  if (state_.settings.view == TuneView::code) { state_.settings.view = TuneView::tradeoff; }
  told_failure_ = false;
  follow_sweep();
}

void TuneScene::follow_sweep()
{
  if (!run_) { return; }
  state_.status = run_->sweep->status();
  state_.sweeping = !state_.status.over();
  if (auto results = run_->sweep->results(); results && results != state_.results) { take(std::move(results)); }
  bool const failed = state_.status.phase == tuning::Phase::failed;
  if (failed && !std::exchange(told_failure_, true)) { throw Error(tr("The sweep ended.\n{}", state_.status.error)); }
}

void TuneScene::take(std::shared_ptr<tuning::Results const> results)
{
  state_.results = std::move(results);
  state_.choice = tuning::choose(*state_.results);
  say_answer();
  state_.homes.clear();
  for (tuning::HashUniformity const& hash : state_.results->hashes) {
    std::vector<std::uint32_t>& counts = state_.homes.emplace_back(hash.homes.size());
    std::ranges::transform(hash.homes, counts.begin(),
                           [](std::uint64_t count) { return static_cast<std::uint32_t>(count); });
  }
}

void TuneScene::say_answer()
{
  said_in_ = catalogue_in_use();
  state_.answer = tuning::answer_of(*state_.results, state_.choice);
}

std::vector<std::string> TuneScene::told() const
{
  std::vector<std::string> lines;
  bool const any = state_.results && !state_.results->measured.empty();
  if (!any) { return lines; }
  for (tuning::Sentence const& each : state_.answer) { lines.push_back(each.text); }
  return lines;
}

void TuneScene::advance(double)
{
  if (std::exchange(to_start_, false)) { start({}); }
  handle_requests();
  follow_sweep();
  if (state_.results && said_in_ != catalogue_in_use()) { say_answer(); }
}

void TuneScene::finish_steps(std::function<void()> const& frame)
{
  auto const done = [&] {
    if (state_.sweeping) { run_->sweep->wait(moment_seconds); }
    return !state_.sweeping;
  };
  auto const progress = [&] { return ProgressSnapshot{state_.status.doing, state_.status.progress}; };
  auto const cancel = [&] {
    while (state_.sweeping) {
      run_->sweep->cancel();
      run_->sweep->wait(moment_seconds);
      advance(0.0);
    }
  };
  finish({done, progress, cancel}, frame);
}

tuning::Measured const& TuneScene::measured(std::size_t index) const
{
  tuning::Measured const* const found = state_.measured(index);
  if (found == nullptr) { throw Error(tr("That table is no longer among the results: choose another one.")); }
  return *found;
}

/// Throws Error for a table whose slots this program cannot show.
tuning::Measured const& TuneScene::own(std::size_t index) const
{
  tuning::Measured const& found = measured(index);
  if (tuning::is_by_others(found.candidate)) {
    throw Error(tr("{} can be measured, but not opened: choose a table of this program.", tuning::title_of(found)));
  }
  return found;
}

void TuneScene::open_in_slots(std::size_t index)
{
  show_scene({"slots", slots_setup(*state_.results, run_->settings.seed, own(index))});
}

void TuneScene::open_both()
{
  if (!state_.selected || !state_.compared) { throw Error(tr("Choose two marks: click one, and then another.")); }
  show_scene(
      {"compare", compare_setup(*state_.results, run_->settings.seed, own(*state_.compared), own(*state_.selected))});
}

bool TuneScene::open(Paths const& files)
{
  use_keys(with_opened_key_file(state_.settings.workload.source, files.front()));
  state_.settings.workload.name = path_text(files.front().stem());
  return true;
}

/// Reopens the same key file with this probe file.
void TuneScene::open_probe(Paths const& files)
{
  tuning::Workload const& workload = state_.settings.workload;
  use_probe(with_opened_key_file(workload.join ? workload.join->probe : KeySettings{}, files.front()));
}

/// If the keys do not fit, nothing changes and Error is thrown.
void TuneScene::use_keys(KeySettings source)
{
  tuning::Workload wanted = state_.settings.workload;
  wanted.key_bits = key_bits_for(source);
  if (wanted.join) {
    wanted.key_bits = std::max(wanted.key_bits, key_bits_for(wanted.join->probe));
    wanted.join->rows_per_key = 1;  // the file determines it
    wanted.join->probe_rows = 0;
  }
  wanted.source = std::move(source);
  wanted.keys = 0;
  tuning::validate(wanted);
  state_.settings.workload = std::move(wanted);
}

void TuneScene::use_probe(KeySettings probe)
{
  tuning::Workload wanted = state_.settings.workload;
  if (!wanted.join) { wanted.join.emplace(); }
  wanted.key_bits = std::max(key_bits_for(wanted.source), key_bits_for(probe));
  wanted.join->probe = std::move(probe);
  wanted.join->probe_rows = 0;
  tuning::validate(wanted);
  state_.settings.workload = std::move(wanted);
}

void TuneScene::select(std::optional<std::size_t> index)
{
  bool const moves_on = index && state_.selected && index != state_.selected;
  if (moves_on || !index) { state_.compared = index ? state_.selected : std::nullopt; }
  state_.selected = index;
}

void TuneScene::step_along_frontier(int by)
{
  std::vector<std::size_t> const& frontier = state_.choice.frontier;
  if (!state_.results || frontier.empty()) { return; }
  std::optional<std::size_t> const from = state_.chosen();
  auto const here = from ? std::ranges::find(frontier, *from) : frontier.end();
  auto const last = static_cast<std::ptrdiff_t>(frontier.size()) - 1;
  std::ptrdiff_t const at = here == frontier.end() ? 0 : (here - frontier.begin()) + (state_.selected ? by : 0);
  select(frontier[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last))]);
}

void TuneScene::cancel()
{
  if (state_.sweeping) { return state_.ask(CancelSweep{}); }
  select(std::nullopt);
}

void TuneScene::note_changes()
{
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown();
  if (in_hand) { return; }
  TuneSettings const& now = state_.settings;
  if (without_views(now) != without_views(settled_)) {
    bool const workload = now.workload != settled_.workload;
    undo_.record(settled_, workload ? translatable("changing the workload") : translatable("changing a setting"));
  }
  settled_ = now;
}

TuneSettings TuneScene::exchange(TuneSettings const& settings)
{
  TuneSettings present = std::exchange(state_.settings, settings);
  state_.settings.view = present.view;
  state_.settings.code = present.code;
  state_.settings.printed = present.printed;
  settled_ = state_.settings;
  return present;
}

void TuneScene::undo()
{
  undo_.undo([this](TuneSettings const& settings) { return exchange(settings); });
}

void TuneScene::redo()
{
  undo_.redo([this](TuneSettings const& settings) { return exchange(settings); });
}

}  // namespace slotscape
