#pragma once

#include "app/scenes/sparse/site_source.hpp"

#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// How many sites each layer of a network reads and writes, if its convolutions are submanifold ones, and if not.
struct LayerGrowth {
  std::vector<sparse::SparseSnapshot> submanifold;
  std::vector<sparse::SparseSnapshot> full;
};

/// Opens sites and runs convolutions on a thread of its own, one after the other; then, with a second engine, counts
/// how layers grow. While `busy`, the engine is the worker's alone.
class SparseWorker {
public:
  explicit SparseWorker(Backend backend);
  ~SparseWorker();

  /// What is to be shown.
  struct Wish {
    SiteSource source;
    sparse::SparseSettings convolution;
    int layers = 0;
    friend bool operator==(Wish const&, Wish const&) = default;
  };
  /// Starts the work; what was going on for another wish is given up.
  void start(Wish const& wish);
  /// Gives up; what was shown before stays in the engine, unless a convolution was interrupted.
  void cancel();
  /// Waits for the work, up to so many seconds; none: until its end.
  void wait(std::optional<double> seconds);
  /// Waits for the growth, a moment at most.
  void wait_for_growth();

  bool busy() const { return work_.valid(); }
  bool counts_layers() const { return growth_.valid(); }
  /// Of the work, or else of the growth.
  double share() const { return (busy() ? progress_ : growth_progress_).share(); }

  struct Result {
    Wish wish;
    std::shared_ptr<Sites const> sites;  ///< null if `error` is set
    std::uint64_t repeated = 0;          ///< sites that were left out
    std::optional<sparse::SparseSnapshot> snapshot;
    std::exception_ptr error;  ///< instead; work that was cancelled has no result
  };
  /// Work that has ended since the last call.
  std::optional<Result> take_result();
  /// Growth that has been counted since the last call.
  std::optional<LayerGrowth> take_growth();

  /// Only while not `busy`.
  sparse::SparseEngine& engine() { return *engine_; }

private:
  Result run(Wish const& wish, Progress const& progress);
  void count_layers(Wish const& wish);

  std::unique_ptr<sparse::SparseEngine> engine_;
  std::unique_ptr<sparse::SparseEngine> second_engine_;  ///< for the layers
  std::optional<SiteSource> loaded_;                     ///< what `engine_` has
  std::shared_ptr<Sites const> sites_;
  std::uint64_t repeated_ = 0;
  std::optional<Wish> next_;
  Progress progress_ = Progress::tracked();
  Progress growth_progress_ = Progress::tracked();
  std::future<Result> work_;
  std::future<std::optional<LayerGrowth>> growth_;
};

}  // namespace slotscape
