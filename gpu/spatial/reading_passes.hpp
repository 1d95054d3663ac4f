#pragma once

#include "gpu/spatial/passes.hpp"

#include <cstring>

/// The parallel loops that read back a frame: instances for OpenGL, voxels for display.
namespace slotscape::spatial::passes {

SLOTSCAPE_HOST_DEVICE inline std::uint32_t packed_direction(Vector n)
{
  auto const byte = [](float x) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(x * 127.0f)) & 0xffu; };
  return byte(n.x) | (byte(n.y) << 8) | (byte(n.z) << 16);
}

/// An attribute of one model's points, in device memory; null if the model has none.
struct PointValues {
  std::uint32_t const* values;
  std::uint32_t const* order;  ///< the original number of each point, for `Blend::first`
  Blend blend;
};

/// The sums over a voxel's values. Integers, so neither the order of additions nor the backend matters. `max_points`
/// points cannot overflow them.
struct ValueSums {
  std::uint64_t low;   ///< red and green, 32 bits each; or a sum of numbers; or first point and value, 32 bits each
  std::uint64_t high;  ///< blue and the number of values, 32 bits each

  SLOTSCAPE_HOST_DEVICE static ValueSums start(Blend blend)
  {
    return {blend == Blend::first ? ~std::uint64_t{0} : 0, 0};
  }
  /// The combined value, as stored in `Instance::paint`.
  SLOTSCAPE_HOST_DEVICE std::uint32_t blended(Blend blend) const
  {
    if (blend == Blend::first) { return static_cast<std::uint32_t>(low); }
    std::uint64_t const count = high >> 32;
    if (count == 0) { return AttributeView::missing; }
    auto const mean = [count](std::uint64_t sum) { return static_cast<std::uint32_t>((sum + count / 2) / count); };
    if (blend == Blend::numbers) { return mean(low); }
    return mean(low & 0xffffffffu) << 16 | mean(low >> 32) << 8 | mean(high & 0xffffffffu);
  }
};

/// Adds each point's value to the sums of its voxel.
struct SumValues {
  PointValues attribute;
  std::uint32_t const* point_voxels;  ///< of this model
  ValueSums* sums;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const value = attribute.values[i];
    if (point_voxels[i] == no_voxel || value == AttributeView::missing) { return; }
    ValueSums& sum = sums[point_voxels[i]];
    constexpr std::uint64_t one = std::uint64_t{1} << 32;
    if (attribute.blend == Blend::first) {
      exec::atomic_min(sum.low, attribute.order[i] * one | value);
    } else if (attribute.blend == Blend::numbers) {
      exec::fetch_add(sum.low, std::uint64_t{value});
      exec::fetch_add(sum.high, one);
    } else {
      exec::fetch_add(sum.low, (value >> 8 & 0xffu) * one | (value >> 16 & 0xffu));
      exec::fetch_add(sum.high, one | (value & 0xffu));
    }
  }
};

/// Computes `Instance::paint` for the voxels and points of one model.
template <PairFormat Format>
struct Painter {
  Voxels<Format> voxels;
  Model model;
  PaintBy paint_by;
  std::uint32_t const* measures;  ///< probe lengths by index, if `paint_by` is `probe_length`
  std::uint64_t slots;
  PointValues attribute;
  ValueSums const* sums;  ///< by index, if voxels are painted by an attribute that exists

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint32_t index) const { return value(index) | flags(index); }
  /// The paint of a point in this voxel.
  SLOTSCAPE_HOST_DEVICE std::uint32_t of_point(std::uint64_t point, std::uint32_t voxel) const
  {
    if (paint_by != PaintBy::attribute) { return (*this)(voxel); }
    return shown(attribute.values != nullptr ? attribute.values[point] : AttributeView::missing) | flags(voxel);
  }

private:
  SLOTSCAPE_HOST_DEVICE std::uint32_t flags(std::uint32_t index) const
  {
    return (static_cast<std::uint32_t>(voxels.status[index]) << Paint::status_shift) |
           (model == Model::b ? Paint::model_b : 0u);
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t shown(std::uint32_t value)
  {
    return value == AttributeView::missing ? Paint::no_value : at_most(value);
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t value(std::uint32_t index) const
  {
    switch (paint_by) {
      case PaintBy::points: return at_most(voxels.points[index]);
      case PaintBy::probe_length: return at_most(measures[index]);
      case PaintBy::slot: return static_cast<std::uint32_t>(voxels.slots[index] / Paint::slots_per_value(slots));
      case PaintBy::attribute:
        return shown(sums != nullptr ? sums[index].blended(attribute.blend) : AttributeView::missing);
      default: return 0;
    }
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t at_most(std::uint32_t value)
  {
    return value < Paint::largest_value ? value : Paint::largest_value;
  }
};

/// Computes the family's measure of each voxel's key.
template <TableFamily Family, class View>
struct MeasureVoxels {
  VoxelSet<Family, View> set;
  std::uint32_t* measures;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const slot = set.voxels.slots[i];
    measures[i] = Family::describe(set.table, slot, set.table.machine.load(slot)).measure;
  }
};

/// Writes 1 for each shown instance, 0 for others, and one more 0 at the end. Points outside the grid are shown.
template <PairFormat Format>
struct FlagShown {
  Voxels<Format> voxels;
  Model model;
  ShownParts parts;
  VoxelGrid grid;
  Points points;
  std::uint32_t const* point_voxels;  ///< of this model; null if the instances are voxels
  std::uint64_t count;
  std::uint32_t* flags;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { flags[i] = i < count && is_shown(i) ? 1 : 0; }

private:
  SLOTSCAPE_HOST_DEVICE bool is_shown(std::uint64_t i) const
  {
    if (point_voxels == nullptr) {
      return belongs(parts, model, voxels.status[i], grid.middle(cell_of_key(voxels.keys[i])));
    }
    Vector const at = points.world({static_cast<int>(model), i});
    std::uint32_t const voxel = point_voxels[i];
    if (voxel == no_voxel) { return !parts.hides_all_of(model) && parts.section.contains(at); }
    return belongs(parts, model, voxels.status[voxel], at);
  }
};

/// Maps instances to their positions in the output: first the shown ones, then the others, both in their original
/// order.
struct ShownFirst {
  std::uint32_t const* shown_before;  ///< per instance, and for the end; the count may start at any number
  std::uint64_t count;

  SLOTSCAPE_HOST_DEVICE std::uint64_t operator()(std::uint64_t i) const
  {
    bool const shown = shown_before[i + 1] != shown_before[i];
    std::uint32_t const before = shown_before[i] - shown_before[0];
    return shown ? before : shown_before[count] - shown_before[0] + i - before;
  }
};

/// Copies the numbers of shown instances to host memory.
struct SendShown {
  ShownFirst of[model_count];
  std::uint32_t* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    out[i] = of[i].shown_before[of[i].count] - of[i].shown_before[0];
  }
};

SLOTSCAPE_HOST_DEVICE inline std::uint32_t cut_off_flag(Section const& section, Vector at)
{
  return section.contains(at) ? 0u : Paint::cut_off;
}

template <PairFormat Format>
struct WriteVoxels {
  Painter<Format> painter;
  VoxelGrid grid;
  Section section;
  ShownFirst place;
  Instance* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const index = static_cast<std::uint32_t>(i);
    Vector const middle = grid.middle(cell_of_key(painter.voxels.keys[index]));
    out[place(i)] = {middle, painter(index) | cut_off_flag(section, middle),
                     packed_direction(painter.voxels.surfels[index].normal)};
  }
};

template <PairFormat Format>
struct WritePoints {
  Painter<Format> painter;
  Points points;
  Section section;
  std::uint32_t const* point_voxels;  ///< of this model
  ShownFirst place;
  Instance* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    int const model = static_cast<int>(painter.model);
    std::uint32_t const voxel = point_voxels[i];
    std::uint32_t const no_paint = Paint::no_voxel | (painter.model == Model::b ? Paint::model_b : 0u);
    Vector const normal = points.of[model].pose.direction(points.of[model].normals[i]);
    Vector const at = points.world({model, i});
    std::uint32_t const paint = voxel == no_voxel ? no_paint : painter.of_point(i, voxel);
    out[place(i)] = {at, paint | cut_off_flag(section, at), packed_direction(normal)};
  }
};

/// A voxel as read back from the device.
struct VoxelRecord {
  Key key;
  Key seed;  ///< the seed's key, or `empty_value` if there is none
  Surfel surfel;
  Slot slot;
  std::uint32_t points;
  std::uint32_t faces[face_count];
  VoxelStatus status;
};

template <PairFormat Format>
struct ReadVoxels {
  Voxels<Format> voxels;
  std::uint32_t first;
  VoxelRecord* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const index = first + i;
    std::uint32_t const seed = voxels.seeds[index];
    VoxelRecord record{voxels.keys[index],    seed == no_voxel ? empty_value : Key{voxels.keys[seed]},
                       voxels.surfels[index], voxels.slots[index],
                       voxels.points[index],  {},
                       voxels.status[index]};
    for (int face = 0; face < face_count; ++face) { record.faces[face] = voxels.faces[index * face_count + face]; }
    out[i] = record;
  }
};

/// Finds the nearest shown voxel that the ray (in grid units) enters. `nearest` packs, from the top, the 32 bits of the
/// distance, the model in bit 31, and the index.
template <PairFormat Format>
struct PickVoxel {
  Voxels<Format> voxels[model_count];
  ShownParts parts;
  VoxelGrid grid;
  Vector origin;
  Vector direction;
  std::uint64_t* nearest;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    int const model = i < voxels[0].capacity ? 0 : 1;
    std::uint64_t const index = model == 0 ? i : i - voxels[0].capacity;
    if (index >= *voxels[model].count) { return; }
    Cell const cell = cell_of_key(voxels[model].keys[index]);
    if (!belongs(parts, static_cast<Model>(model), voxels[model].status[index], grid.middle(cell))) { return; }
    float enter = 0.0f;
    float leave = 3.0e38f;
    clip(static_cast<float>(cell.x), origin.x, direction.x, enter, leave);
    clip(static_cast<float>(cell.y), origin.y, direction.y, enter, leave);
    clip(static_cast<float>(cell.z), origin.z, direction.z, enter, leave);
    if (enter > leave) { return; }
    exec::atomic_min(*nearest, (std::uint64_t{bits_of(enter)} << 32) | (std::uint64_t(model) << 31) | index);
  }

private:
  SLOTSCAPE_HOST_DEVICE static void clip(float low, float from, float along, float& enter, float& leave)
  {
    if (along == 0.0f) {
      if (from < low || from > low + 1.0f) { leave = -1.0f; }
      return;
    }
    float const a = (low - from) / along;
    float const b = (low + 1.0f - from) / along;
    float const near = a < b ? a : b;
    float const far = a < b ? b : a;
    if (near > enter) { enter = near; }
    if (far < leave) { leave = far; }
  }
  /// Non-negative floats compare like their bit patterns.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t bits_of(float number)
  {
    std::uint32_t bits = 0;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
  }
};

}  // namespace slotscape::spatial::passes
