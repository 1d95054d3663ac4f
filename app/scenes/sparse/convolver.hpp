#pragma once

#include "app/scenes/sparse/site_source.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// What is to be shown.
struct SparseQuery {
  SiteSource source;
  sparse::SparseSettings convolution;
  int layers = 0;
  friend bool operator==(SparseQuery const&, SparseQuery const&) = default;
};

struct SparseResult {
  std::shared_ptr<Sites const> sites;
  std::uint64_t repeated = 0;  ///< sites that were left out
  sparse::SparseSnapshot snapshot;
};

/// Opens sites and convolves them; the engine then has the rest of the result.
class Convolver {
public:
  explicit Convolver(Backend backend) : engine_(sparse::make_sparse_engine(backend)) {}

  /// Throws Error, and Cancelled.
  SparseResult compute(SparseQuery const& query, Progress const& progress);
  sparse::SparseEngine& engine() { return *engine_; }

private:
  std::unique_ptr<sparse::SparseEngine> engine_;
  std::optional<SiteSource> loaded_;  ///< what `engine_` has
  std::shared_ptr<Sites const> sites_;
  std::uint64_t repeated_ = 0;
};

/// The layers whose growth is to be counted.
struct LayersQuery {
  std::shared_ptr<Sites const> sites;
  sparse::SparseSettings convolution;
  int layers = 0;
  friend bool operator==(LayersQuery const&, LayersQuery const&) = default;
};

/// How many sites each layer of a network reads and writes, if its convolutions are submanifold ones, with stride 1,
/// and if they are sparse ones with the kernel, dilation and stride that were chosen. Where a transposed convolution
/// was chosen, these are what it goes back from.
struct LayerGrowth {
  std::vector<sparse::SparseSnapshot> submanifold;
  std::vector<sparse::SparseSnapshot> full;
};

/// As many layers as fit, or as were counted when it was cancelled. Throws Cancelled if that was before the first.
LayerGrowth count_layers(sparse::SparseEngine& engine, LayersQuery const& query, Progress const& progress);

}  // namespace slotscape
