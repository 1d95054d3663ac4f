#pragma once

#include "gpu/spatial/of_both.hpp"
#include "gpu/spatial/pipeline.hpp"

#include <span>
#include <vector>

namespace slotscape::spatial {

/// The results of a frame, in device memory.
template <TableFamily Family, class View>
struct FoundVoxels {
  VoxelSets<Family, View> sets;
  std::uint64_t voxels[model_count];  ///< number of voxels
  std::uint64_t slots[model_count];   ///< per table
  passes::Points points;
  std::uint32_t const* point_voxels;  ///< voxels of A's points, then of B's
};

/// Writes the instances of one model, or of both in the same launches.
template <TableFamily Family, exec::Executor Exec, class View>
class InstanceWriter {
  using Format = typename View::Format;
  using Found = FoundVoxels<Family, View>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit InstanceWriter(Exec& exec) : exec_(exec), sent_shown_(exec, model_count) {}

  void write(Found const& found, InstanceRequest const& request, std::span<InstanceTarget const> targets)
  {
    divide(found, request, targets);
    if (request.paint_by == PaintBy::probe_length) { measure(found); }
    if (sums_values(request)) { sum_values(found); }
    flag_shown(found, request.parts);
    if (request.kind == InstanceKind::points) {
      for_each_instance(0, [&](Part const& part) {
        return passes::WritePoints<Format>{painter(found, part, request),
                                           found.points,
                                           request.parts.section,
                                           part.point_voxels,
                                           places(part),
                                           part.out};
      });
    } else {
      for_each_instance(0, [&](Part const& part) {
        return passes::WriteVoxels<Format>{painter(found, part, request), found.sets.grid, request.parts.section,
                                           places(part), part.out};
      });
    }
  }

  /// How many of the instances that `write` wrote are shown, per model. Waits for the device.
  std::vector<std::uint64_t> count_shown()
  {
    passes::SendShown const send{{places(parts_.front()), places(parts_.back())}, sent_shown_.data()};
    exec_.for_each(parts_.size(), send);
    exec_.wait();
    return {sent_shown_.data(), sent_shown_.data() + parts_.size()};
  }

private:
  /// The instances of one model.
  struct Part {
    int model;
    passes::PointValues attribute;
    Instance* out;
    std::uint64_t count;
    std::uint64_t first;                ///< index into `shown_before_`, which has an extra element for the end
    std::uint64_t first_voxel;          ///< index into `measures_` and `value_sums_`
    std::uint32_t const* point_voxels;  ///< null if the instances are voxels
  };

  void divide(Found const& found, InstanceRequest const& request, std::span<InstanceTarget const> targets)
  {
    bool const of_points = request.kind == InstanceKind::points;
    parts_.clear();
    std::uint64_t first = 0;
    voxels_ = 0;
    for (auto const& [model, attribute, out] : targets) {
      int const m = static_cast<int>(model);
      std::uint64_t const first_point = m == 0 ? 0 : found.points.of[0].count;
      std::uint64_t const count = of_points ? found.points.of[m].count : found.voxels[m];
      std::uint32_t const* const point_voxels = of_points ? found.point_voxels + first_point : nullptr;
      parts_.push_back({m, attribute, out, count, first, voxels_, point_voxels});
      first += count + 1;
      voxels_ += found.voxels[m];
    }
  }

  /// Runs a pass over each model's instances and `more` additional items.
  template <class MakePass>
  void for_each_instance(std::uint64_t more, MakePass const& make)
  {
    std::uint64_t items = 0;
    for (Part const& part : parts_) { items += part.count + more; }
    using Pass = decltype(make(parts_.front()));
    exec_.for_each(items,
                   ForBothModels<Pass>{{make(parts_.front()), make(parts_.back())}, parts_.front().count + more});
  }

  void flag_shown(Found const& found, ShownParts const& parts)
  {
    std::uint64_t const flags = parts_.back().first + parts_.back().count + 1;
    exec::grow(exec_, shown_before_, flags);
    for_each_instance(1, [&](Part const& part) {
      return passes::FlagShown<Format>{found.sets.of[part.model].voxels,
                                       static_cast<Model>(part.model),
                                       parts,
                                       found.sets.grid,
                                       found.points,
                                       part.point_voxels,
                                       part.count,
                                       shown_before_.data() + part.first};
    });
    exec_.prefix_sums(shown_before_.data(), flags);
  }
  passes::ShownFirst places(Part const& part) const { return {shown_before_.data() + part.first, part.count}; }

  /// Measures the voxels' keys.
  void measure(Found const& found)
  {
    exec::grow(exec_, measures_, voxels_);
    for (Part const& part : parts_) {
      exec_.for_each(found.voxels[part.model],
                     passes::MeasureVoxels<Family, View>{found.sets.of[part.model],
                                                         measures_.data() + part.first_voxel});
    }
  }
  static bool sums_values(InstanceRequest const& request)
  {
    return request.paint_by == PaintBy::attribute && request.kind == InstanceKind::voxels;
  }
  /// Sums the values of each voxel's points.
  void sum_values(Found const& found)
  {
    exec::grow(exec_, value_sums_, voxels_);
    for (Part const& part : parts_) {
      if (part.attribute.values == nullptr) { continue; }
      std::uint64_t const first_point = part.model == 0 ? 0 : found.points.of[0].count;
      passes::ValueSums* const sums = value_sums_.data() + part.first_voxel;
      exec_.fill(sums, found.voxels[part.model], passes::ValueSums::start(part.attribute.blend));
      exec_.for_each(found.points.of[part.model].count,
                     passes::SumValues{part.attribute, found.point_voxels + first_point, sums});
    }
  }
  passes::Painter<Format> painter(Found const& found, Part const& part, InstanceRequest const& request) const
  {
    bool const by_measure = request.paint_by == PaintBy::probe_length;
    bool const by_sums = sums_values(request) && part.attribute.values != nullptr;
    return {found.sets.of[part.model].voxels,
            static_cast<Model>(part.model),
            request.paint_by,
            by_measure ? measures_.data() + part.first_voxel : nullptr,
            found.slots[part.model],
            part.attribute,
            by_sums ? value_sums_.data() + part.first_voxel : nullptr};
  }

  Exec& exec_;
  std::vector<Part> parts_;   ///< of the instances written last
  std::uint64_t voxels_ = 0;  ///< in all parts
  Buffer<std::uint32_t> measures_;
  Buffer<passes::ValueSums> value_sums_;
  Buffer<std::uint32_t> shown_before_;
  typename Exec::template HostBuffer<std::uint32_t> sent_shown_;
};

}  // namespace slotscape::spatial
