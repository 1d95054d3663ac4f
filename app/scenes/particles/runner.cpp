#include "app/scenes/particles/runner.hpp"

#include <algorithm>
#include <numeric>

namespace slotscape {

ParticlesResult ParticleRunner::compute(ParticlesQuery const& query, Progress const& progress)
{
  if (started_ != query.start) { start(query.start); }
  bool const steps = made_ < query.steps;
  for (std::uint64_t const first = made_; made_ < query.steps;) {
    progress.require(static_cast<double>(made_ - first) / static_cast<double>(query.steps - first));
    step(query);
  }
  if (!steps && (made_with_.hash != query.settings.hash || made_with_.slots != query.settings.slots)) {
    result_.step.stage_seconds[1] = engine_->rehash(query.settings);
    result_.step.slots = engine_->table()->table().slots;
  }
  made_with_ = query.settings;
  auto bodies = engine_->shown(query.quantity);
  result_.largest = 0.0f;
  for (particles::Body const& body : bodies) { result_.largest = std::max(result_.largest, body.number); }
  result_.bodies = std::make_shared<std::vector<particles::Body> const>(std::move(bodies));
  return result_;
}

void ParticleRunner::start(ParticleStart const& start)
{
  particles::Filling const filling = particles::dam(start.particles, start.radius, start.seed);
  std::uint64_t const capacity = std::min(2 * start.particles, particles::max_particles);
  engine_->place(filling.bodies, filling.velocities, start.radius, capacity);
  jet_ = {};
  made_ = 0;
  seconds_ = {};
  result_ = {};
  started_ = start;
}

void ParticleRunner::step(ParticlesQuery const& query)
{
  if (query.pours) {
    particles::Filling const more = jet_.pour(query.start.radius);
    engine_->add(more.bodies, more.velocities);
  }
  result_.step = engine_->step(query.settings, query.stirrer);
  ++made_;
  StageSeconds const& now = result_.step.stage_seconds;
  for (std::size_t i = 0; i < now.size(); ++i) {
    seconds_[i] += now[i];
    result_.mean_seconds[i] = seconds_[i] / static_cast<double>(made_);
  }
  result_.worst_seconds = std::max(result_.worst_seconds, std::reduce(now.begin(), now.end()));
}

}  // namespace slotscape
