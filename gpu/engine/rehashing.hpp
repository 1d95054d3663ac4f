#pragma once

#include "gpu/engine/table.hpp"
#include "gpu/engine/table_passes.hpp"
#include "gpu/workloads/batch_buffers.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace slotscape {

/// A rehash in progress: the live pairs of one table move to another, in portions that take a few milliseconds each.
template <exec::Executor Exec, PairFormat Format>
class Rehashing {
  using Word = typename Format::Word;

public:
  /// slots: of the old table; at_once: the new table takes all pairs in one batch.
  Rehashing(Exec& exec, std::unique_ptr<BatchTable<Exec, Format>> table, std::uint64_t slots, bool at_once)
      : exec_(&exec),
        table_(std::move(table)),
        slots_(slots),
        chunk_(at_once ? slots : std::min(Exec::rehash_slots, slots)),
        at_once_(at_once),
        live_(exec, chunk_)
  {
    batch_.grow(exec, chunk_, chunk_);
  }

  BatchTable<Exec, Format>& table() const { return *table_; }  ///< the new table
  std::uint64_t new_slots() const { return table_->settings().slots; }
  bool done() const { return read_ == slots_ && moved_ == found_; }
  double progress() const { return static_cast<double>(read_ - (found_ - moved_)) / static_cast<double>(slots_); }

  /// Moves the next pairs. Returns whether all of them found a place. words, marks: of the old table.
  bool step(Word const* words, SlotMark const* marks)
  {
    if (moved_ == found_) { find_live(words, marks); }
    std::uint64_t const count = std::min(at_once_ ? found_ : next_part(), found_ - moved_);
    exec_->for_each(count, UnpackInserts<Format>{live_.data() + moved_, batch_.operations.data(), batch_.keys.data(),
                                                 batch_.values.data()});
    Batch<Format> const inserts{.count = count,
                                .operations = batch_.operations.data(),
                                .keys = batch_.keys.data(),
                                .values = batch_.values.data(),
                                .outcomes = batch_.outcomes.data(),
                                .changes = nullptr,
                                .distinct = true,
                                .kinds = OperationMask::inserts};
    double seconds = 0.0;
    bool const all_found_a_place = table_->run(inserts, seconds)[Outcome::inserted] == count;
    moved_ += count;
    placed_ += count;
    if (count == 0) { return true; }
    double const fits = static_cast<double>(count) * step_seconds / std::max(seconds, 1e-9);
    part_ = static_cast<std::uint64_t>(std::clamp(fits, 1.0, static_cast<double>(4 * part_)));
    return all_found_a_place;
  }

  /// The table stays here until the result is moved from.
  std::unique_ptr<BatchTable<Exec, Format>>&& take() { return std::move(table_); }

private:
  static constexpr std::uint64_t first_part = 1u << 12;
  static constexpr double step_seconds = 0.004;

  /// At most half of the new table's empty slots: insertions get much longer as the last slots fill up.
  std::uint64_t next_part() const { return std::min(part_, std::max<std::uint64_t>(1, (new_slots() - placed_) / 2)); }

  /// Lists the pairs of the next slots.
  void find_live(Word const* words, SlotMark const* marks)
  {
    std::uint64_t const count = std::min(chunk_, slots_ - read_);
    found_ = exec_->select(count, Format::empty_word, live_.data(), LiveWord<Format>{words, marks, read_});
    moved_ = 0;
    read_ += count;
  }

  Exec* exec_;
  std::unique_ptr<BatchTable<Exec, Format>> table_;
  std::uint64_t slots_;
  std::uint64_t chunk_;  ///< old slots read at once
  bool at_once_;
  std::uint64_t part_ = first_part;  ///< number of pairs that should take `step_seconds`
  std::uint64_t read_ = 0;           ///< old slots
  std::uint64_t found_ = 0;          ///< live pairs among the slots read last
  std::uint64_t moved_ = 0;          ///< of the live pairs read last
  std::uint64_t placed_ = 0;         ///< pairs in the new table
  typename Exec::template Buffer<Word> live_;
  BatchBuffers<Exec, Format> batch_;
};

}  // namespace slotscape
