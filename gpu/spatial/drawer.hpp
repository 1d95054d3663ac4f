#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/spatial/draw_passes.hpp"

#include <algorithm>

namespace slotscape::spatial {

/// Draws instances on one device: each sample of the canvas keeps the nearest instance that covers it, then each pixel
/// is resolved from its samples.
template <exec::Executor Exec>
class Drawer {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Drawer(Exec& exec) : exec_(exec), large_counts_(exec, passes::ClearCanvas::layers) {}

  /// Writes `request.texels()` texels to `out`.
  void draw(PerModel<passes::ModelInstancesView> const& instances, DrawingRequest const& request, CanvasTexel* out)
  {
    std::uint64_t const pixels = request.texels();
    if (pixels == 0) { return; }
    std::int32_t const per_axis = request.smooth ? 2 : 1;
    std::uint64_t const samples = pixels * static_cast<std::uint64_t>(per_axis * per_axis);
    std::uint64_t const count = instances.of[0].count + instances.of[1].count;
    exec::grow(exec_, covers_, samples);
    exec::grow(exec_, lit_, count);
    exec::grow(exec_, large_, count);
    passes::Cast const cast{{instances.of[0], instances.of[1]}, lit_.data()};
    Shaper const shaper(request, per_axis);
    auto const width = static_cast<std::int32_t>(request.sight.width);

    bool const ghosts = request.ghost_alpha > 0.0f;
    if (ghosts) { exec::grow(exec_, ghosts_, pixels); }
    exec_.for_each(samples, passes::ClearCanvas{covers_.data(), ghosts ? ghosts_.data() : nullptr, pixels,
                                                large_counts_.data()});
    draw_layer(cast, shaper, request, passes::ShownLayer{width * per_axis, covers_.data()}, large_counts_.data());
    if (ghosts) {
      passes::GhostLayer const layer{width, per_axis, covers_.data(), lit_.data(), ghosts_.data()};
      draw_layer(cast, Shaper(request, 1), request, layer, large_counts_.data() + 1);
    }
    exec_.for_each(pixels, passes::ResolvePixels{cast, shaper, covers_.data(), ghosts ? ghosts_.data() : nullptr,
                                                 request.ghost_alpha, out});
  }

private:
  static constexpr int block_threads = 128;
  static constexpr std::uint64_t max_blocks = 2048;
  /// Samples that one thread may draw. On a GPU, the whole warp waits for that thread.
  static constexpr std::int64_t samples_per_thread = Exec::backend == Backend::cuda ? 64 : 4096;

  template <class Layer>
  void draw_layer(passes::Cast const& cast, Shaper const& shaper, DrawingRequest const& request, Layer const& layer,
                  std::uint32_t* large_count)
  {
    passes::InstanceDrawing<Layer> const drawing{cast, shaper, layer};
    std::uint64_t const items = drawing.items();
    if (items == 0) { return; }
    passes::LargeInstances const large{large_.data(), large_count};
    exec_.for_each(items, passes::DrawInstances<Layer>{drawing, request.colors, large, samples_per_thread});
    std::uint64_t const blocks = std::min(items, max_blocks);
    exec_.template for_each_block<block_threads>(blocks,
                                                 passes::DrawLargeInstances<Layer, block_threads>{drawing, large,
                                                                                                  blocks});
  }

  Exec& exec_;
  Buffer<std::uint64_t> covers_;
  Buffer<LitInstance> lit_;
  Buffer<passes::GhostLayer::Sums> ghosts_;
  Buffer<std::uint32_t> large_;
  Buffer<std::uint32_t> large_counts_;  ///< per layer
};

/// See `InstancePainter`.
template <exec::Executor Exec>
class InstancePainterOf final : public InstancePainter {
public:
  void set(Model model, std::span<Instance const> instances, std::uint64_t shown) override
  {
    exec::grow(exec_, instances_[model], instances.size());
    exec_.upload(instances_[model].data(), instances);
    views_[model] = {instances_[model].data(), instances.size(), shown};
  }
  void draw(DrawingRequest const& request, CanvasTexel* out) override { drawer_.draw(views_, request, out); }

private:
  Exec exec_;
  Drawer<Exec> drawer_{exec_};
  PerModel<typename Exec::template Buffer<Instance>> instances_;
  PerModel<passes::ModelInstancesView> views_;
};

}  // namespace slotscape::spatial
