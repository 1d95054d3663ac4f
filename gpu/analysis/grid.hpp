#pragma once

#include "gpu/base/types.hpp"

#include <bit>

namespace slotscape {

/// How the slots of a table are laid out on the plane.
enum class Layout : std::uint8_t {
  rows,     ///< row by row: probe runs appear as streaks
  hilbert,  ///< along a Hilbert curve (Hilbert 1891): neighbours stay neighbours when zoomed out
};

struct Position {
  std::uint32_t x;
  std::uint32_t y;
  friend bool operator==(Position const&, Position const&) = default;
};

/// The plane of slots: `columns` x `rows` positions, one slot each; it has room for the next power of two slots. There
/// are as many columns as rows, or twice as many; the Hilbert layout is then one square curve, or two joined end to
/// end. The cells of a picture are squares of 2^level x 2^level positions, aligned to their size; in the Hilbert
/// layout, each is a run of neighbouring slots.
struct Grid {
  Layout layout;
  std::uint32_t columns;
  std::uint32_t rows;

  /// slots: at least 2.
  static Grid of(std::uint64_t slots, Layout layout)
  {
    int const bits = static_cast<int>(std::bit_width(slots - 1));
    return {layout, std::uint32_t{1} << ((bits + 1) / 2), std::uint32_t{1} << (bits / 2)};
  }

  SLOTSCAPE_HOST_DEVICE Position position(Slot slot) const
  {
    if (layout == Layout::rows) { return {slot & (columns - 1), slot / columns}; }
    Position p{0, 0};
    std::uint32_t rest = slot;
    for (std::uint32_t side = 1; side < rows; side *= 2, rest /= 4) {  // from the innermost square outwards
      bool const right = (rest & 2u) != 0;
      bool const up = ((rest ^ (rest >> 1)) & 1u) != 0;
      if (!up) { p = turned(p, right, side); }
      p = {p.x + (right ? side : 0u), p.y + (up ? side : 0u)};
    }
    return {p.x + rest * rows, p.y};  // the second of two squares is to the right
  }

  SLOTSCAPE_HOST_DEVICE Slot slot(Position p) const
  {
    if (layout == Layout::rows) { return p.y * columns + p.x; }
    Slot slot = 0;
    std::uint32_t const square = p.x / rows;
    p.x &= rows - 1;
    for (std::uint32_t side = rows / 2; side > 0; side /= 2) {  // from the outermost square inwards
      bool const right = (p.x & side) != 0;
      bool const up = (p.y & side) != 0;
      slot = slot * 4 + (right ? (up ? 2u : 3u) : (up ? 1u : 0u));
      p = {p.x & (side - 1), p.y & (side - 1)};
      if (!up) { p = turned(p, right, side); }
    }
    return slot + square * rows * rows;
  }

private:
  /// Mirrors a position as needed to join the curve's quarters.
  SLOTSCAPE_HOST_DEVICE static Position turned(Position p, bool right, std::uint32_t side)
  {
    return right ? Position{side - 1 - p.y, side - 1 - p.x} : Position{p.y, p.x};
  }
};

}  // namespace slotscape
