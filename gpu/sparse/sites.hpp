#pragma once

#include "gpu/base/types.hpp"

#include <cstdint>

/// Sparse tensors: active sites in a table, and the kernel maps of convolutions over them.
namespace slotscape::sparse {

/// Where a tensor has a value. Two-dimensional tensors have z = 0.
struct Site {
  std::int32_t batch = 0;
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  friend bool operator==(Site const&, Site const&) = default;
};

/// The size of a tensor along each of its axes. A site's coordinates are from 0 to these, exclusive.
struct Extents {
  std::int32_t batch = 1;
  std::int32_t x = 1;
  std::int32_t y = 1;
  std::int32_t z = 1;
  friend bool operator==(Extents const&, Extents const&) = default;

  SLOTSCAPE_HOST_DEVICE constexpr bool contain(Site const& site) const
  {
    return site.batch >= 0 && site.batch < batch && site.x >= 0 && site.x < x && site.y >= 0 && site.y < y &&
           site.z >= 0 && site.z < z;
  }
  /// A site's flattened index: its key in the table. Row-major: neighbours along z are neighbours in order.
  SLOTSCAPE_HOST_DEVICE constexpr Key flatten(Site const& site) const
  {
    return ((static_cast<Key>(site.batch) * static_cast<Key>(x) + static_cast<Key>(site.x)) * static_cast<Key>(y) +
            static_cast<Key>(site.y)) *
               static_cast<Key>(z) +
           static_cast<Key>(site.z);
  }
  SLOTSCAPE_HOST_DEVICE constexpr Site site_of(Key key) const
  {
    Site site;
    site.z = static_cast<std::int32_t>(key % static_cast<Key>(z));
    key /= static_cast<Key>(z);
    site.y = static_cast<std::int32_t>(key % static_cast<Key>(y));
    key /= static_cast<Key>(y);
    site.x = static_cast<std::int32_t>(key % static_cast<Key>(x));
    site.batch = static_cast<std::int32_t>(key / static_cast<Key>(x));
    return site;
  }
};

/// How a convolution visits a tensor: the output at o reads the inputs o * stride + (d - centre) * dilation, for every
/// d from 0 to the size, exclusive, along each axis. The centre is the middle of an odd size; even sizes begin at 0.
struct Kernel {
  std::int32_t size[3] = {3, 3, 3};  ///< along x, y and z; 1 along z in two dimensions
  std::int32_t stride[3] = {1, 1, 1};
  std::int32_t dilation = 1;

  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t offsets() const
  {
    return static_cast<std::uint32_t>(size[0] * size[1] * size[2]);
  }
  /// Steps from the centre of offset `index`, before dilation. The last axis runs fastest.
  SLOTSCAPE_HOST_DEVICE constexpr Site offset(std::uint32_t index) const
  {
    auto const i = static_cast<std::int32_t>(index);
    return {0, i / (size[1] * size[2]) - centre(0), i / size[2] % size[1] - centre(1), i % size[2] - centre(2)};
  }
  SLOTSCAPE_HOST_DEVICE constexpr std::int32_t centre(int axis) const
  {
    return size[axis] % 2 == 0 ? 0 : size[axis] / 2;
  }
  /// The site that output `out` reads at an offset; it may lie outside of the tensor.
  SLOTSCAPE_HOST_DEVICE constexpr Site input(Site const& out, std::uint32_t index) const
  {
    Site const step = offset(index);
    return {out.batch, out.x * stride[0] + step.x * dilation, out.y * stride[1] + step.y * dilation,
            out.z * stride[2] + step.z * dilation};
  }
  /// Whether an output reads the input `in` at an offset, and which one; it may lie outside of the tensor.
  SLOTSCAPE_HOST_DEVICE constexpr bool output(Site const& in, std::uint32_t index, Site& out) const
  {
    Site const step = offset(index);
    out = {in.batch, in.x - step.x * dilation, in.y - step.y * dilation, in.z - step.z * dilation};
    if (out.x < 0 || out.y < 0 || out.z < 0) { return false; }
    if (out.x % stride[0] != 0 || out.y % stride[1] != 0 || out.z % stride[2] != 0) { return false; }
    out.x /= stride[0];
    out.y /= stride[1];
    out.z /= stride[2];
    return true;
  }
  /// Of a tensor that is convolved with this stride: rounded up, so that every input is read by some output.
  SLOTSCAPE_HOST_DEVICE constexpr Extents outputs_of(Extents const& in) const
  {
    auto const reduced = [](std::int32_t size, std::int32_t by) { return (size - 1) / by + 1; };
    return {in.batch, reduced(in.x, stride[0]), reduced(in.y, stride[1]), reduced(in.z, stride[2])};
  }
};

}  // namespace slotscape::sparse
