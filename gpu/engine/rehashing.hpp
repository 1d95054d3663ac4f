#pragma once

#include "gpu/engine/table.hpp"
#include "gpu/engine/table_passes.hpp"
#include "gpu/workloads/batch.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace slotscape {

/// A rehash in progress: the live pairs of one table move into another, `chunk` slots at a time.
template <exec::Executor Exec, PairFormat Format>
class Rehashing {
  using Word = typename Format::Word;

public:
  /// slots: those of the old table; chunk: how many of them to move per step.
  Rehashing(Exec& exec, std::unique_ptr<BatchTable<Exec, Format>> table, std::uint64_t slots, std::uint64_t chunk)
      : exec_(&exec), table_(std::move(table)), slots_(slots), chunk_(std::min(chunk, slots)), live_(exec, chunk_)
  {
    batch_.grow(exec, chunk_, chunk_);
  }

  BatchTable<Exec, Format>& table() const { return *table_; }  ///< the new table
  std::uint64_t new_slots() const { return table_->settings().slots; }
  bool done() const { return moved_ == slots_; }
  double progress() const { return static_cast<double>(moved_) / static_cast<double>(slots_); }

  /// Moves the next pairs; returns whether all of them found a place. words and marks: those of the old table.
  bool step(Word const* words, SlotMark const* marks)
  {
    std::uint64_t const count = std::min(chunk_, slots_ - moved_);
    std::uint64_t const live =
        exec_->select(count, Format::empty_word, live_.data(), LiveWord<Format>{words, marks, moved_});
    exec_->for_each(live, UnpackInserts<Format>{live_.data(), batch_.operations.data(), batch_.keys.data(),
                                                batch_.values.data()});
    Batch<Format> const inserts{.count = live,
                                .operations = batch_.operations.data(),
                                .keys = batch_.keys.data(),
                                .values = batch_.values.data(),
                                .outcomes = batch_.outcomes.data(),
                                .changes = nullptr,
                                .distinct = true,
                                .kinds = OperationMask::inserts};
    double seconds = 0.0;
    moved_ += count;
    return table_->run(inserts, seconds)[Outcome::inserted] == live;
  }

  std::unique_ptr<BatchTable<Exec, Format>> take() { return std::move(table_); }

private:
  Exec* exec_;
  std::unique_ptr<BatchTable<Exec, Format>> table_;
  std::uint64_t slots_;
  std::uint64_t chunk_;
  std::uint64_t moved_ = 0;
  typename Exec::template Buffer<Word> live_;
  BatchBuffers<Exec, Format> batch_;
};

}  // namespace slotscape
