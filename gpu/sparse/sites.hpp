#pragma once

#include "gpu/base/types.hpp"

#include <cstdint>

/// Sparse tensors: active sites in a table, and the kernel maps of convolutions over them.
namespace slotscape::sparse {

/// Coordinates range from -max_coordinate to max_coordinate.
inline constexpr std::int32_t max_coordinate = 1'000'000'000;

/// Rounds down, even for negative numbers.
SLOTSCAPE_HOST_DEVICE constexpr std::int32_t floor_div(std::int32_t number, std::int32_t by)
{
  return number / by - (number % by < 0 ? 1 : 0);
}

/// A place where a tensor has a value. Coordinates may be negative; two-dimensional tensors have z = 0.
struct Site {
  std::int32_t batch = 0;
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  friend bool operator==(Site const&, Site const&) = default;
};

/// The box of a tensor: its size along each axis, starting at the lowest coordinates.
struct Extents {
  std::int32_t batch = 1;
  std::int32_t x = 1;
  std::int32_t y = 1;
  std::int32_t z = 1;
  Site low = {};
  bool flat = false;  ///< two dimensions: kernels have no depth
  friend bool operator==(Extents const&, Extents const&) = default;

  SLOTSCAPE_HOST_DEVICE constexpr bool contain(Site const& site) const
  {
    return steps(low.batch, site.batch) < static_cast<Key>(batch) && steps(low.x, site.x) < static_cast<Key>(x) &&
           steps(low.y, site.y) < static_cast<Key>(y) && steps(low.z, site.z) < static_cast<Key>(z);
  }
  /// A site's flattened index, which is its key in the table. Row-major: neighbours along z are adjacent.
  SLOTSCAPE_HOST_DEVICE constexpr Key flatten(Site const& site) const
  {
    return ((steps(low.batch, site.batch) * static_cast<Key>(x) + steps(low.x, site.x)) * static_cast<Key>(y) +
            steps(low.y, site.y)) *
               static_cast<Key>(z) +
           steps(low.z, site.z);
  }
  SLOTSCAPE_HOST_DEVICE constexpr Site site_of(Key key) const
  {
    Site site = low;
    site.z += static_cast<std::int32_t>(key % static_cast<Key>(z));
    key /= static_cast<Key>(z);
    site.y += static_cast<std::int32_t>(key % static_cast<Key>(y));
    key /= static_cast<Key>(y);
    site.x += static_cast<std::int32_t>(key % static_cast<Key>(x));
    site.batch += static_cast<std::int32_t>(key / static_cast<Key>(x));
    return site;
  }

private:
  /// The distance from the lowest coordinate to another; a very large number if the other one is lower.
  SLOTSCAPE_HOST_DEVICE static constexpr Key steps(std::int32_t lowest, std::int32_t at)
  {
    return static_cast<Key>(static_cast<std::int64_t>(at) - lowest);
  }
};

/// How a convolution reads a tensor: the output at o reads the inputs o * stride + (d - centre) * dilation, for every d
/// from 0 up to, but not including, the size along each axis. The centre is the middle of an odd size; for even sizes
/// it is 0.
struct Kernel {
  std::int32_t size[3] = {3, 3, 3};  ///< along x, y and z; 1 along z in two dimensions
  std::int32_t stride[3] = {1, 1, 1};
  std::int32_t dilation = 1;

  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t offsets() const
  {
    return static_cast<std::uint32_t>(size[0] * size[1] * size[2]);
  }
  /// The steps of offset `index` from the centre, before dilation. The last axis varies fastest.
  SLOTSCAPE_HOST_DEVICE constexpr Site offset(std::uint32_t index) const
  {
    auto const i = static_cast<std::int32_t>(index);
    return {0, i / (size[1] * size[2]) - centre(0), i / size[2] % size[1] - centre(1), i % size[2] - centre(2)};
  }
  SLOTSCAPE_HOST_DEVICE constexpr std::int32_t centre(int axis) const
  {
    return size[axis] % 2 == 0 ? 0 : size[axis] / 2;
  }
  /// The output whose cell of the coarser grid contains a site, and the first site of an output's cell.
  SLOTSCAPE_HOST_DEVICE constexpr Site coarse(Site const& site) const
  {
    return {site.batch, floor_div(site.x, stride[0]), floor_div(site.y, stride[1]), floor_div(site.z, stride[2])};
  }
  SLOTSCAPE_HOST_DEVICE constexpr Site fine(Site const& out) const
  {
    return {out.batch, out.x * stride[0], out.y * stride[1], out.z * stride[2]};
  }
  /// The site that output `out` reads at an offset; it may be outside the tensor.
  SLOTSCAPE_HOST_DEVICE constexpr Site input(Site const& out, std::uint32_t index) const
  {
    Site const step = offset(index);
    return {out.batch, out.x * stride[0] + step.x * dilation, out.y * stride[1] + step.y * dilation,
            out.z * stride[2] + step.z * dilation};
  }
  /// Whether an output reads the input `in` at an offset, and which output.
  SLOTSCAPE_HOST_DEVICE constexpr bool output(Site const& in, std::uint32_t index, Site& out) const
  {
    Site const step = offset(index);
    out = {in.batch, in.x - step.x * dilation, in.y - step.y * dilation, in.z - step.z * dilation};
    if (out.x % stride[0] != 0 || out.y % stride[1] != 0 || out.z % stride[2] != 0) { return false; }
    out.x /= stride[0];
    out.y /= stride[1];
    out.z /= stride[2];
    return true;
  }
  /// Whether an output reads anything at an offset, and what: an input or, in a transposed convolution, an output of
  /// the original one.
  SLOTSCAPE_HOST_DEVICE constexpr bool reads(bool transposed, Site const& out, std::uint32_t index, Site& in) const
  {
    if (transposed) { return output(out, index, in); }
    in = input(out, index);
    return true;
  }
  /// The box of all outputs that read a site in this box.
  constexpr Extents outputs_of(Extents const& in) const
  {
    Extents out = in;
    reach(0, in.low.x, in.x, out.low.x, out.x);
    reach(1, in.low.y, in.y, out.low.y, out.y);
    reach(2, in.low.z, in.z, out.low.z, out.z);
    return out;
  }

private:
  constexpr void reach(int axis, std::int32_t in_low, std::int32_t in_extent, std::int32_t& low,
                       std::int32_t& extent) const
  {
    std::int32_t const lowest_step = -centre(axis) * dilation;
    std::int32_t const highest_step = (size[axis] - 1 - centre(axis)) * dilation;
    low = -floor_div(highest_step - in_low, stride[axis]);  // rounded up
    std::int32_t const high = floor_div(in_low + (in_extent - 1) - lowest_step, stride[axis]);
    extent = high < low ? 1 : high - low + 1;  // 1: it lies between two outputs
  }
};

}  // namespace slotscape::sparse
