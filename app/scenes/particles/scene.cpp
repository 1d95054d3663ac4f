#include "app/scenes/particles/scene.hpp"

#include "app/base/text.hpp"
#include "app/scene/setting_commands.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/known_numbers.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace slotscape {

ParticleScene::ParticleScene(ParticleSceneSettings const& settings, DeviceFacts const& device)
    : ParticleScene(settings, device, std::make_shared<ParticleRunner>(device.backend))
{
}

ParticleScene::ParticleScene(ParticleSceneSettings const& settings, DeviceFacts const& device,
                             std::shared_ptr<ParticleRunner> runner)
    : WorkScene([runner](ParticlesQuery const& query, Progress const& now) { return runner->compute(query, now); }),
      runner_(std::move(runner))
{
  state_.settings = settled_ = settings;
  state_.device = device;
  make_commands();
}

void ParticleScene::make_commands()
{
  constexpr std::string_view group = "PARTICLES";
  constexpr std::string_view menu = "Particles";
  commands_ = setting_commands(state_.settings, group);
  commands_.push_back({.keys = "N",
                       .group = group,
                       .what = "Pause and take one step",
                       .menu = menu,
                       .label = "One step",
                       .run = [this] { state_.step(); }});
  commands_.push_back({.keys = "R", .group = group, .what = "Restart", .menu = menu, .label = "Restart", .run = [this] {
                         state_.restart();
                       }});
  commands_.push_back(
      {.keys = "0", .group = "VIEW", .what = "Show all", .menu = "View", .label = "Show all", .run = [this] {
         box_.view().camera().reset();
         map_.fit();
       }});
  commands_.push_back({.keys = "M",
                       .group = "VIEW",
                       .what = "Show or hide the slot map",
                       .menu = "View",
                       .label = "Slot map",
                       .run = [this] { state_.settings.show_map = !state_.settings.show_map; },
                       .checked = [this] { return state_.settings.show_map; }});
}

ParticlesQuery ParticleScene::query() const
{
  ParticleSceneSettings const& settings = state_.settings;
  return {{settings.particles, radius_of(settings), settings.seed, state_.restarts},
          state_.steps,
          engine_settings(settings),
          state_.stirrer,
          settings.pours,
          settings.color_by};
}

/// Each frame requests a step once the previous one has been shown. Without a window, all steps are requested at once.
void ParticleScene::advance(double elapsed_seconds)
{
  bool const started_anew = state_.shown && state_.shown->start != query().start;
  if (started_anew && !work().busy()) { state_.steps = 1; }
  if (!is_watched() && has_steps_left()) {
    state_.steps = state_.settings.steps;
  } else if (state_.settings.runs && is_watched() && has_table() && !started_anew) {
    ++state_.steps;
  }
  WorkScene::advance(elapsed_seconds);
}

bool ParticleScene::done(bool watched)
{
  return is_answered() && (watched || !has_steps_left());
}

bool ParticleScene::quiet() const
{
  return !state_.settings.runs && is_answered() && !map_.in_flight() && !box_.view().camera().moving();
}

std::string ParticleScene::doing(ParticlesQuery const& query) const
{
  return tr("Moving {} particles", grouped(query.start.particles));
}

std::string ParticleScene::action(ParticlesQuery const& query) const
{
  return tr("move {} particles", grouped(query.start.particles));
}

void ParticleScene::show(ParticlesQuery const& query, ParticlesResult result)
{
  state_.shown = query;
  state_.result = std::move(result);
  state_.table.settings.table = runner_->engine().table()->table();
}

void ParticleScene::go_back(std::optional<ParticlesQuery> const& query)
{
  ParticleSceneSettings& settings = state_.settings;
  ParticlesQuery const before = query.value_or(ParticlesQuery{});
  settings.particles = query ? before.start.particles : ParticleSceneSettings{}.particles;
  bool const usual = !query || before.start.radius == particles::usual_radius(before.start.particles);
  settings.radius = usual ? 0.0 : static_cast<double>(before.start.radius);
  settings.hash = before.settings.hash;
  settings.slots = before.settings.slots;
  settings.runs = false;
  state_.restarts = before.start.restarts;
  state_.steps = before.steps;
  settled_ = settings;
}

bool ParticleScene::shows_settings() const
{
  ParticlesQuery const wanted = query();
  return state_.shown && state_.shown->start == wanted.start && state_.shown->settings == wanted.settings;
}

/// Records changes once a step has been made with them, since it may fail. Whether particles run is excluded: that is
/// easily changed back by hand.
void ParticleScene::note_changes()
{
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown();
  if (in_hand || !shows_settings()) { return; }
  ParticleSceneSettings before = std::exchange(settled_, state_.settings);
  before.runs = settled_.runs;
  if (before == settled_) { return; }
  std::string_view const label = changed_setting(before, settled_);
  undo_.record(before, label.empty() ? translatable("changing a setting") : tr("the setting '{}'", translated(label)));
}

ParticleSceneSettings ParticleScene::exchange(ParticleSceneSettings const& settings)
{
  bool const runs = state_.settings.runs;
  ParticleSceneSettings present = std::exchange(state_.settings, settings);
  state_.settings.runs = runs;
  settled_ = state_.settings;
  return present;
}

void ParticleScene::undo()
{
  undo_.undo([this](ParticleSceneSettings const& settings) { return exchange(settings); });
}

void ParticleScene::redo()
{
  undo_.redo([this](ParticleSceneSettings const& settings) { return exchange(settings); });
}

FrameFacts ParticleScene::analyse(Frame const& frame)
{
  FrameFacts facts;
  if (!state_.shown) { return facts; }
  box_.show(state_);
  box_.view().place(box_place_, frame.elapsed_seconds);
  ViewSettings& view = state_.table.settings.view;
  view = state_.settings.map;
  if (!has_table()) { return facts; }
  view.color_by = shown_color(view.color_by, family_of(state_.table));
  InspectedTable& table = *runner_->engine().table();
  if (map_place_.slots.width == 0) {
    state_.table.statistics = table.analyse({}, {}).statistics;
    return facts;
  }
  map_.place(map_place_.slots, frame.look, state_.table, frame.elapsed_seconds);
  return map_.analyse(table, frame.presenters[0], state_.table, frame.elapsed_seconds);
}

std::vector<std::string> ParticleScene::told() const
{
  if (!state_.shown) { return {}; }
  StageSeconds const& mean = state_.result.mean_seconds;
  std::string stages;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    stages += fmt::format("{}{} {:.2f}", i == 0 ? "" : ", ", translated(particles::stage_names[i]), 1e3 * mean[i]);
  }
  return {tr("{} particles, {} steps of {:.2f} ms on average: {}.", grouped(state_.result.step.particles),
             grouped(state_.shown->steps), 1e3 * std::reduce(mean.begin(), mean.end()), stages)};
}

SceneStatistics ParticleScene::statistics(FrameTimes const& frames)
{
  if (!has_table()) { throw Error(tr("There are no statistics until the first step.")); }
  particles::StepSnapshot const& step = state_.result.step;
  particles::ParticleEngine& engine = runner_->engine();
  Statistics const seen = engine.table()->statistics();
  Json json{{"backend", to_text(engine.backend())},
            {"device", engine.device_name()},
            {"particles", step.particles},
            {"radius", state_.shown->start.radius},
            {"steps", state_.shown->steps},
            {"neighbours", step.near},
            {"neighbours_per_particle", static_cast<double>(step.near) / static_cast<double>(step.particles)},
            {"momentum", step.momentum},
            {"kinetic_energy", step.kinetic},
            {"potential_energy", step.potential},
            {"density", step.density},
            {"max_density", step.densest},
            {"max_speed", step.fastest}};
  json["table"] = {{"hash", hash_json(state_.shown->settings.hash)},
                   {"cells", step.cells},
                   {"slots", seen.slots},
                   {"load_factor", seen.load_factor()},
                   {"probe_length", summary_json(seen.probe_length)},
                   {"hit_accesses", summary_json(seen.hit_accesses)}};
  StageSeconds const& mean = state_.result.mean_seconds;
  json["mean_ms"] = {{"sort", 1e3 * mean[0]},
                     {"table", 1e3 * mean[1]},
                     {"neighbours", 1e3 * mean[2]},
                     {"motion", 1e3 * mean[3]},
                     {"step", 1e3 * std::reduce(mean.begin(), mean.end())}};
  json["worst_ms"] = 1e3 * state_.result.worst_seconds;
  json["frames"] = times_json(frames.frame_seconds);
  return {std::move(json), {}};
}

}  // namespace slotscape
