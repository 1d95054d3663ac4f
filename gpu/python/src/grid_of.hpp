#pragma once

#include <slotscape/basic_neighbour_grid.hpp>

#include "neighbours.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace slotscape::python {

/// Python's arrays have signed numbers, which is enough for the 31-bit numbers of points.
struct WidenOffsets {
  std::uint32_t const* from;
  std::int64_t* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { to[i] = static_cast<std::int64_t>(from[i]); }
};
struct TakeNeighbour {
  std::uint32_t const* from_numbers;
  float const* squared;
  std::int32_t* numbers;
  float* distances;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    numbers[i] = static_cast<std::int32_t>(from_numbers[i]);
    distances[i] = sqrtf(squared[i]);
  }
};

/// AnyGrid over a grid of the library.
template <class Grid>
class GridOf final : public AnyGrid {
public:
  template <class... Stream>
  GridOf(NeighbourGridOptions const& options, Stream... stream) : grid_(options, stream...)
  {
  }

  void build(void const* points, std::uint64_t count) override
  {
    found_.reset();
    grid_.build(static_cast<GridPoint const*>(points), count);
  }
  std::uint64_t find(void const* queries, std::uint64_t count, std::uint32_t k) override
  {
    found_.reset();
    found_.emplace(queries == nullptr ? grid_.find_all({.k = k})
                                      : grid_.find(static_cast<GridPoint const*>(queries), count, {.k = k}));
    return found_->size();
  }
  void take(std::int64_t* offsets, std::int32_t* numbers, float* distances) override
  {
    if (!found_) { throw std::logic_error("nothing was found"); }
    grid_.for_each(found_->queries() + 1, WidenOffsets{found_->offsets(), offsets});
    grid_.for_each(found_->size(), TakeNeighbour{found_->numbers(), found_->squared_distances(), numbers, distances});
    grid_.wait();
    found_.reset();
  }

private:
  /// Gives access to the executor, which the passes above need.
  struct WithPasses : Grid {
    using Grid::Grid;
    template <class F>
    void for_each(std::uint64_t count, F const& f)
    {
      this->exec().for_each(count, f);
    }
    void wait() { this->exec().wait(); }
  };
  WithPasses grid_;
  std::optional<typename Grid::Lists> found_;
};

}  // namespace slotscape::python
