#pragma once

#include "gpu/spatial/frame.hpp"

namespace slotscape::spatial {

/// The flood-fill of disputed components, as a program for `rounds`: each voxel takes the side of its nearest seed,
/// counting steps across faces; ties go to the smallest key. Each sweep advances the fronts of all seeds by one step,
/// so the result does not depend on thread scheduling. Then, as in Alcantara et al. 2009 (6), wherever an inside and an
/// outside voxel touch, the seeds of both are cleared and the flood-fill restarts, as long as that reduces the
/// conflicts: it does where seeds are wrong, but not where the other surface has a hole.
///
/// Fronts are small, and there are hundreds of sweeps. Each voxel of a front is six items, one per face, so a sweep
/// takes only as long as one neighbour lookup.
template <class Frame>
struct Flood {
  enum class Phase : std::uint8_t { start, spread, check };
  struct State {
    Phase phase = Phase::start;
    std::uint32_t first = 0;          ///< where the current front begins in the queue,
    std::uint32_t end = 0;            ///< and where the front ends
    std::uint32_t queued_before = 0;  ///< voxels queued before the last restart
    std::uint32_t sweeps = 0;
    std::uint32_t restarts = 0;
    std::uint32_t conflicts = 0;  ///< conflicts before the last restart
  };

  Frame frame;

  SLOTSCAPE_HOST_DEVICE std::uint64_t items(State const& state) const
  {
    return state.phase == Phase::spread ? std::uint64_t{state.end - state.first} * face_count : frame.counts->disputed;
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t sweep(State const& state, std::uint64_t i) const
  {
    if (state.phase == Phase::spread) {
      return spread_across(state, frame.queue[state.first + i / face_count], static_cast<int>(i % face_count));
    }
    if (state.phase == Phase::start) { return start_at(state, frame.disputed[i]); }
    if (i == 0) {
      frame.counts->rounds = component_sweeps + state.sweeps;
      frame.counts->restarts = state.restarts;
    }
    return check_at(frame.disputed[i]);
  }
  SLOTSCAPE_HOST_DEVICE bool next(State& state, std::uint32_t changes) const
  {
    switch (state.phase) {
      case Phase::start:
        state.phase = Phase::spread;
        state.first = 0;
        state.end = changes;
        return frame.counts->disputed != 0;
      case Phase::spread:
        ++state.sweeps;
        state.first = state.end;
        state.end += changes;
        if (changes == 0) { state.phase = Phase::check; }
        return true;
      case Phase::check: break;
    }
    bool const helps = state.restarts == 0 || changes <= state.conflicts / 4 * 3;
    if (changes == 0 || !helps || state.restarts == frame.max_restarts) { return false; }
    state.phase = Phase::start;
    ++state.restarts;
    state.conflicts = changes;
    state.queued_before += state.end;
    return true;
  }

private:
  SLOTSCAPE_HOST_DEVICE std::uint32_t start_at(State const& state, std::uint32_t item) const
  {
    std::uint64_t& label = frame.labels[item];
    if (label == Label::cleared) {
      frame.roles[item] = VoxelRole::far;
      exec::fetch_add(frame.counts->cleared, 1);
    }
    bool const seeds = is_seed(frame.roles[item]);
    label = seeds ? Label{0, item}.pack() : Label::none;
    if (seeds) { enqueue(state, item); }
    return seeds;
  }

  /// Returns 1 if the item across the face was reached for the first time, otherwise 0.
  SLOTSCAPE_HOST_DEVICE std::uint32_t spread_across(State const& state, std::uint32_t item, int face) const
  {
    std::uint32_t const neighbour = frame.neighbour(item, face);
    if (neighbour == no_item || !are_joined(frame.roles[item], frame.roles[neighbour])) { return 0; }
    Label label = Label::unpack(frame.labels[item]);
    ++label.distance;
    return offer(state, neighbour, label);
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t offer(State const& state, std::uint32_t item, Label label) const
  {
    std::uint64_t seen = exec::load_relaxed(frame.labels[item]);
    while (seen == Label::none || is_better(label, Label::unpack(seen))) {
      std::uint64_t const old = exec::compare_exchange(frame.labels[item], seen, label.pack());
      if (old == seen) {
        if (seen != Label::none) { return 0; }
        enqueue(state, item);
        return 1;
      }
      seen = old;
    }
    return 0;
  }
  SLOTSCAPE_HOST_DEVICE bool is_better(Label label, Label seen) const
  {
    if (label.distance != seen.distance) { return label.distance < seen.distance; }
    return label.seed != seen.seed && frame.key(label.seed) < frame.key(seen.seed);
  }
  SLOTSCAPE_HOST_DEVICE void enqueue(State const& state, std::uint32_t item) const
  {
    frame.queue[exec::fetch_add(frame.counts->queued, 1) - state.queued_before] = item;
  }

  SLOTSCAPE_HOST_DEVICE std::uint32_t check_at(std::uint32_t item) const
  {
    std::uint32_t const seed = seed_of(item);
    if (seed == no_item) { return 0; }
    std::uint32_t conflicts = 0;
    for (int face = 1; face < face_count; face += 2) {
      std::uint32_t const neighbour = frame.neighbour(item, face);
      std::uint32_t const others = neighbour == no_item ? no_item : seed_of(neighbour);
      if (others == no_item || frame.roles[seed] == frame.roles[others]) { continue; }
      exec::store_relaxed(frame.labels[seed], Label::cleared);
      exec::store_relaxed(frame.labels[others], Label::cleared);
      ++conflicts;
    }
    return conflicts;
  }
  /// The seed from which an item far from the other surface was reached, or `no_item`.
  SLOTSCAPE_HOST_DEVICE std::uint32_t seed_of(std::uint32_t item) const
  {
    if (frame.roles[item] != VoxelRole::far) { return no_item; }
    std::uint64_t const label = frame.labels[item];
    return label == Label::none ? no_item : Label::unpack(label).seed;
  }
};

}  // namespace slotscape::spatial
