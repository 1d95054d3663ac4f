#include "app/scenes/sparse/scene.hpp"

#include "app/base/text.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

using sparse::Mode;
using sparse::Site;

constexpr std::size_t map_presenter = 0;
constexpr double moment_seconds = 1.0 / 60.0;

std::optional<std::uint32_t> row_of(std::vector<Site> const& sites, Site const& site)
{
  auto const found = std::ranges::find(sites, site);
  return found == sites.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - sites.begin()));
}

}  // namespace

SparseScene::SparseScene(SparseSetup const& set_up, DeviceFacts const& device) : worker_(device.backend)
{
  state_.settings = set_up.settings;
  state_.device = device;
  sparse::validate(state_.settings.convolution);
  to_choose_ = set_up.selected;
  for (auto make : {&SparseScene::convolution_commands, &SparseScene::file_commands, &SparseScene::view_commands,
                    &SparseScene::map_commands}) {
    std::ranges::move((this->*make)(), std::back_inserter(commands_));
  }
}

SceneSetup SparseScene::set_up() const
{
  return SparseSetup{state_.settings, state_.chosen ? std::optional(state_.chosen->site) : to_choose_};
}

SparseWorker::Wish SparseScene::wish() const
{
  return {state_.settings.source, state_.settings.convolution, state_.settings.layers};
}

void SparseScene::choose(std::optional<Site> const& output)
{
  state_.chosen.reset();
  if (!output || !has_results()) { return; }
  auto const row = row_of(worker_.engine().outputs(), *output);
  if (row) { state_.chosen = ChosenOutput{*output, *row, worker_.engine().neighbours(*row), 0}; }
  look_up_chosen();
}

/// Shows the lookups of the chosen output on the map of the table.
void SparseScene::look_up_chosen()
{
  links_ = {};
  if (!state_.chosen) { return; }
  ShownTensor const tensor = shown_tensor();
  InspectedTable& table = worker_.engine().table();
  for (std::uint32_t offset = 0; offset < tensor.kernel.offsets(); ++offset) {
    auto const in = tensor.read_at(state_.chosen->site, offset);
    if (!in) { continue; }
    bool const found = state_.chosen->neighbours[offset] != sparse::no_row;
    links_.lookups.push_back({table.probe_path(tensor.input_extents.flatten(*in)), "", found ? hit_color : miss_color});
    ++state_.chosen->lookups;
    if (*in == state_.chosen->site && found && !links_.lookups.back().path.slots.empty()) {
      links_.selected = links_.lookups.back().path.slots.back();
    }
  }
}

ShownTensor SparseScene::shown_tensor()
{
  sparse::SparseEngine& engine = worker_.engine();
  return {&engine.inputs(),
          &engine.outputs(),
          engine.input_extents(),
          engine.output_extents(),
          engine.kernel(),
          state_.shown->convolution.mode == Mode::transposed,
          version_};
}

/// The output that a site of the finer grid belongs to.
void SparseScene::choose_at(std::optional<Site> site)
{
  if (site && state_.shown->convolution.mode == Mode::sparse) { site = state_.kernel.coarse(*site); }
  choose(site);
}

void SparseScene::handle_requests()
{
  for (SparseRequest const& request : std::exchange(state_.requests, {})) {
    if (std::holds_alternative<AskForSites>(request)) {
      ask_for_sites();
    } else if (std::holds_alternative<CancelConvolution>(request)) {
      worker_.cancel();
    } else {
      slice_.fit();
      space_.show_all();
      map_.fit();
    }
  }
}

void SparseScene::advance(double)
{
  handle_requests();
  work();
  take_growth();
}

void SparseScene::work()
{
  if (wished_ != wish()) {
    bool const same_sites = wished_ && wished_->source == state_.settings.source;
    wished_ = wish();
    if (same_sites && state_.chosen) { to_choose_ = state_.chosen->site; }
    state_.chosen.reset();
    links_ = {};
    worker_.start(*wished_);
  }
  if (worker_.busy()) { worker_.wait(max_wait_seconds_); }
  if (auto result = worker_.take_result()) { take(std::move(*result)); }
  state_.progress.reset();
  if (worker_.busy()) {
    state_.progress =
        ProgressSnapshot{fmt::format("Convolving {}", label_of_sites(state_.settings.source.name)), worker_.share()};
  }
}

void SparseScene::take(SparseWorker::Result result)
{
  if (result.error) { return fall_back(result); }
  bool const other_source = !state_.shown || state_.shown->source != result.wish.source;
  if (other_source && state_.shown) {
    state_.notice =
        fmt::format("{}: {} sites.", label_of_sites(result.wish.source.name), grouped(result.snapshot->sites));
  }
  sparse::SparseEngine& engine = worker_.engine();
  state_.shown = result.wish;
  state_.snapshot = *result.snapshot;
  state_.kernel = engine.kernel();
  state_.input_extents = engine.input_extents();
  state_.output_extents = engine.output_extents();
  sites_ = result.sites;
  state_.points = sites_->points;
  state_.repeated = state_.points == 0 ? result.repeated : 0;
  state_.voxel_size = state_.points != 0 && !is_builtin_source(result.wish.source.name) ? sites_->voxel_size : 0.0;
  state_.table.settings.table = engine.table().table();
  state_.table_bytes = engine.table().memory_bytes();
  state_.growth.reset();
  if (state_.is_flat()) { state_.settings.slice_across = SliceAxis::z; }
  sparse::Extents const& extents = engine.extents();
  state_.settings.batch = std::clamp(state_.settings.batch, extents.low.batch, extents.low.batch + extents.batch - 1);
  ++version_;
  forget_clicks();
  choose(std::exchange(to_choose_, std::nullopt));
}

/// What was shown before is shown again; the first one has nothing to fall back on but the built-in shape.
void SparseScene::fall_back(SparseWorker::Result const& result)
{
  std::string const label = label_of_sites(result.wish.source.name);
  bool const first = !state_.shown;
  SparseWorker::Wish const before = state_.shown.value_or(SparseWorker::Wish{{}, {}, state_.settings.layers});
  state_.settings.source = before.source;
  state_.settings.convolution = before.convolution;
  state_.settings.layers = before.layers;
  state_.shown.reset();
  wished_.reset();
  try {
    std::rethrow_exception(result.error);
  } catch (Cancelled const&) {
    state_.notice = "Cancelled; what was there before is shown again.";
  } catch (Error const& error) {
    throw Error(
        first ? std::string(error.what())
              : fmt::format("Could not convolve {}; what was there before is shown again.\n{}", label, error.what()));
  }
}

void SparseScene::take_growth()
{
  if (auto growth = worker_.take_growth()) { state_.growth = std::move(growth); }
  state_.counts_layers = worker_.counts_layers();
}

void SparseScene::finish_steps(std::function<void()> const& frame)
{
  auto const patience = std::exchange(max_wait_seconds_, moment_seconds);
  do {
    if (frame) {
      frame();
    } else {
      advance(0.0);
      worker_.wait_for_growth();
    }
    watched().begin(worker_.counts_layers() ? "Counting layers" : "Convolving");
    if (!watched().report(worker_.share())) {
      worker_.cancel();
      break;
    }
  } while (worker_.busy() || worker_.counts_layers() || wished_ != wish());
  max_wait_seconds_ = patience;
}

bool SparseScene::open(Paths const& files)
{
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(files.front(), unreadable)) {
    throw Error(fmt::format("There is no file {}.", files.front().string()));
  }
  state_.settings.source.name = std::filesystem::absolute(files.front()).lexically_normal().string();
  return false;
}

void SparseScene::ask_for_sites()
{
  ask_for_file({.title = "Open a model, or an array of sites",
                .files = {sites_kind()},
                .use = [this](Paths const& files) { open(files); }});
}

/// Those on the tensor before this one.
void SparseScene::forget_clicks()
{
  slice_.take_click();
  space_.take_click();
  state_.table.selection = {};
}

void SparseScene::follow_views()
{
  if (auto const click = slice_.take_click()) { choose_at(click->site); }
  if (auto const click = space_.take_click()) { choose_at(click->site); }
  auto const slot = std::exchange(state_.table.selection.pinned, std::nullopt);
  if (!slot) { return; }
  SlotInfo const found = worker_.engine().table().slot(*slot);
  if (found.state != SlotState::live) { return choose(std::nullopt); }
  Site site = worker_.engine().input_extents().site_of(found.pair.key);
  if (state_.shown->convolution.mode == Mode::transposed) { site = state_.kernel.fine(site); }
  choose_at(site);
  state_.settings.slice_at = SliceView::share_of(shown_tensor(), state_.settings.slice_across, site);
  state_.settings.batch = site.batch;
}

FrameFacts SparseScene::analyse(Frame const& frame)
{
  FrameFacts facts;
  if (!has_results()) { return facts; }
  follow_views();
  sparse::SparseEngine& engine = worker_.engine();
  SparseSceneSettings const& settings = state_.settings;
  ShownTensor const tensor = shown_tensor();
  slice_.cut(tensor, settings.slice_across, settings.slice_at, settings.batch);
  if (shows_space()) {
    space_.show(tensor, settings.batch);
    space_.place(layout_.sites, frame.elapsed_seconds);
  }
  state_.slice_index = slice_.index();
  state_.slice_depth = slice_.depth();
  state_.slice_coordinate = slice_.coordinate();
  state_.table.settings.view = settings.map;
  state_.table.settings.view.color_by = shown_color(settings.map.color_by, family_of(state_.table));
  if (layout_.map.width > 0) {
    map_.place(layout_.map, frame.look, state_.table, frame.elapsed_seconds);
    facts = map_.analyse(engine.table(), frame.presenters[map_presenter], state_.table, frame.elapsed_seconds);
  } else {
    state_.table.statistics = engine.table().analyse({}, {}).statistics;
  }
  return facts;
}

Findings SparseScene::findings() const
{
  Findings findings = sites_ ? sites_->findings : Findings();
  if (state_.shown && state_.repeated != 0) {
    findings.push_back(fmt::format("{}: {} of {} rows repeat a site. Each site is kept once.",
                                   label_of_sites(state_.shown->source.name), grouped(state_.repeated),
                                   grouped(sites_->sites.size())));
  }
  return findings;
}

bool SparseScene::quiet() const
{
  bool const clicked = slice_.clicked() || space_.clicked() || state_.table.selection.pinned;
  return !clicked && !worker_.busy() && !worker_.counts_layers() && !map_.in_flight() && !space_.moving() &&
         state_.requests.empty() && wished_ == wish();
}

void SparseScene::cancel()
{
  if (worker_.busy()) {
    state_.ask(CancelConvolution{});
  } else {
    choose(std::nullopt);
  }
}

}  // namespace slotscape
