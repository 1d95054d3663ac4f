#pragma once

#include "app/simulation/simulation.hpp"
#include "gpu/base/work.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace slotscape {

/// A simulation that works for its share of each frame.
///
/// It may work on a thread of its own for longer than a frame. Nothing else touches it meanwhile: whoever asks for it
/// waits for the end of that work, so frames ask only if it is not busy.
class SimulationWork {
public:
  /// Shows these tables from now on.
  void use(std::shared_ptr<Simulation> simulation);
  /// Waits for the end of its work.
  Simulation& simulation() const
  {
    work_.wait();
    return *simulation_;
  }
  /// The same without waiting, to keep it.
  std::shared_ptr<Simulation> const& shared() const { return simulation_; }

  /// Has it work with these settings, for no longer than a frame may wait.
  void begin(DriveSettings const& drive, double elapsed_seconds, std::optional<double> max_wait);
  /// Takes over what the work has done. Returns false if it goes on beyond this frame. Throws what the work threw.
  bool end(std::optional<double> max_wait);
  /// Whether it goes on beside the frames, which show the tables as they were.
  bool is_busy() const { return work_.busy(); }
  /// What the work was about when it began.
  std::optional<ProgressSnapshot> const& begun() const { return begun_; }

  /// It was out of sight.
  void come_back() { is_new_ = true; }
  /// Whether it was not shown yet; from now on, it was.
  bool show_first() { return std::exchange(is_new_, false); }

private:
  struct FrameStep {
    std::weak_ptr<Simulation> simulation;  ///< `Work` remembers steps, which must not keep tables alive
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
