#pragma once

#include "gpu/engine/batch_buffers.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/engine/table_passes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace slotscape {

/// A rehash under way: the live pairs of one table move into another, so many slots at a time.
template <class Exec, class Bits>
class Rehashing {
  using Word = typename Bits::Word;

public:
  /// slots: of the old table; chunk: of them to be moved in one step.
  Rehashing(Exec& exec, std::unique_ptr<Table<Exec, Bits>> table, std::uint64_t slots, std::uint64_t chunk)
      : exec_(&exec), table_(std::move(table)), slots_(slots), chunk_(std::min(chunk, slots)), live_(exec, chunk_)
  {
    batch_.grow(exec, chunk_, chunk_);
  }

  Table<Exec, Bits>& table() const { return *table_; }  ///< the new one
  std::uint64_t new_slots() const { return table_->settings().slots; }
  bool done() const { return moved_ == slots_; }
  double progress() const { return static_cast<double>(moved_) / static_cast<double>(slots_); }

  /// Whether all of the next pairs found a place. words and marks: of the old table.
  bool step(Word const* words, SlotMark const* marks)
  {
    std::uint64_t const count = std::min(chunk_, slots_ - moved_);
    std::uint64_t const live =
        exec_->select(count, Bits::empty_word, live_.data(), LiveWord<Bits>{words, marks, moved_});
    exec_->for_each(live, UnpackInserts<Bits>{live_.data(), batch_.operations.data(), batch_.keys.data(),
                                              batch_.values.data()});
    Batch<Bits> const inserts{.count = live,
                              .operations = batch_.operations.data(),
                              .keys = batch_.keys.data(),
                              .values = batch_.values.data(),
                              .outcomes = batch_.outcomes.data(),
                              .changes = nullptr,
                              .distinct = true,
                              .kinds = {true, false, false}};
    double seconds = 0.0;
    moved_ += count;
    return table_->run(inserts, seconds)[Outcome::inserted] == live;
  }

  std::unique_ptr<Table<Exec, Bits>> take() { return std::move(table_); }

private:
  Exec* exec_;
  std::unique_ptr<Table<Exec, Bits>> table_;
  std::uint64_t slots_;
  std::uint64_t chunk_;
  std::uint64_t moved_ = 0;
  typename Exec::template Buffer<Word> live_;
  BatchBuffers<Exec, Bits> batch_;
};

}  // namespace slotscape
