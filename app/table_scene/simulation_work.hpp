#pragma once

#include "app/simulation/simulation.hpp"
#include "gpu/base/work.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace slotscape {

/// A simulation that works for its share of each frame.
///
/// It may work on its own thread for longer than a frame. Nothing else touches the simulation meanwhile: accessing it
/// waits for the end of that work, so frames access it only if it is not busy.
class SimulationWork {
public:
  /// Switches to this simulation.
  void use(std::shared_ptr<Simulation> simulation);
  /// The simulation; waits until its work has ended.
  Simulation& simulation() const
  {
    work_.wait();
    return *simulation_;
  }
  /// The simulation as a shared pointer to keep; does not wait.
  std::shared_ptr<Simulation> const& shared() const { return simulation_; }

  /// Starts work with these settings, for no longer than a frame may wait.
  void begin(DriveSettings const& drive, double elapsed_seconds, std::optional<double> max_wait);
  /// Takes over the results of the work. Returns false if it continues beyond this frame. Rethrows exceptions of the
  /// work.
  bool end(std::optional<double> max_wait);
  /// Whether work continues beside the frames, which then show the tables as they were.
  bool is_busy() const { return work_.busy(); }
  /// The progress when the work began.
  std::optional<ProgressSnapshot> const& begun() const { return begun_; }

  /// Called when the simulation becomes visible again.
  void come_back() { is_new_ = true; }
  /// Whether the simulation has not been shown yet; marks it as shown.
  bool show_first() { return std::exchange(is_new_, false); }

private:
  struct FrameStep {
    std::weak_ptr<Simulation> simulation;  ///< weak, because `Work` remembers steps, which must not keep tables alive
    DriveSettings drive;
    double elapsed_seconds;
  };
  struct Stepped {};
  static Stepped take_step(FrameStep const& step, Progress const& progress);

  std::shared_ptr<Simulation> simulation_;
  bool is_new_ = true;
  Work<FrameStep, Stepped> work_{take_step};
  bool outlasted_ = false;  ///< the latest work took longer than a frame waits
  std::optional<ProgressSnapshot> begun_;
};

}  // namespace slotscape
