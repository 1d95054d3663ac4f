#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/spatial/shading.hpp"

#include <bit>

/// The parallel loops that draw instances.
namespace slotscape::spatial::passes {

/// Instances of a model in device memory: first the shown ones, then the ghosts.
struct ModelInstancesView {
  Instance const* data = nullptr;
  std::uint64_t count = 0;
  std::uint64_t shown = 0;
};

/// All instances of a picture.
struct Cast {
  ModelInstancesView of[model_count];
  LitInstance* lit;  ///< A's come first

  SLOTSCAPE_HOST_DEVICE Instance const& instance(std::uint32_t number) const
  {
    return number < of[0].count ? of[0].data[number] : of[1].data[number - of[0].count];
  }
};

/// An instance that covers a sample. The nearest cover wins. Two bits store which face of a cube is seen.
struct Cover {
  static constexpr int axis_shift = 30;
  static constexpr std::uint32_t number_mask = (1u << axis_shift) - 1;

  float nearness;
  std::uint32_t number;
  std::int32_t axis;

  SLOTSCAPE_HOST_DEVICE std::uint64_t pack() const
  {
    // Positive floats compare like their bit patterns.
    return std::uint64_t{std::bit_cast<std::uint32_t>(nearness)} << 32 |
           (static_cast<std::uint32_t>(axis) << axis_shift | number);
  }
  SLOTSCAPE_HOST_DEVICE static Cover unpack(std::uint64_t packed)
  {
    auto const low = static_cast<std::uint32_t>(packed);
    return {std::bit_cast<float>(static_cast<std::uint32_t>(packed >> 32)), low & number_mask,
            static_cast<std::int32_t>(low >> axis_shift)};
  }
};
static_assert(2 * max_points <= Cover::number_mask);

/// The shown instances: each sample keeps the nearest.
struct ShownLayer {
  std::int32_t columns;
  std::uint64_t* covers;  ///< 0: nothing

  SLOTSCAPE_HOST_DEVICE static std::uint64_t count(ModelInstancesView const& model) { return model.shown; }
  SLOTSCAPE_HOST_DEVICE static std::uint64_t first(ModelInstancesView const&) { return 0; }
  SLOTSCAPE_HOST_DEVICE void put(std::int32_t column, std::int32_t row, Cover const& cover) const
  {
    std::uint64_t& nearest = covers[std::int64_t{row} * columns + column];
    std::uint64_t const mine = cover.pack();
    if (exec::load_relaxed(nearest) < mine) { exec::atomic_max(nearest, mine); }
  }
};

/// The ghosts: each pixel counts those in front of the nearest shown instance, and adds up their colours.
struct GhostLayer {
  struct Sums {
    std::uint64_t count_and_red;
    std::uint64_t green_and_blue;
  };

  std::int32_t columns;
  std::int32_t per_axis;  ///< samples per axis of a pixel in `covers`
  std::uint64_t const* covers;
  LitInstance const* lit;
  Sums* sums;

  SLOTSCAPE_HOST_DEVICE static std::uint64_t count(ModelInstancesView const& model)
  {
    return model.count - model.shown;
  }
  SLOTSCAPE_HOST_DEVICE static std::uint64_t first(ModelInstancesView const& model) { return model.shown; }
  SLOTSCAPE_HOST_DEVICE void put(std::int32_t column, std::int32_t row, Cover const& cover) const
  {
    std::int64_t const sample = std::int64_t{row} * per_axis * columns * per_axis + std::int64_t{column} * per_axis;
    if (Cover::unpack(covers[sample]).nearness >= cover.nearness) { return; }
    std::uint64_t const color = lit[cover.number].faces[cover.axis];
    Sums& pixel = sums[std::int64_t{row} * columns + column];
    exec::fetch_add(pixel.count_and_red, std::uint64_t{1} << 32 | (color & 0xffu));
    exec::fetch_add(pixel.green_and_blue, (color & 0xff00u) << 24 | ((color >> 16) & 0xffu));
  }
};

/// One thread's share of the samples: every `stride`th column and row, starting with the first.
struct Share {
  std::int32_t first_column = 0;
  std::int32_t first_row = 0;
  std::int32_t column_stride = 1;
  std::int32_t row_stride = 1;
};

template <class Layer>
struct InstanceDrawing {
  Cast cast;
  Shaper shaper;
  Layer layer;

  SLOTSCAPE_HOST_DEVICE std::uint64_t items() const { return Layer::count(cast.of[0]) + Layer::count(cast.of[1]); }
  SLOTSCAPE_HOST_DEVICE std::uint32_t number(std::uint64_t item) const
  {
    std::uint64_t const of_a = Layer::count(cast.of[0]);
    bool const in_a = item < of_a;
    return static_cast<std::uint32_t>(in_a ? Layer::first(cast.of[0]) + item
                                           : cast.of[0].count + Layer::first(cast.of[1]) + item - of_a);
  }
  SLOTSCAPE_HOST_DEVICE void draw(Seen const& seen, SampleRange const& range, std::uint32_t number,
                                  Share const& share) const
  {
    if (shaper.is_cube(seen)) {
      draw_cube(seen, range, number, share);
    } else {
      draw_flat(seen, range, number, share);
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void draw_cube(Seen const& seen, SampleRange const& range, std::uint32_t number,
                                       Share const& share) const
  {
    Raster const& raster = shaper.raster();
    CubeFront const front(seen.center, shaper.half_side(seen));
    float const nearest = 1.0f / raster.sight.near;
    for (std::int32_t row = range.top + share.first_row; row <= range.bottom; row += share.row_stride) {
      for (std::int32_t column = range.left + share.first_column; column <= range.right;
           column += share.column_stride) {
        Meeting const meeting =
            front.meet(raster.direction(static_cast<float>(column) + 0.5f, static_cast<float>(row) + 0.5f));
        if (meeting.nearness == 0.0f || meeting.nearness > nearest) { continue; }
        layer.put(column, row, {meeting.nearness, number, meeting.axis});
      }
    }
  }
  SLOTSCAPE_HOST_DEVICE void draw_flat(Seen const& seen, SampleRange const& range, std::uint32_t number,
                                       Share const& share) const
  {
    bool const round = shaper.is_round(seen);
    float const reach = shaper.reach(seen);
    Cover const cover{1.0f / seen.depth, number, 0};
    for (std::int32_t row = range.top + share.first_row; row <= range.bottom; row += share.row_stride) {
      for (std::int32_t column = range.left + share.first_column; column <= range.right;
           column += share.column_stride) {
        float const across = static_cast<float>(column) + 0.5f - seen.column;
        float const down = static_cast<float>(row) + 0.5f - seen.row;
        if (round && across * across + down * down > reach * reach) { continue; }
        layer.put(column, row, cover);
      }
    }
  }
};

/// Instances that cover too many samples for one thread.
struct LargeInstances {
  std::uint32_t* numbers;
  std::uint32_t* count;
};

/// Lights each instance, then draws it or, if it is large, puts it on the list of large instances.
template <class Layer>
struct DrawInstances {
  InstanceDrawing<Layer> drawing;
  PaintColors colors;
  LargeInstances large;
  std::int64_t max_samples;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item) const
  {
    std::uint32_t const number = drawing.number(item);
    Instance const instance = drawing.cast.instance(number);
    if ((instance.paint & Paint::cut_off) != 0) { return; }
    Seen const seen = drawing.shaper.see(instance.position);
    SampleRange const range = drawing.shaper.range(seen);
    if (range.empty()) { return; }
    drawing.cast.lit[number] = lit(instance, seen, drawing.shaper.is_cube(seen), colors);
    if (range.count() > max_samples) {
      large.numbers[exec::fetch_increment(*large.count)] = number;
      return;
    }
    drawing.draw(seen, range, number, {});
  }
};

/// Draws the large instances with `blocks` thread blocks, one block per instance at a time.
template <class Layer, int Threads>
struct DrawLargeInstances {
  struct Shared {};
  static constexpr int columns = 16;

  InstanceDrawing<Layer> drawing;
  LargeInstances large;
  std::uint64_t blocks;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t first, Block block, Shared&) const
  {
    std::uint32_t const count = *large.count;
    for (std::uint64_t i = first; i < count; i += blocks) {
      std::uint32_t const number = large.numbers[i];
      Seen const seen = drawing.shaper.see(drawing.cast.instance(number).position);
      SampleRange const range = drawing.shaper.range(seen);
      block.for_each_thread([&](int thread) {
        drawing.draw(seen, range, number, {thread % columns, thread / columns, columns, Threads / columns});
      });
    }
  }
};

/// Clears both layers of a picture, with one item per sample: there are at least as many samples as pixels.
struct ClearCanvas {
  static constexpr std::uint64_t layers = 2;

  std::uint64_t* covers;
  GhostLayer::Sums* ghosts;  ///< per pixel; null if no ghosts are drawn
  std::uint64_t pixels;
  std::uint32_t* large_counts;  ///< per layer

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    covers[i] = 0;
    if (ghosts != nullptr && i < pixels) { ghosts[i] = {}; }
    if (i == 0) {
      for (std::uint64_t layer = 0; layer < layers; ++layer) { large_counts[layer] = 0; }
    }
  }
};

/// Computes each pixel from its samples and blends the ghosts over it.
struct ResolvePixels {
  Cast cast;
  Shaper shaper;
  std::uint64_t const* covers;
  GhostLayer::Sums const* ghosts;  ///< null: no ghosts
  float ghost_alpha;
  CanvasTexel* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t pixel) const
  {
    std::int32_t const per_axis = shaper.raster().per_axis;
    std::uint64_t const width = shaper.raster().sight.width;
    auto const left = static_cast<std::int32_t>(pixel % width) * per_axis;
    auto const top = static_cast<std::int32_t>(pixel / width) * per_axis;
    Vector sum;
    float covered = 0.0f;
    float nearness = 0.0f;
    for (std::int32_t row = top; row < top + per_axis; ++row) {
      for (std::int32_t column = left; column < left + per_axis; ++column) {
        std::uint64_t const packed = covers[std::int64_t{row} * shaper.raster().columns() + column];
        if (packed == 0) { continue; }
        Cover const cover = Cover::unpack(packed);
        sum = sum + color_of(cover, column, row);
        covered += 1.0f;
        nearness = cover.nearness > nearness ? cover.nearness : nearness;
      }
    }
    float const alpha = covered / static_cast<float>(per_axis * per_axis);
    Vector const color = covered == 0.0f ? Vector{} : (1.0f / covered) * sum;
    out[pixel] = {with_ghosts(pixel, color, alpha), shaper.raster().sight.near * nearness};
  }

private:
  SLOTSCAPE_HOST_DEVICE Vector color_of(Cover const& cover, std::int32_t column, std::int32_t row) const
  {
    LitInstance const& instance = cast.lit[cover.number];
    Vector const color = unpacked_color(instance.faces[cover.axis]);
    bool const has_rim = shaper.has_round_points();
    if (instance.edges == 0.0f && !has_rim) { return color; }
    Seen const seen = shaper.see(cast.instance(cover.number).position);
    float const x = static_cast<float>(column) + 0.5f;
    float const y = static_cast<float>(row) + 0.5f;
    return (has_rim ? shade_of_disc(seen, x, y) : shade_of_edge(seen, cover, instance.edges, x, y)) * color;
  }
  SLOTSCAPE_HOST_DEVICE float shade_of_disc(Seen const& seen, float x, float y) const
  {
    float const reach = shaper.reach(seen);
    float const across = (x - seen.column) / reach;
    float const down = (y - seen.row) / reach;
    return 1.0f - smooth_step(3.0f, 10.0f, seen.pixels) * 0.35f * (across * across + down * down);
  }
  SLOTSCAPE_HOST_DEVICE float shade_of_edge(Seen const& seen, Cover const& cover, float strength, float x,
                                            float y) const
  {
    Vector const at = (1.0f / cover.nearness) * shaper.raster().direction(x, y) - seen.center;
    float const scale = 1.0f / shaper.half_side(seen);
    float const within[3]{absolute(at.x) * scale, absolute(at.y) * scale, absolute(at.z) * scale};
    float const first = within[cover.axis == 0 ? 1 : 0];
    float const second = within[cover.axis == 2 ? 1 : 2];
    float const pixels = (1.0f - (first > second ? first : second)) * 0.5f * seen.pixels;  // to the edge
    float const beyond = pixels < 0.5f ? 0.0f : pixels > 1.5f ? 1.0f : pixels - 0.5f;
    return 1.0f - strength * (1.0f - beyond);
  }
  /// Ghosts are about equally bright, so their order does not matter.
  SLOTSCAPE_HOST_DEVICE std::uint32_t with_ghosts(std::uint64_t pixel, Vector color, float alpha) const
  {
    if (ghosts != nullptr && ghosts[pixel].count_and_red != 0) {
      GhostLayer::Sums const sums = ghosts[pixel];
      auto const count = static_cast<std::uint32_t>(sums.count_and_red >> 32);
      float const scale = 1.0f / (255.0f * static_cast<float>(count));
      Vector const mean = scale * Vector{static_cast<float>(static_cast<std::uint32_t>(sums.count_and_red)),
                                         static_cast<float>(sums.green_and_blue >> 32),
                                         static_cast<float>(static_cast<std::uint32_t>(sums.green_and_blue))};
      float const seen_through = power(1.0f - ghost_alpha, count);
      float const both = 1.0f - seen_through * (1.0f - alpha);
      color = (1.0f / both) * ((1.0f - seen_through) * mean + (seen_through * alpha) * color);
      alpha = both;
    }
    return packed_color(color) | packed_channel(alpha) << 24;
  }
  SLOTSCAPE_HOST_DEVICE static float power(float base, std::uint32_t exponent)
  {
    float result = 1.0f;
    for (; exponent != 0; exponent >>= 1) {
      if ((exponent & 1u) != 0) { result *= base; }
      base *= base;
    }
    return result;
  }
};

}  // namespace slotscape::spatial::passes
