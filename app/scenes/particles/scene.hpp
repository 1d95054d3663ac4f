#pragma once

#include "app/scene/undo.hpp"
#include "app/scene/work_scene.hpp"
#include "app/scenes/particles/box_view.hpp"
#include "app/scenes/particles/state.hpp"
#include "app/table_map/beside_map.hpp"
#include "app/table_map/map_view.hpp"
#include "app/widgets/sides.hpp"

#include <memory>
#include <vector>

namespace slotscape {

/// Particles in a box. Each frame makes a step; the table of its cells is on the map. Steps are computed in the
/// background.
class ParticleScene final : public WorkScene<ParticlesQuery, ParticlesResult> {
public:
  ParticleScene(ParticleSceneSettings const& settings, DeviceFacts const& device);

  ParticleState& state() { return state_; }
  Rectangle const& box_place() const { return box_place_; }

  SceneSetup set_up() const override { return state_.settings; }
  void advance(double elapsed_seconds) override;
  void lay_out(Frame const& frame) override;
  FrameFacts analyse(Frame const& frame) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;

  std::string undoes() const override { return undo_.undoes(); }
  std::string redoes() const override { return undo_.redoes(); }
  void undo() override;
  void redo() override;

  std::span<Command const> commands() const override { return commands_; }
  bool quiet() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;
  std::vector<std::string> told() const override;

private:
  ParticleScene(ParticleSceneSettings const& settings, DeviceFacts const& device,
                std::shared_ptr<ParticleRunner> runner);

  ParticlesQuery query() const override;
  void show(ParticlesQuery const& query, ParticlesResult result) override;
  void go_back(std::optional<ParticlesQuery> const& query) override;
  std::string doing(ParticlesQuery const& query) const override;
  std::string action(ParticlesQuery const& query) const override;
  bool may_finish() const override { return true; }
  bool done(bool watched) override;
  void make_commands();
  void note_changes();
  ParticleSceneSettings exchange(ParticleSceneSettings const& settings);
  /// Whether the shown step was made with the current settings.
  bool shows_settings() const;
  bool has_table() const { return state_.shown && !work().busy(); }
  bool has_steps_left() const { return state_.steps < state_.settings.steps; }

  ParticleState state_;
  BoxView box_;
  MapView map_{"##particle_cells_map"};
  SideLayout sides_;
  Rectangle box_place_;
  BesideMap map_place_;
  Background background_ = Background::dark;
  std::vector<Command> commands_;
  ParticleSceneSettings settled_;  ///< the settings when a change was last recorded
  UndoList<ParticleSceneSettings> undo_;
  std::shared_ptr<ParticleRunner> runner_;  ///< use its engine only while `work` is not busy
};

}  // namespace slotscape
