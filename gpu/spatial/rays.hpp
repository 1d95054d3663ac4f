#pragma once

#include "gpu/spatial/frame.hpp"

namespace slotscape::spatial {

/// Casts rays from a cell in the six axis directions to see which side of the other surface each hits first. A ray is
/// three cells wide, so that it does not slip through gaps between samples. The lanes of a tile look at many cells at
/// once.
template <class Frame, class Tile>
class Rays {
public:
  SLOTSCAPE_HOST_DEVICE Rays(Frame const& frame, Tile tile, int model, Cell origin)
      : frame_(frame), tile_(tile), blocks_(frame.blocks[1 - model]), other_(1 - model), origin_(origin)
  {
  }

  /// Whether most rays start inside. A ray that hits nothing starts outside.
  SLOTSCAPE_HOST_DEVICE bool are_inside() const
  {
    int inside = 0;
    for (int face = 0; face < face_count; ++face) {
      inside += starts_inside(face) ? 1 : 0;
      if (inside > face_count / 2 || face + 1 - inside >= face_count / 2) { break; }
    }
    return inside > face_count / 2;
  }

private:
  static constexpr int width = 3;
  static constexpr int layer_cells = width * width;
  static constexpr int layers_at_once = 3;
  static constexpr int layer_bits = 10;  ///< for the sum of a layer's votes
  static constexpr float grazing = 0.25f;

  SLOTSCAPE_HOST_DEVICE bool starts_inside(int face) const
  {
    Cell const step = face_step(face);
    std::int32_t const position = along(face, blocks_.block_of(origin_));
    std::int32_t const count = face % 2 == 0 ? position + 1 : blocks_.side - position;
    for (std::int32_t base = 0; base < count; base += Tile::size) {
      std::int32_t const mine = base + tile_.rank();
      std::uint32_t const first_lane_met = tile_.ballot(mine < count && crosses(face, mine));
      for (std::uint32_t met = first_lane_met; met != 0; met &= met - 1) {
        int const side = side_in_block(face, step, base + exec::first_lane(met));
        if (side != 0) { return side > 0; }
      }
    }
    return false;
  }

  SLOTSCAPE_HOST_DEVICE static std::int32_t along(int face, Cell cell)
  {
    return face / 2 == 0 ? cell.x : face / 2 == 1 ? cell.y : cell.z;
  }
  SLOTSCAPE_HOST_DEVICE static Cell times(std::int32_t distance, Cell step)
  {
    return {distance * step.x, distance * step.y, distance * step.z};
  }
  /// Steps from the origin to the ray's first cell in the `number`-th block on its way; the origin's own
  /// block is 0.
  SLOTSCAPE_HOST_DEVICE std::int32_t entry(int face, std::int32_t number) const
  {
    std::int32_t const cells = 1 << blocks_.shift;
    std::int32_t const within = along(face, origin_) & (cells - 1);
    std::int32_t const before = face % 2 == 0 ? cells - 1 - within : within;
    return number * cells - before;
  }
  SLOTSCAPE_HOST_DEVICE bool crosses(int face, std::int32_t number) const
  {
    Cell const step = face_step(face);
    Cell const place = origin_ + times(entry(face, number), step);
    Cell const spread{step.x == 0, step.y == 0, step.z == 0};
    return blocks_.any(place + times(-1, spread), place + spread);
  }

  /// 1 if the ray leaves the first surface that it hits, -1 if it enters it, 0 if it hits none.
  SLOTSCAPE_HOST_DEVICE int side_in_block(int face, Cell step, std::int32_t number) const
  {
    std::int32_t const first = entry(face, number);
    std::int32_t const last = first + (1 << blocks_.shift);
    for (std::int32_t distance = first; distance < last; distance += layers_at_once) {
      int votes = 0;
      for (int i = tile_.rank(); i < layer_cells * layers_at_once; i += Tile::size) {
        int const layer = i / layer_cells;
        if (distance + layer > 0 && distance + layer < last) {
          votes += vote(face, step, distance + layer, i % layer_cells) * (1 << (layer * layer_bits));
        }
      }
      if (int const side = first_side(tile_.sum(votes)); side != 0) { return side; }
    }
    return 0;
  }
  /// The side given by the first layer whose votes do not cancel out.
  SLOTSCAPE_HOST_DEVICE static int first_side(int votes)
  {
    constexpr int half = 1 << (layer_bits - 1);
    for (int layer = 0; layer < layers_at_once; ++layer) {
      int const own = ((votes + half) & (2 * half - 1)) - half;
      if (own != 0) { return own > 0 ? 1 : -1; }
      votes = (votes - own) / (2 * half);
    }
    return 0;
  }
  /// The vote of one cell of the ray; cells near its middle weigh more.
  SLOTSCAPE_HOST_DEVICE int vote(int face, Cell step, std::int32_t distance, int number) const
  {
    std::int32_t const u = number % width - 1;
    std::int32_t const v = number / width - 1;
    Cell const across = face / 2 == 0 ? Cell{0, u, v} : face / 2 == 1 ? Cell{u, 0, v} : Cell{u, v, 0};
    std::uint32_t const index = frame_.sets.voxel_at(other_, origin_ + times(distance, step) + across);
    if (index == no_voxel) { return 0; }
    Vector const normal = frame_.sets.of[other_].voxels.surfels[index].normal;
    float const slope = face / 2 == 0 ? normal.x : face / 2 == 1 ? normal.y : normal.z;
    float const leaving = face % 2 == 0 ? -slope : slope;
    int const weight = u == 0 && v == 0 ? 4 : u == 0 || v == 0 ? 2 : 1;
    return leaving > grazing ? weight : leaving < -grazing ? -weight : 0;
  }

  Frame const& frame_;
  Tile tile_;
  BlockMap blocks_;
  int other_;
  Cell origin_;
};

}  // namespace slotscape::spatial
