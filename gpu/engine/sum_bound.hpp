#pragma once

#include "gpu/engine/batch.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/executor.hpp"

#include <bit>

namespace slotscape {

namespace passes {

/// Counts the upper bits that are 0 in all values that a batch inserts.
template <PairFormat Format>
struct CountUnusedBits {
  static constexpr std::uint64_t per_item = 4096;

  Batch<Format> batch;
  std::uint64_t* unused;

  static std::uint64_t count(std::uint64_t size) { return (size + per_item - 1) / per_item; }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t const end = (item + 1) * per_item < batch.count ? (item + 1) * per_item : batch.count;
    bool const all = batch.kinds == OperationMask::inserts;
    typename Format::Value any = 0;
    for (std::uint64_t i = item * per_item + tile.rank(); i < end; i += Tile::size) {
      any |= all || batch.operation(i) == Operation::insert ? batch.values[i] : 0;
    }
    std::uint32_t used = 0;
    for (; any != 0; any >>= 1) { ++used; }
    used = tile.max(used);
    if (tile.rank() == 0) { exec::atomic_min(*unused, std::uint64_t{64} - used); }
  }
};

}  // namespace passes

/// An upper bound of the sum of any key's values: the sum of all values inserted since the table was last empty.
template <exec::Executor Exec, PairFormat Format>
class SumBound {
public:
  explicit SumBound(Exec& exec) : exec_(&exec), unused_(exec, 1) {}

  void clear() { bound_ = 0; }
  /// Call after unknown values have been inserted.
  void lose() { bound_ = too_large; }
  std::uint64_t bound() const { return bound_; }
  void set_bound(std::uint64_t bound) { bound_ = bound; }

  /// Records a batch. Returns whether all sums fit, including the values inserted before.
  bool takes(Batch<Format> const& batch)
  {
    using Count = passes::CountUnusedBits<Format>;
    exec_->fill(unused_.data(), 1, std::uint64_t{64});
    exec_->template for_each_tile<32>(Count::count(batch.count), Count{batch, unused_.data()});
    std::uint64_t unused = 64;
    exec_->download(std::span(&unused, 1), static_cast<std::uint64_t const*>(unused_.data()));
    auto const used = static_cast<int>(64 - unused);
    bool const is_small = used + std::bit_width(batch.count) < 63;
    bound_ = is_small ? std::min(too_large, bound_ + (((std::uint64_t{1} << used) - 1) * batch.count)) : too_large;
    return bound_ < Format::empty_value && bound_ < too_large;
  }

private:
  static constexpr std::uint64_t too_large = std::uint64_t{1} << 63;

  Exec* exec_;
  typename Exec::template Buffer<std::uint64_t> unused_;
  std::uint64_t bound_ = 0;
};

}  // namespace slotscape
