#include "app/scenes/sparse/scene.hpp"

#include "gpu/base/translation.hpp"

#include <string_view>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view slice_move = translatable("moving the slice");

std::string_view what_differs(SparseSceneSettings const& from, SparseSceneSettings to)
{
  if (from.source.name != to.source.name) { return translatable("choosing sites"); }
  to.slice_at = from.slice_at;
  to.slice_across = from.slice_across;
  to.batch = from.batch;
  return from == to ? slice_move : std::string_view(translatable("changing a setting"));
}

}  // namespace

/// Consecutive moves of the slice are undone together.
void SparseScene::note_changes()
{
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown();
  if (in_hand || !is_answered()) { return; }
  SparseSceneSettings const& now = state_.settings;
  if (now == settled_) { return; }
  std::string_view const what = what_differs(settled_, now);
  bool const goes_on = what == slice_move && undo_.undoes() == slice_move && undo_.redoes().empty();
  if (!goes_on) { undo_.record(settled_, std::string(what)); }
  settled_ = now;
}

SparseSceneSettings SparseScene::exchange(SparseSceneSettings const& settings)
{
  SparseSceneSettings present = std::exchange(state_.settings, settings);
  settled_ = settings;
  return present;
}

void SparseScene::undo()
{
  undo_.undo([this](SparseSceneSettings const& settings) { return exchange(settings); });
}

void SparseScene::redo()
{
  undo_.redo([this](SparseSceneSettings const& settings) { return exchange(settings); });
}

}  // namespace slotscape
