#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/spatial/changes.hpp"
#include "gpu/spatial/classifier.hpp"
#include "gpu/spatial/instance_writer.hpp"
#include "gpu/spatial/pipeline.hpp"
#include "gpu/spatial/voxel_arrays.hpp"
#include "gpu/spatial/voxel_table.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::spatial {

namespace passes {

inline constexpr std::uint32_t status_bin_count = model_count * status_count;

/// Results of a frame that are copied to the host, all at once.
struct Findings {
  Counts counts{};
  /// The number of model m's voxels in the section with status s, at m * status_count + s.
  std::uint32_t status[status_bin_count]{};
  std::uint32_t points_in_section[model_count]{};  ///< only counted if a section is shown
  ClassifyCounts classified{};
};

}  // namespace passes

/// The stages of a frame, on one device. Work is submitted without waiting; the counts are read once, at the end of a
/// frame. A frame that ran out of slots or of room for voxels, or had an unlucky hash function, is repeated.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class PipelineOf final : public Pipeline<Exec> {
  using Key = typename Format::Key;
  using Table = VoxelTable<Family, Exec, Format>;
  using View = typename Table::View;
  using Sets = VoxelSets<Family, View>;
  using Shown = Inspection<Exec, Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit PipelineOf(Exec& exec)
      : exec_(exec),
        laps_(exec),
        filler_(exec),
        writer_(exec),
        findings_(exec, 1),
        status_totals_(exec, 1),
        nearest_(exec, 1),
        record_(exec, 1)
  {
  }

  SpatialSnapshot update(SpatialSettings const& settings, PerModel<ModelPoints<Exec>> const& models,
                         PerModel<Pose> const& poses, ShownParts const& parts, Progress const& progress) override
  {
    bool const same_grid = settings.grid == settings_.grid;
    bool const same_tables = settings.load_factor == settings_.load_factor && settings.hash == settings_.hash;
    settings_ = settings;
    section_ = parts.section;
    for (int m = 0; m < model_count; ++m) {
      ModelPoints<Exec> const& model = models.of[m];
      bool const same_points = model.positions.data() == points_.of[m].positions && model.count == points_.of[m].count;
      points_.of[m] = {model.positions.data(), model.normals.data(), model.count, poses.of[m]};
      open_[m] = model.open;
      counted_voxels_[m] = 0;
      if (!tables_[m] || !same_grid || !same_tables || !same_points) {
        std::uint64_t const before = same_grid && same_points ? found_.counts.voxels[m] : 0;
        start_over(m, before != 0 ? before : estimated_voxels(m));
      }
    }
    reserve_points();
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      start_frame();
      // A new table may be too small: check before running the other stages in vain.
      if (unproven_ && !check_capacity()) { continue; }
      progress.require(0.2);
      finish_frame(progress.part(0.2, 1.0));
      if (check_capacity()) {
        for (int m = 0; m < model_count; ++m) { shown_[m]->table_changed(); }
        return snapshot(parts);
      }
    }
    throw Error("These voxels do not fit in a " + settings_.family + " table: choose a lower load factor.");
  }

  InspectedTable& table(Model model) override { return *shown_[index_of(model)]; }
  std::vector<Snapshot> analyse_tables(std::span<AnalysisRequest const> requests) override
  {
    for (auto const& [model, picture, target] : requests) {
      shown_[index_of(model)]->start_analysis(picture, target, {});
    }
    exec_.wait();
    std::vector<Snapshot> snapshots;
    for (AnalysisRequest const& request : requests) {
      snapshots.push_back(shown_[index_of(request.model)]->finish_analysis());
    }
    return snapshots;
  }
  std::uint64_t voxel_count(Model model) const override { return found_.counts.voxels[index_of(model)]; }

  std::vector<std::uint64_t> write_instances(InstanceRequest const& request,
                                             std::span<InstanceTarget const> targets) override
  {
    writer_.write({sets(),
                   {found_.counts.voxels[0], found_.counts.voxels[1]},
                   {tables_[0]->settings().slots, tables_[1]->settings().slots},
                   points_,
                   point_voxels_.data()},
                  request, targets);
    bool const same_section = request.parts.section == section_;
    if (request.kind == InstanceKind::points || !same_section) { return writer_.count_shown(); }
    std::vector<std::uint64_t> shown;
    for (auto const& target : targets) { shown.push_back(shown_voxels(index_of(target.model), request.parts)); }
    return shown;
  }

  std::vector<VoxelInfo> voxels(Model model, std::uint32_t first, std::uint32_t count) override
  {
    if (std::uint64_t{first} + count > voxel_count(model)) { throw Error("That voxel does not exist."); }
    if (count > record_.size()) {
      record_ = {};
      record_ = Buffer<passes::VoxelRecord>(exec_, count);
    }
    exec_.for_each(count, passes::ReadVoxels<Format>{voxels(index_of(model)), first, record_.data()});
    std::vector<passes::VoxelRecord> records(count);
    exec_.download(std::span(records), static_cast<passes::VoxelRecord const*>(record_.data()));
    std::vector<VoxelInfo> infos;
    infos.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) { infos.push_back(info_of(model, first + i, records[i])); }
    return infos;
  }

  std::optional<std::uint32_t> voxel_in_slot(Model model, Slot slot) override
  {
    SlotInfo const info = table(model).slot(slot);
    if (info.state != SlotState::live) { return std::nullopt; }
    return static_cast<std::uint32_t>(info.pair.value);
  }

  std::optional<Hit> pick(Ray const& ray, ShownParts const& parts) override
  {
    Vector const origin = settings_.grid.to_grid(ray.origin);
    Vector const direction = (1.0f / settings_.grid.voxel()) * normalized(ray.direction);
    exec_.fill(nearest_.data(), 1, no_hit);
    passes::PickVoxel<Format> const pass{{voxels(0), voxels(1)}, parts, settings_.grid, origin, direction,
                                         nearest_.data()};
    exec_.for_each(voxels(0).capacity + voxels(1).capacity, pass);
    std::uint64_t nearest = no_hit;
    exec_.download(std::span(&nearest, 1), static_cast<std::uint64_t const*>(nearest_.data()));
    if (nearest == no_hit) { return std::nullopt; }
    auto const low = static_cast<std::uint32_t>(nearest);
    return Hit{static_cast<Model>(low >> 31), low & 0x7fffffffu,
               std::bit_cast<float>(static_cast<std::uint32_t>(nearest >> 32))};
  }

private:
  static constexpr int max_attempts = 64;
  static constexpr std::uint64_t no_hit = ~std::uint64_t{0};
  using Findings = passes::Findings;

  static constexpr std::uint64_t min_table_slots = 64;
  static constexpr double max_crowding = 1.05;  ///< wanted slots / slots; outside these limits, the table is replaced
  static constexpr double min_crowding = 0.9;
  static constexpr std::uint64_t min_room = 4096;

  static int index_of(Model model) { return static_cast<int>(model); }

  /// --- room.
  std::uint64_t first_point(int m) const { return m == 0 ? 0 : points_.of[0].count; }
  void reserve_points()
  {
    exec::grow(exec_, point_keys_, points_.items());
    exec::grow(exec_, point_voxels_, points_.items());
  }
  /// Roughly the voxels of a closed surface. The first frame corrects the estimate.
  std::uint64_t estimated_voxels(int m) const
  {
    std::uint64_t const side = settings_.grid.side;
    return std::max<std::uint64_t>(1, std::min(points_.of[m].count, 2 * side * side));
  }
  std::uint64_t room_for(int m, std::uint64_t voxels) const
  {
    return std::min(points_.of[m].count, std::max(min_room, voxels + voxels / 4));
  }
  double target_load() const
  {
    double const safe = Family::info.guarantees({}).safe_load;
    return std::min(settings_.load_factor, safe);
  }
  std::uint64_t slots_for(int m, std::uint64_t voxels) const
  {
    double const slots = std::ceil(static_cast<double>(voxels) / target_load() * headroom_[m]);
    return std::max(min_table_slots, static_cast<std::uint64_t>(slots));
  }
  TableSettings table_settings(std::uint64_t slots) const
  {
    return {.family = std::string(Family::info.name), .slots = slots, .hash = settings_.hash, .key_bits = Format::bits};
  }
  /// Makes a table that reaches the target load with this many voxels.
  void make_table(int m, std::uint64_t voxels)
  {
    auto table = std::make_unique<Table>(exec_, table_settings(slots_for(m, voxels)));
    if (shown_[m]) {
      shown_[m]->look_at(*table);
    } else {
      shown_[m] = std::make_unique<Shown>(exec_, *table);
    }
    tables_[m] = std::move(table);
    unproven_ = true;
  }
  /// For a new grid or other settings: the counts of earlier frames no longer apply.
  void start_over(int m, std::uint64_t voxels)
  {
    headroom_[m] = 1.0;
    make_table(m, voxels);
    arrays_[m].reserve(exec_, room_for(m, voxels));
  }
  /// Whether the last frame had enough room. If not, makes more room for the next attempt.
  bool check_capacity()
  {
    exec_.download(std::span(&found_, 1), static_cast<Findings const*>(findings_.data()));
    bool sufficient = true;
    for (int m = 0; m < model_count; ++m) { sufficient = make_room(m) && sufficient; }
    unproven_ = !sufficient;
    return sufficient;
  }
  /// Whether the model had enough room. If not, makes more room. Also replaces a table whose load is off target.
  bool make_room(int m)
  {
    std::uint64_t const slots = tables_[m]->settings().slots;
    std::uint64_t const voxels = found_.counts.voxels[m];
    if (found_.counts.failed[m] != 0) {
      if (tables_[m]->reseed()) { return false; }
      // Either there are more voxels than expected, or the family cannot reach the target load.
      bool const knows_count = counted_voxels_[m] != 0;
      if (knows_count) { headroom_[m] *= 1.15; }
      make_table(m, knows_count ? counted_voxels_[m]
                                : 2 * static_cast<std::uint64_t>(static_cast<double>(slots) * target_load()));
      return false;
    }
    counted_voxels_[m] = voxels;
    bool sufficient = voxels <= arrays_[m].capacity();
    if (!sufficient) { arrays_[m].reserve(exec_, room_for(m, voxels)); }
    std::uint64_t const wanted = Table::slots_of(table_settings(slots_for(m, voxels)));
    double const ratio = static_cast<double>(wanted) / static_cast<double>(slots);
    if (ratio > max_crowding || ratio < min_crowding) {
      make_table(m, voxels);
      sufficient = false;
    }
    return sufficient;
  }

  /// --- the stages.
  /// In device memory.
  passes::Counts* counts() const { return &findings_.data()->counts; }
  Voxels<Format> voxels(int m) const { return arrays_[m].view(counts()->voxels + m); }
  Sets sets()
  {
    return {{{voxels(0), tables_[0]->view()}, {voxels(1), tables_[1]->view()}},
            settings_.grid,
            {open_[0], open_[1]},
            {points_.of[0].count, points_.of[1].count},
            {counts()->outside_grid, counts()->outside_grid + 1}};
  }

  void start_frame()
  {
    laps_.start();
    exec_.fill(findings_.data(), 1, Findings{});
    exec_.for_each(points_.items(), passes::FindKeys<Format>{points_, settings_.grid, point_keys_.data(), counts()});
    laps_.lap();
    build();
    laps_.lap();
  }

  void finish_frame(Progress const& progress)
  {
    exec_.for_each(sets().items(), passes::Intersect<Family, View>{sets()});
    laps_.lap();
    if (settings_.changes.shown) {
      exec_.for_each(sets().items(), passes::FindChanges<Family, View>{sets(), settings_.changes});
    } else {
      classifier_.run(exec_, sets(), settings_, &findings_.data()->classified, progress);
    }
    laps_.lap();
    std::uint32_t* const status = findings_.data()->status;
    using Count = passes::CountStatus<Format>;
    exec_.accumulate(Count::count(voxels(0).capacity) + Count::count(voxels(1).capacity),
                     exec::HistogramView{status, passes::status_bin_count, status_totals_.data()},
                     Count{{voxels(0), voxels(1)}, settings_.grid, section_});
    if (section_.shown) {
      passes::CountPoints const count{points_, section_, point_voxels_.data()};
      std::uint32_t* const bins = findings_.data()->points_in_section;
      exec_.accumulate(count.count(), exec::HistogramView{bins, model_count, status_totals_.data()}, count);
    }
    laps_.lap();
  }

  void build()
  {
    filler_.fill(*tables_[0], *tables_[1], {points_.of[0].count, points_.of[1].count}, point_keys_.data(),
                 counts()->failed);
    passes::BothWords<Format> const words{{tables_[0]->slot_words(), tables_[1]->slot_words()},
                                          {tables_[0]->settings().slots, tables_[1]->settings().slots}};
    exec::grow(exec_, slot_sums_, words.items() + 1);
    exec_.for_each(words.items() + 1, passes::FlagSlots<Format>{words, slot_sums_.data()});
    exec_.prefix_sums(slot_sums_.data(), words.items() + 1);
    exec_.for_each(words.items(), passes::AssignIndices<Format>{words,
                                                                slot_sums_.data(),
                                                                {voxels(0), voxels(1)},
                                                                {arrays_[0].sums(), arrays_[1].sums()},
                                                                counts()});
    passes::GatherPoints<Family, View> const gather{
        points_, sets(), point_keys_.data(), {arrays_[0].sums(), arrays_[1].sums()}, point_voxels_.data()};
    exec_.template for_each_tile<32>(gather.chunks(), gather);
    exec_.for_each(sets().items(), passes::MakeSurfels<Family, View>{sets(), {arrays_[0].sums(), arrays_[1].sums()}});
  }

  SpatialSnapshot snapshot(ShownParts const& parts)
  {
    SpatialSnapshot result;
    result.rounds = found_.classified.rounds;
    result.restarts = found_.classified.restarts;
    result.cleared = found_.classified.cleared;
    for (int m = 0; m < model_count; ++m) {
      ModelSnapshot& model = result.models.of[m];
      model.points = points_.of[m].count;
      model.outside_grid = found_.counts.outside_grid[m];
      model.voxels = found_.counts.voxels[m];
      model.points_in_section = section_.shown ? found_.points_in_section[m] : model.points - model.outside_grid;
      for (int s = 0; s < status_count; ++s) { model.status[s] = found_.status[m * status_count + s]; }
      model.shown = shown_voxels(m, parts);
    }
    std::ranges::copy(laps_.seconds(), result.stage_seconds.begin());
    return result;
  }

  std::uint64_t shown_voxels(int m, ShownParts const& parts) const
  {
    std::uint64_t shown = 0;
    for (int s = 0; s < status_count; ++s) {
      bool const belongs_to_it = belongs(parts, static_cast<Model>(m), static_cast<VoxelStatus>(s));
      if (belongs_to_it) { shown += found_.status[m * status_count + s]; }
    }
    return shown;
  }

  VoxelInfo info_of(Model model, std::uint32_t index, passes::VoxelRecord const& record) const
  {
    VoxelInfo info{.model = model,
                   .index = index,
                   .cell = cell_of_key(static_cast<Key>(record.key)),
                   .key = record.key,
                   .slot = record.slot,
                   .points = record.points,
                   .position = settings_.grid.to_world(record.surfel.position),
                   .normal = record.surfel.normal,
                   .status = record.status,
                   .seed = {},
                   .neighbours = {}};
    if (record.seed != empty_value) { info.seed = record.seed; }
    for (int face = 0; face < face_count; ++face) {
      if (record.faces[face] != no_voxel) { info.neighbours[face] = record.faces[face]; }
    }
    return info;
  }

  Exec& exec_;
  SpatialSettings settings_;
  Section section_;  ///< of the last frame
  passes::Points points_{};
  bool open_[model_count]{};
  typename Exec::Laps laps_;
  VoxelTableFiller<Family, Exec, Format> filler_;
  InstanceWriter<Family, Exec, View> writer_;
  Classifier<Exec> classifier_;
  std::unique_ptr<Table> tables_[model_count];
  std::unique_ptr<Shown> shown_[model_count];
  VoxelArrays<Exec, Format> arrays_[model_count];
  Findings found_{};                             ///< of the last frame
  bool unproven_ = true;                         ///< a table has not yet been filled successfully
  std::uint64_t counted_voxels_[model_count]{};  ///< voxels of this update, counted when the table held them all
  double headroom_[model_count]{1.0, 1.0};       ///< factor on the slots, above 1 if the target load was too high
  Buffer<Findings> findings_;
  Buffer<exec::HistogramTotals> status_totals_;
  Buffer<Key> point_keys_;
  Buffer<std::uint32_t> point_voxels_;
  Buffer<std::uint32_t> slot_sums_;
  Buffer<std::uint64_t> nearest_;
  Buffer<passes::VoxelRecord> record_;
};

template <TableFamily Family, exec::Executor Exec, PairFormat Format>
std::unique_ptr<Pipeline<Exec>> make_pipeline_of(Exec& exec)
{
  return std::make_unique<PipelineOf<Family, Exec, Format>>(exec);
}

}  // namespace slotscape::spatial
