#include "app/scenes/sparse/scene.hpp"

#include "app/base/text.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

using sparse::Mode;
using sparse::Site;

constexpr std::size_t map_presenter = 0;
constexpr double layers_moment_seconds = 0.05;

std::optional<std::uint32_t> row_of(std::vector<Site> const& sites, Site const& site)
{
  auto const found = std::ranges::find(sites, site);
  return found == sites.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - sites.begin()));
}

}  // namespace

SparseScene::SparseScene(SparseSetup const& set_up, DeviceFacts const& device)
    : SparseScene(set_up, device, std::make_shared<Convolver>(device.backend))
{
}

SparseScene::SparseScene(SparseSetup const& set_up, DeviceFacts const& device, std::shared_ptr<Convolver> convolver)
    : WorkScene([convolver](SparseQuery const& query, Progress const& now) { return convolver->compute(query, now); }),
      convolver_(std::move(convolver)),
      layers_([engine = std::shared_ptr(sparse::make_sparse_engine(device.backend))](LayersQuery const& query,
                                                                                     Progress const& now) {
        return count_layers(*engine, query, now);
      })
{
  state_.settings = set_up.settings;
  state_.device = device;
  sparse::validate(state_.settings.convolution);
  settled_ = state_.settings;
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

SparseQuery SparseScene::query() const
{
  return {state_.settings.source, state_.settings.convolution, state_.settings.layers};
}

void SparseScene::choose(std::optional<Site> const& output)
{
  state_.chosen.reset();
  if (!output || !has_results()) { return; }
  auto const row = row_of(convolver_->engine().outputs(), *output);
  if (row) { state_.chosen = ChosenOutput{*output, *row, convolver_->engine().neighbours(*row), 0}; }
  look_up_chosen();
}

/// Shows the lookups of the chosen output on the map of the table.
void SparseScene::look_up_chosen()
{
  links_ = {};
  if (!state_.chosen) { return; }
  ShownTensor const tensor = shown_tensor();
  InspectedTable& table = convolver_->engine().table();
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
  sparse::SparseEngine& engine = convolver_->engine();
  return {&engine.inputs(),
          &engine.outputs(),
          engine.input_extents(),
          engine.output_extents(),
          engine.kernel(),
          state_.shown->convolution.mode == Mode::transposed,
          version_};
}

/// Chooses the output to which a site of the finer grid belongs.
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
    } else {
      slice_.fit();
      space_.view().camera().reset();
      map_.fit();
    }
  }
}

void SparseScene::advance(double elapsed_seconds)
{
  handle_requests();
  note_other_query();
  WorkScene::advance(elapsed_seconds);
  state_.progress = progress();
  take_growth();
}

void SparseScene::note_other_query()
{
  std::optional<SparseQuery> const& before = work().asked();
  if (before == query()) { return; }
  bool const same_sites = before && before->source == state_.settings.source;
  if (same_sites && state_.chosen) { to_choose_ = state_.chosen->site; }
  state_.chosen.reset();
  links_ = {};
  to_count_.reset();
  counting_.reset();
  layers_.cancel();
}

std::string SparseScene::doing(SparseQuery const& query) const
{
  return tr("Convolving {}", translated(label_of_sites(query.source.name)));
}

std::string SparseScene::action(SparseQuery const& query) const
{
  return tr("convolve {}", translated(label_of_sites(query.source.name)));
}

void SparseScene::show(SparseQuery const& query, SparseResult result)
{
  counting_.reset();
  to_count_.reset();
  if (query.layers != 0) { to_count_ = LayersQuery{result.sites, query.convolution, query.layers}; }
  bool const other_source = !state_.shown || state_.shown->source != query.source;
  if (other_source && state_.shown) {
    state_.notice = tr("{}: {} sites.", translated(label_of_sites(query.source.name)), grouped(result.snapshot.sites));
  }
  sparse::SparseEngine& engine = convolver_->engine();
  state_.shown = query;
  state_.snapshot = result.snapshot;
  state_.kernel = engine.kernel();
  state_.input_extents = engine.input_extents();
  state_.output_extents = engine.output_extents();
  sites_ = result.sites;
  state_.points = sites_->points;
  state_.repeated = state_.points == 0 ? result.repeated : 0;
  state_.voxel_size = state_.points != 0 && !is_builtin_source(query.source.name) ? sites_->voxel_size : 0.0;
  state_.origin = sites_->origin;
  state_.system = sites_->system;
  state_.outliers = sites_->outliers;
  state_.table.settings.table = engine.table().table();
  state_.table_bytes = engine.table().memory_bytes();
  state_.growth.reset();
  if (state_.is_flat()) { state_.settings.slice_across = SliceAxis::z; }
  sparse::Extents const& extents = engine.extents();
  state_.settings.batch = std::clamp(state_.settings.batch, extents.low.batch, extents.low.batch + extents.batch - 1);
  if (version_ == 0) { settled_ = state_.settings; }
  ++version_;
  forget_clicks();
  choose(std::exchange(to_choose_, std::nullopt));
}

/// Before the first result there is nothing to return to but the built-in shape.
void SparseScene::go_back(std::optional<SparseQuery> const& query)
{
  SparseQuery const before = query.value_or(SparseQuery{{}, {}, state_.settings.layers});
  state_.settings.source = before.source;
  state_.settings.convolution = before.convolution;
  state_.settings.layers = before.layers;
  settled_ = state_.settings;
  state_.shown.reset();
}

/// Layers take much longer than the convolution, so they are counted only while visible.
void SparseScene::take_growth()
{
  if (to_count_ && (shows_layers_ || lists_layers_)) {
    counting_ = std::exchange(to_count_, std::nullopt);
    layers_.start(*counting_);
  }
  layers_.resume();
  if (auto outcome = layers_.take(); outcome && outcome->result && outcome->query == counting_) {
    state_.growth = *std::move(outcome->result);
  }
  state_.counts_layers = layers_.busy();
}

/// For statistics on the command line. An interrupt keeps the layers counted so far.
void SparseScene::wait_for_layers()
{
  if (!watched().is_watched()) { return; }
  lists_layers_ = true;
  finish_steps({});
  if (layers_.wait()) { take_growth(); }
}

bool SparseScene::done(bool watched)
{
  if (!watched) { layers_.wait(layers_moment_seconds); }
  return is_answered() && !layers_.busy();
}

ProgressSnapshot SparseScene::steps() const
{
  if (work().busy()) { return {tr("Convolving"), work().progress().share()}; }
  return {tr("Counting layers (--layers 0 leaves them out)"), layers_.progress().share()};
}

void SparseScene::cancel_work()
{
  WorkScene::cancel_work();
  layers_.cancel();
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
                .files = sites_kinds(),
                .use = [this](Paths const& files) { open(files); }});
}

/// Drops clicks on the previous tensor.
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
  SlotInfo const found = convolver_->engine().table().slot(*slot);
  if (found.state != SlotState::live) { return choose(std::nullopt); }
  Site site = convolver_->engine().input_extents().site_of(found.pair.key);
  if (state_.shown->convolution.mode == Mode::transposed) { site = state_.kernel.fine(site); }
  choose_at(site);
  state_.settings.slice_at = SliceView::share_of(shown_tensor(), state_.settings.slice_across, site);
  state_.settings.batch = site.batch;
}

FrameFacts SparseScene::analyse(Frame const& frame)
{
  FrameFacts facts;
  SparseSceneSettings const& settings = state_.settings;
  state_.table.settings.view = settings.map;
  state_.table.settings.view.color_by = shown_color(settings.map.color_by, family_of(state_.table));
  if (!has_results()) { return facts; }
  follow_views();
  sparse::SparseEngine& engine = convolver_->engine();
  ShownTensor const tensor = shown_tensor();
  slice_.cut(tensor, settings.slice_across, settings.slice_at, settings.batch);
  if (shows_space()) {
    space_.show(tensor, settings.batch);
    space_.measure(state_.voxel_size, state_.system);
    space_.view().place(layout_.sites, frame.elapsed_seconds);
  }
  state_.slice_index = slice_.index();
  state_.slice_depth = slice_.depth();
  state_.slice_coordinate = slice_.coordinate();
  if (layout_.map.slots.width > 0) {
    map_.place(layout_.map.slots, frame.look, state_.table, frame.elapsed_seconds);
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
    findings.push_back(tr("{}: {} of {} rows repeat a site. Each site is kept once.",
                          translated(label_of_sites(state_.shown->source.name)), grouped(state_.repeated),
                          grouped(sites_->sites.size())));
  }
  return findings;
}

bool SparseScene::quiet() const
{
  bool const clicked = slice_.clicked() || space_.clicked() || state_.table.selection.pinned;
  return !clicked && is_answered() && !layers_.busy() && !map_.in_flight() && !space_.view().camera().moving() &&
         state_.requests.empty();
}

void SparseScene::cancel()
{
  if (work().busy()) {
    cancel_work();
  } else {
    choose(std::nullopt);
  }
}

}  // namespace slotscape
