#pragma once

#include "app/scenes/sparse/site_source.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// The input of a convolution.
struct SparseQuery {
  SiteSource source;
  sparse::SparseSettings convolution;
  int layers = 0;
  friend bool operator==(SparseQuery const&, SparseQuery const&) = default;
};

struct SparseResult {
  std::shared_ptr<Sites const> sites;
  std::uint64_t repeated = 0;  ///< duplicate sites, left out
  sparse::SparseSnapshot snapshot;
};

/// Loads sites and convolves them. The engine holds the rest of the result.
class Convolver {
public:
  explicit Convolver(Backend backend) : engine_(sparse::make_sparse_engine(backend)) {}

  /// Throws Error or Cancelled.
  SparseResult compute(SparseQuery const& query, Progress const& progress);
  sparse::SparseEngine& engine() { return *engine_; }

private:
  std::unique_ptr<sparse::SparseEngine> engine_;
  std::optional<SiteSource> loaded_;  ///< the sites that `engine_` currently holds
  std::shared_ptr<Sites const> sites_;
  std::uint64_t repeated_ = 0;
};

/// The layers whose growth to count.
struct LayersQuery {
  std::shared_ptr<Sites const> sites;
  sparse::SparseSettings convolution;
  int layers = 0;
  friend bool operator==(LayersQuery const&, LayersQuery const&) = default;
};

/// The number of sites that each layer of a network reads and writes: with submanifold convolutions of stride 1, and
/// with sparse ones with the chosen kernel, dilation and stride. For a transposed convolution, the latter are those
/// that it reverses.
struct LayerGrowth {
  std::vector<sparse::SparseSnapshot> submanifold;
  std::vector<sparse::SparseSnapshot> full;
};

/// Counts as many layers as fit, or as were counted before cancellation. Throws Cancelled if that was before the first.
LayerGrowth count_layers(sparse::SparseEngine& engine, LayersQuery const& query, Progress const& progress);

}  // namespace slotscape
