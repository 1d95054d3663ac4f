#pragma once

#include "app/scenes/sparse/settings.hpp"

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace slotscape {

/// The data that the views of a convolution draw; valid until the engine's next update.
struct ShownTensor {
  std::vector<sparse::Site> const* inputs = nullptr;
  std::vector<sparse::Site> const* outputs = nullptr;
  sparse::Extents input_extents;
  sparse::Extents output_extents;
  sparse::Kernel kernel;
  bool transposed = false;
  std::uint64_t version = 0;  ///< changes with each update

  /// The sites that were loaded, on the finer grid, and those that the convolution reaches.
  std::vector<sparse::Site> const& given() const { return transposed ? *outputs : *inputs; }
  std::vector<sparse::Site> const& reached() const { return transposed ? *inputs : *outputs; }
  sparse::Extents const& given_extents() const { return transposed ? output_extents : input_extents; }

  sparse::Extents const& reached_extents() const { return transposed ? input_extents : output_extents; }

  /// A box around the given sites and those that the convolution reaches, on the finer grid.
  sparse::Extents shown_extents() const
  {
    sparse::Extents shown = given_extents();
    sparse::Extents const& reached = reached_extents();
    auto const widen = [](std::int32_t& low, std::int32_t& size, std::int32_t reached_low, std::int32_t reached_size,
                          std::int32_t stride) {
      std::int32_t const end = std::max(low + size, (reached_low + reached_size) * stride);
      low = std::min(low, reached_low * stride);
      size = end - low;
    };
    widen(shown.low.x, shown.x, reached.low.x, reached.x, kernel.stride[0]);
    widen(shown.low.y, shown.y, reached.low.y, reached.y, kernel.stride[1]);
    widen(shown.low.z, shown.z, reached.low.z, reached.z, kernel.stride[2]);
    return shown;
  }

  /// The site that an output reads at an offset; nothing if it lies outside the tensor or between its sites.
  std::optional<sparse::Site> read_at(sparse::Site const& output, std::uint32_t offset) const
  {
    sparse::Site in;
    return kernel.reads(transposed, output, offset, in) && input_extents.contain(in) ? std::optional(in) : std::nullopt;
  }
};

/// The chosen output, and the input row at each offset or `sparse::no_row`.
struct ShownOutput {
  sparse::Site output;
  std::vector<std::uint32_t> neighbours;
  std::optional<std::uint32_t> offset;  ///< the offset under the mouse in another view
};

/// A click on a view: on a site of the finer grid, or beside all sites.
struct SiteClick {
  std::optional<sparse::Site> site;
};

}  // namespace slotscape
