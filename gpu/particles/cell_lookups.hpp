#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/particles/engine.hpp"
#include "gpu/particles/grid_passes.hpp"
#include "gpu/workloads/batch_buffers.hpp"

#include <bit>
#include <limits>
#include <memory>
#include <string>

namespace slotscape::particles {

namespace passes {

/// The slot of each cell, and its distance from home.
struct FindSlots {
  Narrow::Word const* words;
  SlotMark const* marks;
  std::uint32_t* slots;
  std::uint32_t* probes;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const
  {
    if (state_of(marks[slot]) != SlotState::live) { return; }
    std::uint32_t const cell = value_of(words[slot]);
    slots[cell] = static_cast<std::uint32_t>(slot);
    probes[cell] = measure_of(marks[slot]);
  }
};

}  // namespace passes

/// The cells of a step in a linear probing table that maps their keys to their numbers, and the rows looked up there:
/// once per cell, not per particle.
template <exec::Executor Exec>
class CellLookups {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit CellLookups(Exec& exec) : exec_(exec) {}

  /// Numbers the cells in the order of `keys`, which are the sorted keys of `count` particles. Throws Error, with
  /// advice, if they do not fit.
  void fill(std::uint32_t const* keys, std::uint64_t count, ParticleSettings const& settings)
  {
    for (auto* const buffer : {&firsts_, &starts_, &cell_of_}) { exec::grow(exec_, *buffer, count + 1); }
    exec_.for_each(count, passes::MarkFirsts{keys, firsts_.data()});
    std::uint64_t const cells = exec_.compact(firsts_.data(), count, passes::none, starts_.data());
    exec_.fill(starts_.data() + cells, 1, static_cast<std::uint32_t>(count));
    make_table(settings, cells);
    cells_ = cells;
    exec::grow(exec_, cell_keys_, cells_);
    batch_.grow(exec_, cells_ * passes::rows * passes::cells_in_row, std::numeric_limits<std::uint64_t>::max());
    exec_.for_each(cells_, passes::DescribeCells{keys, starts_.data(), cell_keys_.data(), batch_.values.data(),
                                                 cell_of_.data()});
    run(OperationMask::inserts, cell_keys_.data(), cells_);
    inspection_->table_changed();
  }
  /// Looks up the cells around each cell.
  void look_up(CellSpace const& space)
  {
    std::uint64_t const items = cells_ * passes::rows;
    exec::grow(exec_, ranges_, items);
    exec_.for_each(items, passes::KeysOfRows{space, cell_keys_.data(), batch_.keys.data()});
    run(OperationMask::finds, batch_.keys.data(), items * passes::cells_in_row);
    exec_.for_each(items, passes::RangesOfRows{batch_.values.data(), starts_.data(), ranges_.data()});
  }

  std::uint64_t cells() const { return cells_; }
  passes::Range const* ranges() const { return ranges_.data(); }
  std::uint32_t const* cell_of() const { return cell_of_.data(); }
  InspectedTable* table() { return inspection_.get(); }

  /// Indexed by the number of a cell. Valid until the next call.
  std::uint32_t const* slots_or_probes(bool slots)
  {
    for (auto* const buffer : {&slots_, &probes_}) { exec::grow(exec_, *buffer, cells_); }
    SlotMark const* const marks = inspection_->marks();
    exec_.for_each(table_->places(), passes::FindSlots{table_->words(), marks, slots_.data(), probes_.data()});
    return (slots ? slots_ : probes_).data();
  }

private:
  void make_table(ParticleSettings const& settings, std::uint64_t cells)
  {
    constexpr std::uint64_t fewest_slots = 1024;
    std::uint64_t const fitting = std::max(std::bit_ceil(2 * cells), fewest_slots);
    std::uint64_t const slots =
        settings.slots != 0 ? settings.slots : std::max(fitting, table_ && was_fitting_ ? table_->settings().slots : 0);
    if (static_cast<double>(cells) > max_load * static_cast<double>(slots)) {
      throw Error(std::to_string(cells) + " cells fill a table of " + std::to_string(slots) +
                  " slots by more than 95 %: choose more slots, or a larger radius.");
    }
    was_fitting_ = settings.slots == 0;
    if (table_ && table_->settings().slots == slots && table_->settings().hash == settings.hash) {
      return table_->clear();
    }
    TableSettings const wanted{.slots = slots, .hash = settings.hash};
    auto table = family_on<Exec>(wanted.family).template tables<Narrow>(wanted.hash)(exec_, wanted);
    inspection_ = std::make_unique<Inspection<Exec, Narrow>>(exec_, *table);
    table_ = std::move(table);
  }
  void run(OperationMask kind, std::uint32_t const* keys, std::uint64_t count)
  {
    double seconds = 0.0;
    table_->run({count, nullptr, keys, batch_.values.data(), nullptr, nullptr, true, kind, false}, seconds);
  }

  Exec& exec_;
  std::unique_ptr<BatchTable<Exec, Narrow>> table_;
  std::unique_ptr<Inspection<Exec, Narrow>> inspection_;
  bool was_fitting_ = false;
  std::uint64_t cells_ = 0;
  BatchBuffers<Exec, Narrow> batch_;
  Buffer<std::uint32_t> firsts_;
  Buffer<std::uint32_t> starts_;  ///< start of each cell's particles
  Buffer<std::uint32_t> cell_of_;
  Buffer<std::uint32_t> cell_keys_;
  Buffer<passes::Range> ranges_;
  Buffer<std::uint32_t> slots_;
  Buffer<std::uint32_t> probes_;
};

}  // namespace slotscape::particles
