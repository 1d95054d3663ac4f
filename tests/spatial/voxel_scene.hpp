#pragma once

#include "gpu/execution/machines.hpp"
#include "gpu/spatial/classifier.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "tests/spatial/shapes.hpp"

#include <span>
#include <vector>

namespace slotscape::spatial {

/// The voxels of one model as they are when the classification begins, made on the host.
struct HostVoxels {
  using Layout = LinearProbing::Layout<Narrow>;

  Layout layout;
  std::vector<Narrow::Word> words;
  std::vector<std::uint32_t> keys;
  std::vector<Surfel> surfels;
  std::vector<std::uint32_t> faces;
  std::vector<VoxelStatus> status;

  std::uint32_t index_of(std::uint32_t key) const;
};

/// Both models.
struct VoxelScene {
  VoxelGrid grid;
  HostVoxels of[model_count];
  bool open[model_count] = {};
  std::uint64_t points[model_count] = {};  ///< in voxels

  /// The order of the voxels, and so their indices, depend on `order`.
  VoxelScene(VoxelGrid grid, std::vector<Sample> const& a, std::vector<Sample> const& b, std::uint32_t order = 1);
};

struct Classified {
  struct OfModel {
    std::vector<VoxelStatus> status;
    std::vector<std::uint32_t> seeds;
    friend bool operator==(OfModel const&, OfModel const&) = default;
  };
  OfModel of[model_count];
  ClassifyCounts counts;
};

/// The arrays of a scene in memory of a device.
template <class Exec>
class SceneOnDevice {
public:
  using View = slotscape::View<HostVoxels::Layout, typename Exec::template Machine<Narrow>>;
  using Sets = VoxelSets<LinearProbing, View>;

  SceneOnDevice(Exec& exec, VoxelScene const& scene) : scene_(scene), counts_(exec, 1)
  {
    for (int m = 0; m < model_count; ++m) {
      HostVoxels const& voxels = scene.of[m];
      Arrays& arrays = arrays_[m];
      std::vector<std::uint32_t> const count{static_cast<std::uint32_t>(voxels.keys.size())};
      arrays.count = uploaded(exec, count);
      arrays.words = uploaded(exec, voxels.words);
      arrays.keys = uploaded(exec, voxels.keys);
      arrays.surfels = uploaded(exec, voxels.surfels);
      arrays.faces = uploaded(exec, voxels.faces);
      arrays.status = uploaded(exec, voxels.status);
      arrays.seeds = Buffer<std::uint32_t>(exec, voxels.keys.size() + spare);
    }
  }

  Sets sets() const
  {
    Sets sets{};
    sets.grid = scene_.grid;
    for (int m = 0; m < model_count; ++m) {
      sets.open[m] = scene_.open[m];
      sets.points[m] = scene_.points[m];
      Arrays const& arrays = arrays_[m];
      sets.of[m].voxels = {scene_.of[m].keys.size() + spare,
                           arrays.count.data(),
                           arrays.keys.data(),
                           nullptr,
                           arrays.surfels.data(),
                           nullptr,
                           arrays.faces.data(),
                           arrays.status.data(),
                           arrays.seeds.data()};
      sets.of[m].table = {{arrays.words.data(), nullptr}, scene_.of[m].layout};
    }
    return sets;
  }
  /// Puts the status back to what it was before the classification.
  void reset(Exec& exec)
  {
    for (int m = 0; m < model_count; ++m) {
      exec.upload(arrays_[m].status.data(), std::span<VoxelStatus const>(scene_.of[m].status));
    }
  }
  /// For the classifier's counts, in device memory.
  ClassifyCounts* counts() const { return counts_.data(); }
  Classified download(Exec& exec) const
  {
    Classified result;
    for (int m = 0; m < model_count; ++m) {
      std::size_t const voxels = scene_.of[m].keys.size();
      result.of[m].status.resize(voxels);
      result.of[m].seeds.resize(voxels);
      exec.download(std::span(result.of[m].status), static_cast<VoxelStatus const*>(arrays_[m].status.data()));
      exec.download(std::span(result.of[m].seeds), static_cast<std::uint32_t const*>(arrays_[m].seeds.data()));
    }
    exec.download(std::span(&result.counts, 1), static_cast<ClassifyCounts const*>(counts_.data()));
    return result;
  }

private:
  static constexpr std::uint64_t spare = 100;  ///< room for more voxels than there are

  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  struct Arrays {
    Buffer<std::uint32_t> count;
    Buffer<Narrow::Word> words;
    Buffer<std::uint32_t> keys;
    Buffer<Surfel> surfels;
    Buffer<std::uint32_t> faces;
    Buffer<VoxelStatus> status;
    Buffer<std::uint32_t> seeds;
  };
  template <class T>
  static Buffer<T> uploaded(Exec& exec, std::vector<T> const& values)
  {
    Buffer<T> buffer(exec, values.size() + spare);
    exec.upload(buffer.data(), std::span<T const>(values));
    return buffer;
  }

  VoxelScene const& scene_;
  Buffer<ClassifyCounts> counts_;
  Arrays arrays_[model_count];
};

template <class Exec>
Classified classified(Exec& exec, Classifier<Exec>& classifier, VoxelScene const& scene,
                      SpatialSettings const& settings = {})
{
  SceneOnDevice<Exec> const device(exec, scene);
  classifier.run(exec, device.sets(), settings, device.counts());
  return device.download(exec);
}

}  // namespace slotscape::spatial
