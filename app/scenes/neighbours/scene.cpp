#include "app/scenes/neighbours/scene.hpp"

#include "app/base/text.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

namespace slotscape {

NeighbourScene::NeighbourScene(NeighbourSetup const& set_up, DeviceFacts const& device)
    : NeighbourScene(set_up, device, std::make_shared<NeighbourFinder>(device.backend))
{
}

NeighbourScene::NeighbourScene(NeighbourSetup const& set_up, DeviceFacts const& device,
                               std::shared_ptr<NeighbourFinder> finder)
    : WorkScene([finder](NeighboursQuery const& query, Progress const& now) { return finder->compute(query, now); }),
      settled_(set_up.settings),
      finder_(std::move(finder))
{
  state_.settings = set_up.settings;
  state_.device = device;
  for (auto make : {&NeighbourScene::search_commands, &NeighbourScene::file_commands, &NeighbourScene::view_commands}) {
    std::ranges::move((this->*make)(), std::back_inserter(commands_));
  }
}

NeighboursQuery NeighbourScene::query() const
{
  return {state_.settings.source, state_.settings.search, moved_seconds_, state_.settings.point};
}

/// Lets running work finish before newer input replaces it, so that the picture keeps up with the mouse and the points.
bool NeighbourScene::may_finish() const
{
  auto const& asked = work().asked();
  return asked && asked->source == state_.settings.source && asked->search == state_.settings.search;
}

void NeighbourScene::advance(double elapsed_seconds)
{
  if (std::exchange(state_.asks_for_points, false)) { ask_for_points(); }
  if (state_.settings.moves && has_results()) { moved_seconds_ += elapsed_seconds; }
  WorkScene::advance(elapsed_seconds);
}

std::string NeighbourScene::doing(NeighboursQuery const& query) const
{
  return tr("Finding neighbours in {}", translated(label_of_points(query.source.name)));
}

std::string NeighbourScene::action(NeighboursQuery const& query) const
{
  return tr("find neighbours in {}", translated(label_of_points(query.source.name)));
}

void NeighbourScene::show(NeighboursQuery const& query, NeighboursResult result)
{
  bool const is_first = !state_.shown;
  if (!is_first && state_.shown->source != query.source) {
    state_.notice =
        tr("{}: {} points.", translated(label_of_points(query.source.name)), grouped(result.points->size()));
  }
  state_.shown = query;
  has_cells_ = true;
  state_.result = std::move(result);
  state_.grid = finder_->engine().grid();
  if (is_first) { settled_ = state_.settings; }
  links_ = {};
  if (!state_.has_table()) { return; }
  state_.table.settings.table = finder_->engine().table()->table();
  state_.table_bytes = finder_->engine().table()->memory_bytes();
  link_cells();
}

/// Shows the lookups of the cells that the search reads on the map of the table.
void NeighbourScene::link_cells()
{
  InspectedTable& table = *finder_->engine().table();
  for (neighbours::Visit::Cell const& cell : state_.result.visit.cells) {
    links_.lookups.push_back({table.probe_path(cell.key), "", cell.points != 0 ? hit_color : miss_color});
  }
}

/// Before the first search there is nothing to return to but the built-in shape.
void NeighbourScene::go_back(std::optional<NeighboursQuery> const& query)
{
  has_cells_ = false;
  NeighboursQuery const before = query.value_or(NeighboursQuery{});
  state_.settings.source = before.source;
  state_.settings.search = before.search;
  settled_ = state_.settings;
}

bool NeighbourScene::open(Paths const& files)
{
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(files.front(), unreadable)) {
    throw Error(tr("There is no file {}.", files.front().string()));
  }
  state_.settings.source.name = std::filesystem::absolute(files.front()).lexically_normal().string();
  state_.settings.search.radius = 0.0;  // the old radius does not suit new points
  return false;
}

void NeighbourScene::ask_for_points()
{
  ask_for_file({.title = "Open a model or a point cloud", .files = point_kinds(), .use = [this](Paths const& files) {
                  open(files);
                }});
}

/// Selects the point under the mouse, until a click pins it.
void NeighbourScene::follow_mouse()
{
  auto const pointed = points_.pointed();
  if (points_.take_click()) { state_.is_pinned = pointed.has_value() && !state_.is_pinned; }
  if (pointed && !state_.is_pinned) { state_.settings.point = *pointed; }
}

FrameFacts NeighbourScene::analyse(Frame const& frame)
{
  FrameFacts facts;
  if (!state_.shown) { return facts; }
  points_.show(state_);
  points_.view().place(layout_.points, frame.elapsed_seconds);
  follow_mouse();
  ViewSettings& view = state_.table.settings.view;
  view = state_.settings.map;
  if (!has_results() || !state_.has_table()) { return facts; }
  view.color_by = shown_color(view.color_by, family_of(state_.table));
  InspectedTable& table = *finder_->engine().table();
  if (layout_.map.slots.width == 0) {
    state_.table.statistics = table.analyse({}, {}).statistics;
    return facts;
  }
  map_.place(layout_.map.slots, frame.look, state_.table, frame.elapsed_seconds);
  return map_.analyse(table, frame.presenters[0], state_.table, frame.elapsed_seconds);
}

Findings NeighbourScene::findings() const
{
  return state_.shown ? state_.result.loaded->findings : Findings();
}

bool NeighbourScene::quiet() const
{
  return !state_.settings.moves && is_answered() && !map_.in_flight() && !points_.view().camera().moving() &&
         !state_.asks_for_points;
}

void NeighbourScene::cancel()
{
  if (work().busy()) {
    cancel_work();
  } else {
    state_.is_pinned = false;
  }
}

/// --- undo. The selected point, and whether points move, are excluded: both are easily changed back by hand.

void NeighbourScene::note_changes()
{
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown();
  if (in_hand || !is_answered()) { return; }
  NeighbourSceneSettings before = settled_;
  settled_ = state_.settings;
  before.point = settled_.point;
  before.moves = settled_.moves;
  if (before == settled_) { return; }
  bool const opened = before.source.name != settled_.source.name;
  undo_.record(before, opened ? translatable("choosing points") : translatable("changing a setting"));
}

NeighbourSceneSettings NeighbourScene::exchange(NeighbourSceneSettings const& settings)
{
  NeighbourSceneSettings present = std::exchange(state_.settings, settings);
  settled_ = settings;
  return present;
}

void NeighbourScene::undo()
{
  undo_.undo([this](NeighbourSceneSettings const& settings) { return exchange(settings); });
}

void NeighbourScene::redo()
{
  undo_.redo([this](NeighbourSceneSettings const& settings) { return exchange(settings); });
}

}  // namespace slotscape
