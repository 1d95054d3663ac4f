#pragma once

#include "gpu/particles/cell_lookups.hpp"
#include "gpu/particles/fluid_passes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape::particles {

namespace passes {

/// Each particle with the quantity to show.
struct Show {
  Quantity quantity;
  Body const* bodies;
  Body const* velocities;
  std::uint32_t const* cell_of;
  std::uint32_t const* of_cells;  ///< slots or probes
  Body* shown;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { shown[i] = {bodies[i].at, number(i)}; }

private:
  SLOTSCAPE_HOST_DEVICE float number(std::uint64_t i) const
  {
    switch (quantity) {
      case Quantity::speed: return sqrtf(squared_length(velocities[i].at));
      case Quantity::density: return velocities[i].number;
      case Quantity::cell: return static_cast<float>(cell_of[i]);
      default: return static_cast<float>(of_cells[cell_of[i]]);
    }
  }
};

}  // namespace passes

template <exec::Executor Exec>
class ParticleEngineOf final : public ParticleEngine {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  ParticleEngineOf() : cells_(exec_), most_near_(exec_, 1), laps_(exec_) {}

  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }

  void place(std::span<Body const> bodies, std::span<Body const> velocities, float radius,
             std::uint64_t capacity) override
  {
    if (!(radius >= min_radius && radius <= max_radius)) { throw Error("The radius must be from 0.01 to 1."); }
    if (capacity > max_particles || bodies.size() > capacity) {
      throw Error("There is room for 1048576 particles: choose fewer.");
    }
    Arrays fresh(exec_, capacity);
    arrays_ = std::move(fresh);
    near_numbers_ = {};
    count_ = searched_ = room_ = 0;
    radius_ = radius;
    add(bodies, velocities);
  }
  void add(std::span<Body const> bodies, std::span<Body const> velocities) override
  {
    std::uint64_t const more = std::min<std::uint64_t>(bodies.size(), arrays_.at.size() - count_);
    exec_.upload(arrays_.at.data() + count_, bodies.first(more));
    exec_.upload(arrays_.velocities.data() + count_, velocities.first(more));
    count_ += more;
  }

  StepSnapshot step(ParticleSettings const& settings, Stirrer const& stirrer) override
  {
    validate(settings);
    auto const seconds = static_cast<float>(step_seconds / settings.substeps);
    Motion const motion{seconds, settings.gravity, radius_ / seconds, stirrer};
    laps_.start();
    for (int substep = 0; substep < settings.substeps; ++substep) { move(settings, motion); }
    StepSnapshot snapshot = summed_up(settings);
    std::vector<double> const laps = laps_.seconds();
    for (std::size_t i = 0; i < laps.size(); ++i) { snapshot.stage_seconds[i % stage_names.size()] += laps[i]; }
    return snapshot;
  }

  double rehash(ParticleSettings const& settings) override
  {
    validate(settings);
    laps_.start();
    cells_.fill(arrays_.keys.data(), searched_, settings);
    cells_.look_up(CellSpace::of(radius_));
    laps_.lap();
    return laps_.seconds().front();
  }

  std::vector<Body> shown(Quantity quantity) override
  {
    bool const of_cells = quantity == Quantity::slot || quantity == Quantity::probe_length;
    std::uint32_t const* const numbers =
        of_cells && searched_ != 0 ? cells_.slots_or_probes(quantity == Quantity::slot) : nullptr;
    exec_.for_each(searched_, passes::Show{quantity, arrays_.at.data(), arrays_.velocities.data(), cells_.cell_of(),
                                           numbers, arrays_.spare.data()});
    return downloaded(arrays_.spare.data(), searched_);
  }
  NearFrame near() override
  {
    NearFrame frame{downloaded(arrays_.predicted.data(), searched_), {0}, {}};
    std::vector<std::uint32_t> const counts = downloaded(arrays_.near_counts.data(), searched_);
    std::vector<std::uint32_t> const numbers = downloaded(near_numbers_.data(), near_numbers_.size());
    passes::NearLists const lists = near_lists();
    for (std::uint64_t i = 0; i < searched_; ++i) {
      for (std::uint32_t place = 0; place < counts[i]; ++place) {
        frame.numbers.push_back(numbers[i * lists.per_item + place * lists.per_place]);
      }
      frame.offsets.push_back(frame.numbers.size());
    }
    return frame;
  }
  InspectedTable* table() override { return cells_.table(); }

private:
  static constexpr std::uint64_t first_room = 63;

  /// Arrays with room for the maximum number of particles.
  struct Arrays {
    Arrays() = default;
    Arrays(Exec& exec, std::uint64_t capacity)
        : keys(exec, capacity), next_keys(exec, capacity), numbers(exec, capacity), near_counts(exec, capacity)
    {
      for (Buffer<Body>* const bodies : {&at, &velocities, &before, &predicted, &moved, &spare}) {
        *bodies = Buffer<Body>(exec, capacity);
      }
      sums = Buffer<passes::Sums>(exec, exec::stretches_of(capacity));
    }
    Buffer<std::uint32_t> keys;       ///< of the cells of the last step
    Buffer<std::uint32_t> next_keys;  ///< of a step that may still fail
    Buffer<std::uint32_t> numbers;
    Buffer<std::uint32_t> near_counts;
    Buffer<Body> at;
    Buffer<Body> velocities;
    Buffer<Body> before;
    Buffer<Body> predicted;
    Buffer<Body> moved;
    Buffer<Body> spare;
    Buffer<passes::Sums> sums;
  };

  void move(ParticleSettings const& settings, Motion const& motion)
  {
    CellSpace const space = CellSpace::of(radius_);
    exec_.for_each(count_, passes::FindKeys{motion, space, arrays_.at.data(), arrays_.velocities.data(),
                                            arrays_.next_keys.data(), arrays_.numbers.data()});
    exec_.sort_pairs(arrays_.next_keys.data(), arrays_.numbers.data(), count_);
    exec_.for_each(count_, passes::Reorder{motion, arrays_.at.data(), arrays_.velocities.data(), arrays_.numbers.data(),
                                           arrays_.before.data(), arrays_.predicted.data()});
    laps_.lap();
    cells_.fill(arrays_.next_keys.data(), count_, settings);
    std::swap(arrays_.keys, arrays_.next_keys);
    cells_.look_up(space);
    laps_.lap();
    find_near();
    laps_.lap();
    relax(settings, motion);
    finish(settings, motion);
    laps_.lap();
  }

  passes::NearLists near_lists() const
  {
    constexpr bool side_by_side = Exec::backend == Backend::cuda;
    std::uint64_t const capacity = arrays_.at.size();
    return {near_numbers_.data(), arrays_.near_counts.data(), static_cast<std::uint32_t>(room_),
            side_by_side ? 1 : room_ + 1, side_by_side ? capacity : 1};
  }
  /// If a list is too short, allocates more room and searches again.
  void find_near()
  {
    std::uint64_t most = std::max(room_, first_room);
    do {
      if (most > room_) {
        near_numbers_ = {};
        near_numbers_ = Buffer<std::uint32_t>(exec_, (most + 1) * arrays_.at.size());
        room_ = most;
      }
      most = 0;
      exec_.upload(most_near_.data(), std::span<std::uint64_t const>(&most, 1));
      exec_.for_each(count_, passes::FindNear{arrays_.predicted.data(), cells_.ranges(), cells_.cell_of(),
                                              radius_ * radius_, near_lists(), most_near_.data()});
      exec_.download(std::span(&most, 1), static_cast<std::uint64_t const*>(most_near_.data()));
    } while (most > room_);
    searched_ = count_;
  }

  passes::Kernel kernel() const { return passes::Kernel::of(radius_); }
  /// The new positions are in `moved` afterwards.
  void relax(ParticleSettings const& settings, Motion const& motion)
  {
    Body const* from = arrays_.predicted.data();
    for (int i = 0; i < settings.iterations; ++i) {
      exec_.for_each(count_, passes::FindPushes{kernel(), near_lists(), from, arrays_.spare.data()});
      exec_.for_each(count_, passes::Push{kernel(), motion, near_lists(), arrays_.spare.data(), arrays_.moved.data()});
      from = arrays_.moved.data();
    }
    if (settings.iterations == 0) { exec_.copy(arrays_.moved.data(), from, count_); }
  }
  void finish(ParticleSettings const& settings, Motion const& motion)
  {
    exec_.for_each(count_,
                   passes::FindVelocities{motion, arrays_.before.data(), arrays_.moved.data(), arrays_.spare.data()});
    exec_.for_each(count_, passes::Smooth{kernel(), settings.viscosity, near_lists(), arrays_.moved.data(),
                                          arrays_.spare.data(), arrays_.velocities.data()});
    std::swap(arrays_.at, arrays_.moved);
  }

  StepSnapshot summed_up(ParticleSettings const& settings)
  {
    std::uint64_t const parts = exec::stretches_of(count_);
    exec_.template for_each_tile<32>(parts, passes::AddUp{arrays_.at.data(), arrays_.velocities.data(),
                                                          arrays_.near_counts.data(), count_, settings.gravity,
                                                          arrays_.sums.data()});
    StepSnapshot snapshot{.particles = count_, .cells = cells_.cells(), .slots = cells_.table()->table().slots};
    for (passes::Sums const& sums : downloaded(arrays_.sums.data(), parts)) {
      for (std::size_t axis = 0; axis < snapshot.momentum.size(); ++axis) {
        snapshot.momentum[axis] += sums.momentum[axis];
      }
      snapshot.kinetic += sums.kinetic;
      snapshot.potential += sums.potential;
      snapshot.near += sums.near;
      snapshot.density += sums.density;
      snapshot.densest = std::max(snapshot.densest, sums.densest);
      snapshot.fastest = std::max(snapshot.fastest, std::sqrt(sums.fastest));
    }
    if (count_ != 0) { snapshot.density /= static_cast<double>(count_); }
    return snapshot;
  }

  template <class T>
  std::vector<T> downloaded(T const* from, std::uint64_t count)
  {
    std::vector<T> to(count);
    exec_.download(std::span(to), from);
    return to;
  }

  Exec exec_;
  Arrays arrays_;
  CellLookups<Exec> cells_;
  Buffer<std::uint32_t> near_numbers_;
  Buffer<std::uint64_t> most_near_;
  typename Exec::Laps laps_;
  std::uint64_t count_ = 0;
  std::uint64_t searched_ = 0;  ///< particles in the last step: more may have been added
  std::uint64_t room_ = 0;      ///< per list
  float radius_ = 0.1f;
};

}  // namespace slotscape::particles
