#pragma once

#include "gpu/base/error.hpp"
#include "gpu/spatial/drawer.hpp"
#include "gpu/spatial/pipeline.hpp"
#include "gpu/spatial/point_order.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotscape::spatial {

/// Identifies the pipeline that the settings need.
struct PipelineKind {
  std::string family;
  bool wide = false;        ///< 64-bit keys
  bool by_formula = false;  ///< the hash function is not compiled in
  friend bool operator==(PipelineKind const&, PipelineKind const&) = default;

  static PipelineKind of(SpatialSettings const& settings)
  {
    return {settings.family, settings.grid.side > max_narrow_grid_side, !settings.hash.is_compiled_in()};
  }
};

/// Each backend defines its own specialisation.
template <exec::Executor Exec>
std::unique_ptr<Pipeline<Exec>> make_pipeline(Exec& exec, PipelineKind const& kind);

/// Implements `SpatialEngine::estimate_normals`.
template <exec::Executor Exec>
std::vector<Vector> normals_of(Exec& exec, std::span<Vector const> positions);

template <exec::Executor Exec>
struct OrderedPointsOf final : OrderedPoints {
  explicit OrderedPointsOf(ModelPoints<Exec> ordered) : points(std::move(ordered)) {}
  ModelPoints<Exec> points;
};

template <exec::Executor Exec>
class SpatialEngineOf final : public SpatialEngine {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }

  std::unique_ptr<OrderedPoints> order(PointsView const& points, Progress const& progress) override
  {
    require_points(points.positions);
    if (points.normals.size() != points.positions.size()) {
      throw std::invalid_argument("positions and normals must be equally many");
    }
    return std::make_unique<OrderedPointsOf<Exec>>(ordered_points(exec_, points, progress));
  }

  using SpatialEngine::set_model;
  void set_model(Model model, std::unique_ptr<OrderedPoints> points) override
  {
    auto* const ordered = dynamic_cast<OrderedPointsOf<Exec>*>(points.get());
    if (ordered == nullptr) { throw std::invalid_argument("these points were ordered on another device"); }
    models_[model] = std::move(ordered->points);
    attributes_[model] = {};
    updated_ = false;
  }

  void set_attribute(Model model, AttributeView const& attribute) override
  {
    std::uint64_t const count = attribute.values.size();
    if (count != 0 && count != models_[model].count) {
      throw std::invalid_argument("positions and values must be equally many");
    }
    Attribute fresh;
    if (count != 0) { fresh = {rearranged(exec_, attribute.values, models_[model].order.data()), attribute.blend}; }
    attributes_[model] = std::move(fresh);
  }

  std::vector<Vector> estimate_normals(std::span<Vector const> positions) override
  {
    require_points(positions);
    return normals_of(exec_, positions);
  }

  SpatialSnapshot update(SpatialSettings const& settings, PerModel<Pose> const& poses, ShownParts const& parts,
                         Progress const& progress) override
  {
    validate(settings);
    for (ModelPoints<Exec> const& model : models_.of) {
      if (model.count == 0) { throw Error("Two models are needed: open a file, or choose a built-in shape."); }
    }
    PipelineKind const kind = PipelineKind::of(settings);
    if (!pipeline_ || kind != kind_) {
      pipeline_ = make_pipeline(exec_, kind);
      kind_ = kind;
    }
    updated_ = false;
    SpatialSnapshot const snapshot = pipeline_->update(settings, models_, poses, parts, progress);
    updated_ = true;
    return snapshot;
  }

  InspectedTable& table(Model model) override { return pipeline().table(model); }
  std::vector<Snapshot> analyse_tables(std::span<AnalysisRequest const> requests) override
  {
    return pipeline().analyse_tables(requests);
  }
  std::uint64_t instances(Model model, InstanceKind kind) const override
  {
    if (!updated_) { return 0; }
    return kind == InstanceKind::points ? models_[model].count : pipeline_->voxel_count(model);
  }
  std::uint64_t write_instances(Model model, InstanceRequest const& request, Instance* out) override
  {
    InstanceTarget const target{model, values_of(model), out};
    return pipeline().write_instances(request, std::span(&target, 1)).front();
  }
  void show_instances(InstanceRequest const& request) override
  {
    shown_ = {};
    if (!updated_) { return; }
    std::vector<InstanceTarget> targets;
    for (Model const model : {Model::a, Model::b}) {
      exec::grow(exec_, instances_[model], instances(model, request.kind));
      targets.push_back({model, values_of(model), instances_[model].data()});
    }
    std::vector<std::uint64_t> const shown = pipeline_->write_instances(request, targets);
    for (Model const model : {Model::a, Model::b}) {
      shown_[model] = {instances_[model].data(), instances(model, request.kind),
                       shown[static_cast<std::size_t>(model)]};
    }
  }
  void draw(DrawingRequest const& request, CanvasTexel* out) override { drawer_.draw(shown_, request, out); }
  VoxelInfo voxel(Model model, std::uint32_t index) override { return pipeline().voxels(model, index, 1).front(); }
  std::optional<std::uint32_t> voxel_in_slot(Model model, Slot slot) override
  {
    return pipeline().voxel_in_slot(model, slot);
  }
  std::optional<Hit> pick(Ray const& ray, ShownParts const& parts) override { return pipeline().pick(ray, parts); }
  std::vector<VoxelInfo> voxels(Model model) override
  {
    std::vector<VoxelInfo> all = pipeline().voxels(model, 0, static_cast<std::uint32_t>(pipeline().voxel_count(model)));
    for (VoxelInfo& voxel : all) { voxel.neighbours = {}; }
    return all;
  }

private:
  static void require_points(std::span<Vector const> positions)
  {
    if (positions.empty()) { throw Error("The model has no points."); }
    if (positions.size() > max_points) {
      throw Error("A model has at most " + std::to_string(max_points) + " points, and this one has " +
                  std::to_string(positions.size()) + ": thin it out.");
    }
    for (Vector const& p : positions) {
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
        throw Error("A coordinate is not finite: remove or repair that point.");
      }
    }
  }
  Pipeline<Exec>& pipeline()
  {
    if (!updated_) { throw std::logic_error("no results before the first update"); }
    return *pipeline_;
  }

  passes::PointValues values_of(Model model) const
  {
    Attribute const& attribute = attributes_[model];
    bool const has_values = attribute.values.size() != 0;
    return {has_values ? attribute.values.data() : nullptr, models_[model].order.data(), attribute.blend};
  }

  /// A model's attribute in device memory.
  struct Attribute {
    Buffer<std::uint32_t> values;
    Blend blend = Blend::numbers;
  };

  Exec exec_;
  Drawer<Exec> drawer_{exec_};
  PerModel<Buffer<Instance>> instances_;  ///< for `draw`
  PerModel<passes::ModelInstancesView> shown_;
  PerModel<ModelPoints<Exec>> models_;
  PerModel<Attribute> attributes_;
  std::unique_ptr<Pipeline<Exec>> pipeline_;
  PipelineKind kind_;
  bool updated_ = false;
};

}  // namespace slotscape::spatial
