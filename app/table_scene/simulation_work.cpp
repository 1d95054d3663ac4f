#include "app/table_scene/simulation_work.hpp"

#include <exception>

namespace slotscape {
namespace {

constexpr double shortest_max_wait_seconds = 1.0 / 60.0;  ///< while work continues beside the frames

}  // namespace

void SimulationWork::use(std::shared_ptr<Simulation> simulation)
{
  simulation_ = std::move(simulation);
  is_new_ = true;
}

void SimulationWork::begin(DriveSettings const& drive, double elapsed_seconds, std::optional<double> max_wait)
{
  begun_ = simulation().progress_of_all();
  FrameStep step{simulation_, drive, elapsed_seconds};
  bool const may_outlast = max_wait && (drive.running || !simulation().idle());
  if (may_outlast) {
    work_.start(std::move(step));
  } else {
    take_step(step, {});
  }
}

SimulationWork::Stepped SimulationWork::take_step(FrameStep const& step, Progress const&)
{
  if (auto const simulation = step.simulation.lock()) {
    simulation->step(step.drive, step.elapsed_seconds, step.drive.frame_budget_ms * 1e-3);
  }
  return {};
}

bool SimulationWork::end(std::optional<double> max_wait)
{
  double const wait = outlasted_ ? shortest_max_wait_seconds : max_wait.value_or(0.0);
  outlasted_ = is_busy() && !work_.wait(wait);
  if (outlasted_) { return false; }
  if (auto const outcome = work_.take(); outcome && outcome->error) { std::rethrow_exception(outcome->error); }
  return true;
}

}  // namespace slotscape
