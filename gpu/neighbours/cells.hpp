#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/neighbours/cell_passes.hpp"

#include <algorithm>
#include <string>

namespace slotscape::neighbours {

/// Points have 32-bit numbers.
inline constexpr std::uint64_t max_points = std::uint64_t{1} << 31;

/// A run of consecutive placed points.
struct PlacedRange {
  std::uint32_t first;
  std::uint32_t end;
};

/// Points sorted by cell, as a kernel sees them: trivially copyable, in device memory that `Cells` owns.
struct CellsView {
  CellGrid grid;
  Placed const* placed = nullptr;
  std::uint32_t const* starts = nullptr;  ///< start of each cell's points, and the end of the last
  std::uint64_t const* keys = nullptr;    ///< of the cells with points, ascending; null: `starts` has every cell
  std::uint64_t listed = 0;               ///< number of cells in `starts`

  /// The points in `count` neighbouring cells of a row, starting with `first_key`.
  SLOTSCAPE_HOST_DEVICE PlacedRange points_in(std::uint64_t first_key, std::uint64_t count) const
  {
    if (keys == nullptr) { return {starts[first_key], starts[first_key + count]}; }
    std::uint64_t const first = lower_bound(first_key);
    std::uint64_t end = first;
    while (end < listed && keys[end] - first_key < count) { ++end; }
    return {starts[first], starts[end]};
  }
  SLOTSCAPE_HOST_DEVICE PlacedRange points_of(std::uint64_t cell) const { return {starts[cell], starts[cell + 1]}; }

private:
  SLOTSCAPE_HOST_DEVICE std::uint64_t lower_bound(std::uint64_t key) const
  {
    std::uint64_t first = 0;
    std::uint64_t count = listed;
    while (count != 0) {
      std::uint64_t const half = count / 2;
      if (keys[first + half] < key) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first;
  }
};

/// Which cells are listed.
enum class Listing : std::uint8_t {
  fitting,  ///< all cells if they are few compared with the points (counting sort; Green 2010), else as `occupied`
  occupied  ///< cells with points, by sorting keys
};

/// The bounding box of `count` points on the device. Throws Error, naming the first point, if a coordinate is not
/// finite. `what`: what the error message calls the points.
template <exec::Executor Exec>
Bounds bounds_of(Exec& exec, Point const* points, std::uint64_t count, std::string const& what)
{
  if (count == 0) { return {}; }
  typename Exec::template Buffer<passes::FoundBounds> on_device(exec, 1);
  passes::FoundBounds found;
  exec.upload(on_device.data(), std::span<passes::FoundBounds const>(&found, 1));
  exec.template for_each_tile<32>(exec::stretches_of(count), passes::FindBounds{points, count, on_device.data()});
  exec.download(std::span(&found, 1), static_cast<passes::FoundBounds const*>(on_device.data()));
  if (found.first_unusable != 0) {
    std::uint64_t const number = (std::uint64_t{1} << 32) - found.first_unusable;
    throw Error(what + " " + std::to_string(number) +
                " has a coordinate that is infinite or not a number: leave it out.");
  }
  auto const high = [&](int axis) { return passes::coordinate_of(static_cast<std::uint32_t>(found.highest[axis])); };
  auto const low = [&](int axis) { return passes::coordinate_of(~static_cast<std::uint32_t>(found.lowest[axis])); };
  return {{low(0), low(1), low(2)}, {high(0), high(1), high(2)}};
}

/// Points sorted by cell.
template <exec::Executor Exec>
class Cells {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Cells(Exec& exec) : exec_(exec) {}

  /// Sorts `count` points on the device, which are not needed afterwards. Throws Error for more than `max_points`
  /// points, for a coordinate that is not finite, and like `grid_around`.
  void build(Point const* points, std::uint64_t count, float radius, int divisor, Listing listing)
  {
    if (count > max_points) { throw Error("There are more than 2^31 points: choose fewer."); }
    build(points, count, grid_around(bounds_of(exec_, points, count, "Point"), radius, divisor), listing);
  }
  /// Sorts points into a given grid; points outside it go to its nearest cells.
  void build(Point const* points, std::uint64_t count, CellGrid const& grid, Listing listing)
  {
    view_ = {.grid = grid};
    count_ = count;
    exec::grow(exec_, placed_, count);
    view_.placed = placed_.data();
    if (listing == Listing::fitting && grid.cells() <= all_cells_of(count)) {
      count_into_cells(points);
    } else {
      sort_by_cell(points);
    }
    view_.starts = starts_.data();
  }

  std::uint64_t count() const { return count_; }
  CellsView const& view() const { return view_; }
  std::uint64_t memory_bytes() const
  {
    return placed_.size() * sizeof(Placed) + starts_.size() * sizeof(std::uint32_t) +
           keys_.size() * sizeof(std::uint64_t);
  }

private:
  /// More cells than this would take more memory than the points, and more time to count.
  static std::uint64_t all_cells_of(std::uint64_t points) { return std::max<std::uint64_t>(4 * points, 1u << 16); }

  void count_into_cells(Point const* points)
  {
    std::uint64_t const cells = view_.grid.cells();
    exec::grow(exec_, starts_, cells + 1);
    Buffer<std::uint32_t> next(exec_, cells + 1);
    exec_.fill(next.data(), cells + 1, 0u);
    exec_.for_each(count_, passes::CountInCells{view_.grid, points, next.data()});
    exec_.prefix_sums(next.data(), cells + 1);
    exec_.copy(starts_.data(), static_cast<std::uint32_t const*>(next.data()), cells + 1);
    exec_.for_each(count_, passes::PlaceInCells{view_.grid, points, next.data(), placed_.data()});
    exec_.wait();  // for `next`
    view_.listed = cells;
  }

  void sort_by_cell(Point const* points)
  {
    Buffer<std::uint64_t> keys(exec_, count_);
    exec::grow(exec_, starts_, count_ + 1);
    if (count_ != 0) { sort(points, keys.data()); }
    exec_.fill(starts_.data() + view_.listed, 1, static_cast<std::uint32_t>(count_));
    exec::grow(exec_, keys_, std::max<std::uint64_t>(view_.listed, 1));
    exec_.for_each(view_.listed, passes::KeysOfCells{keys.data(), starts_.data(), keys_.data()});
    exec_.wait();  // for `keys`
    view_.keys = keys_.data();
  }
  void sort(Point const* points, std::uint64_t* keys)
  {
    Buffer<std::uint32_t> numbers(exec_, count_);
    exec_.for_each(count_, passes::FindCells{view_.grid, points, keys, numbers.data()});
    exec_.sort_pairs(keys, numbers.data(), count_);
    exec_.for_each(count_, passes::PlaceByNumber{points, numbers.data(), placed_.data()});
    view_.listed = exec_.select(count_, passes::no_cell, starts_.data(), passes::FirstOfCell{keys});
    exec_.wait();  // for `numbers`
  }

  Exec& exec_;
  CellsView view_;
  std::uint64_t count_ = 0;
  Buffer<Placed> placed_;
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint64_t> keys_;
};

}  // namespace slotscape::neighbours
