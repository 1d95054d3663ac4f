#pragma once

#include "app/scenes/sparse/settings.hpp"

#include <imgui.h>

#include <optional>
#include <vector>

namespace slotscape {

/// What the views of a convolution draw: valid until the engine's next update.
struct ShownTensor {
  std::vector<sparse::Site> const* inputs = nullptr;
  std::vector<sparse::Site> const* outputs = nullptr;
  sparse::Extents input_extents;
  sparse::Extents output_extents;
  sparse::Kernel kernel;
  bool transposed = false;
  std::uint64_t version = 0;  ///< another one for each update

  /// The sites that were opened, on the finer grid, and those that the convolution has reached.
  std::vector<sparse::Site> const& given() const { return transposed ? *outputs : *inputs; }
  std::vector<sparse::Site> const& reached() const { return transposed ? *inputs : *outputs; }
  sparse::Extents const& given_extents() const { return transposed ? output_extents : input_extents; }

  /// What an output reads at an offset; nothing if it lies outside of the tensor or between its sites.
  std::optional<sparse::Site> read_at(sparse::Site const& output, std::uint32_t offset) const
  {
    sparse::Site in = kernel.input(output, offset);
    bool const there = !transposed || kernel.output(output, offset, in);
    return there && input_extents.contain(in) ? std::optional(in) : std::nullopt;
  }
};

/// The chosen output, and the input row at each offset or `sparse::no_row`.
struct ShownOutput {
  sparse::Site output;
  std::vector<std::uint32_t> neighbours;
  std::optional<std::uint32_t> offset;  ///< that is pointed at elsewhere
};

/// A click on a view: on a site of the finer grid, or on none.
struct SiteClick {
  std::optional<sparse::Site> site;
};

}  // namespace slotscape
