#pragma once

#include "gpu/analysis/grid.hpp"

namespace slotscape {

/// The quantity shown by the colour of a cell.
enum class ColorBy : std::uint8_t { state, probe_length, cluster_length, recent, chain_length };
/// How the slots of one cell are reduced to one value.
enum class Reduce : std::uint8_t { mean, max };

/// The part of the grid to reduce, and how. A cell is a square of 2^level x 2^level slots; texel (i, j) of the picture,
/// at index j * width + i, is cell (x + i, y + j).
struct PictureRequest {
  Layout layout = Layout::rows;
  ColorBy color_by = ColorBy::probe_length;
  Reduce reduce = Reduce::max;
  std::uint32_t level = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t fade = 0;  ///< how much recent changes fade in this step; a flash starts at `flash_full`

  std::uint64_t texels() const { return std::uint64_t{width} * height; }
};

/// One cell of the slot map: 16 bytes, the same on every backend and in the shader (`shaders/slot_map.frag`).
struct Texel {
  std::uint32_t shares;  ///< shares of live slots (low 16 bits) and tombstones (high 16 bits), scaled to 65535
  float value;           ///< measure or length, mean or maximum over the cell; negative: nothing to show
  std::uint32_t flash;   ///< strength 0..255 of the latest insert (bits 0-7), find (8-15), erase (16-23);
                         ///< share of links 0..255 (bits 24-31)
  std::uint32_t slots;   ///< number of the table's slots in the cell; 0 outside
  friend bool operator==(Texel const&, Texel const&) = default;
};
static_assert(sizeof(Texel) == 16);

}  // namespace slotscape
