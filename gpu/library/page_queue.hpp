#pragma once

#include "gpu/engine/sharding.hpp"
#include "gpu/library/page_transfers.hpp"
#include "gpu/library/pair_passes.hpp"
#include "gpu/library/queue_pieces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace slotscape::library {

/// Operations that wait for the pages of their keys. A batch is dealt to the pages piece by piece, by the partition
/// (gpu/engine/partition.hpp), and each dealt piece stays in device memory or, if that is full, in host memory. Results
/// go directly to their destination if the executor can write there; otherwise they replace the keys until they are
/// returned in the original order.
template <exec::Executor Exec, PairFormat Format>
class PageQueue {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Transfers = PageTransfers<Exec>;
  using Copies = exec::CopyStream<Exec>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Piece = QueuePiece<Exec>;
  using Scatter = sharding::ScatterResults<Format>;
  static_assert(sizeof(Key) == sizeof(Value), "found values take the place of their keys");

public:
  /// Throws Error if the device cannot partition batches of this format.
  PageQueue(Exec& exec, Transfers& transfers, std::uint32_t pages, std::uint64_t keys_at_once, QueueLimits limits)
      : exec_(&exec),
        transfers_(&transfers),
        page_of_{pages},
        keys_at_once_(keys_at_once),
        passes_(exec),
        counts_(exec, pages),
        pieces_(exec, limits)
  {
    constexpr std::size_t bytes = partition::bytes_to_deal<ShardOf, Format>();
    if (bytes > exec.block_memory()) {
      throw Error("Paged tables of " + std::to_string(Format::bits) + "-bit keys need " + std::to_string(bytes >> 10) +
                  " KiB of shared memory for each block, and this GPU has " +
                  std::to_string(exec.block_memory() >> 10) + " KiB: choose another GPU" +
                  (Format::bits == 32 ? "." : ", or 32-bit keys."));
    }
  }

  /// The destination of a batch's results, in any memory; null if they are not wanted.
  struct Results {
    Value* values;  ///< of lookups
    Outcome* outcomes;

    Results from(std::uint64_t first) const
    {
      return {values == nullptr ? nullptr : values + first, outcomes == nullptr ? nullptr : outcomes + first};
    }
  };

  /// Deals operations of a batch from `first` on: the given number, or fewer if the queue gets full. Returns their
  /// number. Operations that waited before are dropped. Keys, Values: pointers into any memory, or iterators that the
  /// device can read at a place.
  template <class Keys, class Values>
  std::uint64_t deal(Operation operation, Keys const& keys, Values const& values, Results const& results,
                     std::uint64_t first, std::uint64_t count)
  {
    begin(operation, count, results.from(first));
    reserve(keys, values, count > piece_keys_ ? 2 : 1);
    std::uint64_t done = 0;
    load(stages_[0], keys, values, first, std::min(piece_keys_, count));
    std::size_t turn = 0;
    while (done < count) {
      Piece* const piece = pieces_.take();
      if (piece == nullptr) { break; }
      Stage& stage = stages_[turn++ % stages_.size()];
      std::uint64_t const size = std::min(piece_keys_, count - done);
      std::uint64_t const next = done + size;
      if (next < count) {
        load(stages_[turn % stages_.size()], keys, values, first + next, std::min(piece_keys_, count - next));
      }
      Copies::wait_for(*exec_, stage.loaded);
      piece->first = done;
      deal_piece(*piece, stage,
                 given(array_of(stage.keys, keys, first + done, size),
                       array_of(stage.values, values, first + done, size), size));
      done = next;
    }
    Copies::record(*exec_, dealt_);
    transfers_->wait_for(dealt_);
    for (Stage const& stage : stages_) { transfers_->in.wait_for(stage.sent); }
    return done;
  }
  /// Drops all waiting operations.
  void clear() { pieces_.clear(); }

  /// The number of operations that wait for a page.
  std::uint64_t share(std::uint32_t page) const
  {
    std::uint64_t share = 0;
    for (Piece const& piece : pieces_.used()) { share += piece.starts[page + 1] - piece.starts[page]; }
    return share;
  }
  std::uint64_t rejected() const  ///< number of operations with keys that no table accepts
  {
    std::uint64_t rejected = 0;
    for (Piece const& piece : pieces_.used()) { rejected += piece.count - piece.starts.back(); }
    return rejected;
  }

  /// Starts copying a part of a page's share to the device: pairs as words for insertions, else keys.
  void load_share(std::uint32_t page, std::uint64_t first, std::uint64_t size, void* items)
  {
    for_each_stretch(page, first, size, [&](Piece const& piece, std::uint64_t from, std::uint64_t to, std::uint64_t n) {
      std::byte* const at = static_cast<std::byte*>(items) + to * item_bytes_;
      if (piece.is_in_host()) {
        transfers_->copy_in(at, piece.memory() + from * item_bytes_, n * item_bytes_);
      } else {
        transfers_->within.copy(at, piece.memory() + from * item_bytes_, n * item_bytes_);
      }
    });
  }
  /// Makes the executor write the results of a part of a page's share directly to their destination, where it can.
  void write_results(std::uint32_t page, std::uint64_t first, std::uint64_t size, Results const& done)
  {
    for_each_stretch(page, first, size, [&](Piece const& piece, std::uint64_t at, std::uint64_t from, std::uint64_t n) {
      if (!is_written_at_once(piece)) { return; }
      Batch<Format> const dealt = batch_of({}, done.from(from), n);
      exec_->for_each(n, Scatter{dealt, numbers_of(piece.memory()) + at,
                                 batch_of({}, results_.from(piece.first), piece.count)});
    });
  }
  /// Starts copying back those results of a part of a page's share that are not written directly.
  void store_results(std::uint32_t page, std::uint64_t first, std::uint64_t size, Results const& done)
  {
    for_each_stretch(page, first, size, [&](Piece const& piece, std::uint64_t to, std::uint64_t from, std::uint64_t n) {
      if (is_written_at_once(piece)) { return; }
      if (results_.values != nullptr) {
        send_results(piece, piece.memory() + to * sizeof(Value), done.values + from, n * sizeof(Value));
      }
      if (results_.outcomes != nullptr) {
        send_results(piece, outcomes_of(piece.memory()) + to, done.outcomes + from, n * sizeof(Outcome));
      }
    });
  }
  /// Brings the copied results to their destination, after all pages are done and all copies have been made.
  void bring_back()
  {
    if (!has_results()) { return; }
    std::size_t turn = 0;
    for (Piece const& piece : pieces_.used()) {
      Stage& stage = stages_[turn++ % stages_.size()];  // the stage with which it was dealt
      if (!is_written_at_once(piece)) { bring_back(piece, stage, results_.from(piece.first)); }
    }
  }

private:
  /// Device buffers for a part of the batch being read, or for a host piece being written, and for results. There are
  /// two stages, so that one is copied while the other is in use.
  struct Stage {
    Buffer<Key> keys;
    Buffer<Value> values;
    Buffer<std::byte> dealt;
    Buffer<Outcome> outcomes;
    typename Copies::Mark loaded;  ///< copy to the device is done
    typename Copies::Mark used;    ///< executor is done
    typename Copies::Mark sent;    ///< copy from the device is done
  };

  template <class Array, class T>
  static constexpr bool is_pointer_to = std::is_convertible_v<Array, T const*>;

  void begin(Operation operation, std::uint64_t count, Results const& results)
  {
    operation_ = operation;
    results_ = results;
    results_are_in_reach_ = has_results() && is_in_reach(results.values) && is_in_reach(results.outcomes);
    item_bytes_ = operation == Operation::insert ? sizeof(Word) : sizeof(Key);
    piece_keys_ = std::min(keys_at_once_, count);
    std::uint64_t const wanted = piece_keys_ * (item_bytes_ + (is_numbered() ? sizeof(std::uint32_t) : 0) +
                                                (results.outcomes != nullptr ? sizeof(Outcome) : 0));
    pieces_.start(wanted);
  }
  bool has_results() const { return results_.values != nullptr || results_.outcomes != nullptr; }
  static bool is_in_reach(void const* array) { return array == nullptr || Copies::is_on_device(array); }
  bool is_written_at_once(Piece const& piece) const { return results_are_in_reach_ && !piece.is_in_host(); }
  /// Insertions whose outcomes are not wanted carry no numbers.
  bool is_numbered() const { return operation_ != Operation::insert || results_.outcomes != nullptr; }
  std::uint32_t* numbers_of(std::byte* memory) const
  {
    return reinterpret_cast<std::uint32_t*>(memory + piece_keys_ * item_bytes_);
  }
  Outcome* outcomes_of(std::byte* memory) const
  {
    return reinterpret_cast<Outcome*>(memory + piece_keys_ * (item_bytes_ + sizeof(std::uint32_t)));
  }

  /// Allocates buffers for the parts of the batch that are read at the same time. The copies wait for the allocation,
  /// which is in the order of the executor's work, as that of the arrays may be.
  template <class Keys, class Values>
  void reserve(Keys const& keys, Values const& values, std::size_t parts)
  {
    for (Stage& stage : std::span(stages_).first(parts)) {
      if (!is_read_in_place<Key>(keys)) { exec::grow(*exec_, stage.keys, piece_keys_, keys_at_once_); }
      if (!is_read_in_place<Value>(values)) { exec::grow(*exec_, stage.values, piece_keys_, keys_at_once_); }
    }
    Copies::record(*exec_, reserved_);
    transfers_->wait_for(reserved_);
  }
  template <class T, class Array>
  static bool is_read_in_place(Array const& array)
  {
    if constexpr (is_pointer_to<Array, T>) {
      return is_in_reach(static_cast<T const*>(array));
    } else {
      return false;
    }
  }
  /// Starts copying a part of the batch to the device, unless the executor can read it in place.
  template <class Keys, class Values>
  void load(Stage& stage, Keys const& keys, Values const& values, std::uint64_t first, std::uint64_t size)
  {
    transfers_->in.wait_for(stage.used);
    load_array(stage.keys, keys, first, size);
    load_array(stage.values, values, first, size);
    transfers_->in.record(stage.loaded);
  }
  template <class T, class Array>
  void load_array(Buffer<T>& stage, Array const& array, std::uint64_t first, std::uint64_t size)
  {
    if constexpr (is_pointer_to<Array, T>) {
      if (is_read_in_place<T>(array)) { return; }
      transfers_->copy_in(stage.data(), array + first, size * sizeof(T));
    }
  }
  /// Where the executor reads the array, after `load`.
  template <class T, class Array>
  T const* array_of(Buffer<T> const& stage, Array const& array, std::uint64_t first, std::uint64_t size)
  {
    if constexpr (is_pointer_to<Array, T>) {
      T const* const items = array;
      if (items == nullptr) { return nullptr; }
      return is_read_in_place<T>(array) ? items + first : stage.data();
    } else {
      exec_->for_each(size, CopyItems<T, Array>{array, first, stage.data()});
      return stage.data();
    }
  }
  Batch<Format> batch_of(Key const* keys, Results const& results, std::uint64_t count) const
  {
    return {.count = count,
            .operations = nullptr,
            .keys = keys,
            .values = results.values,
            .outcomes = results.outcomes,
            .changes = nullptr,
            .distinct = false,
            .kinds = mask_of(operation_),
            .keeps_outcomes = results_.outcomes != nullptr};
  }
  Batch<Format> given(Key const* keys, Value const* values, std::uint64_t count) const
  {
    return batch_of(keys, {const_cast<Value*>(values), nullptr}, count);  // only read
  }
  /// Writes the results of operations with reserved keys, if there are any: no page writes them.
  void write_rejected(Piece const& piece, Results const& to)
  {
    if (piece.starts.back() == piece.count) { return; }
    if (to.values != nullptr) { exec_->fill(to.values, piece.count, Format::empty_value); }
    if (to.outcomes != nullptr) { exec_->fill(to.outcomes, piece.count, Outcome::rejected); }
  }

  void deal_piece(Piece& piece, Stage& stage, Batch<Format> const& batch)
  {
    std::uint32_t const pages = page_of_.segments;
    exec_->fill(counts_.data(), pages, 0u);
    passes_.count_into(counts_.data(), page_of_, batch);
    std::vector<std::uint32_t> counts(pages);
    exec_->download(std::span(counts), static_cast<std::uint32_t const*>(counts_.data()));
    piece.count = batch.count;
    piece.starts.assign(1, 0);
    piece.starts.reserve(pages + std::size_t{1});
    for (std::uint32_t const count : counts) { piece.starts.push_back(piece.starts.back() + count); }

    if (is_written_at_once(piece)) { write_rejected(piece, results_.from(piece.first)); }
    if (piece.is_in_host()) {
      exec::grow(*exec_, stage.dealt, pieces_.bytes(), pieces_.bytes());
      Copies::wait_for(*exec_, stage.sent);
    }
    std::byte* const to = piece.is_in_host() ? stage.dealt.data() : piece.memory();
    scatter(batch, piece.starts, to);
    Copies::record(*exec_, stage.used);
    if (piece.is_in_host()) { send_piece(piece, stage); }
  }
  void scatter(Batch<Format> const& batch, std::span<std::uint32_t const> starts, std::byte* to)
  {
    if (operation_ != Operation::insert) {
      partition::Items<Key> const keys{reinterpret_cast<Key*>(to), numbers_of(to)};
      passes_.template deal<Operation::find, true>(page_of_, batch, starts, keys);
      return;
    }
    partition::Items<Word> const words{reinterpret_cast<Word*>(to), numbers_of(to)};
    if (is_numbered()) {
      passes_.template deal<Operation::insert, true>(page_of_, batch, starts, words);
    } else {
      passes_.template deal<Operation::insert, false>(page_of_, batch, starts, words);
    }
  }
  void send_piece(Piece const& piece, Stage& stage)
  {
    std::uint64_t const dealt = piece.starts.back();
    transfers_->out.wait_for(stage.used);
    transfers_->copy_out(piece.memory(), stage.dealt.data(), dealt * item_bytes_);
    if (is_numbered()) {
      transfers_->copy_out(numbers_of(piece.memory()), numbers_of(stage.dealt.data()), dealt * sizeof(std::uint32_t));
    }
    transfers_->out.record(stage.sent);
  }

  /// Calls f(piece, place in the piece, place in the part, size) for each piece that contains some of a part of a
  /// page's share.
  template <class F>
  void for_each_stretch(std::uint32_t page, std::uint64_t first, std::uint64_t size, F const& f) const
  {
    std::uint64_t before = 0;
    for (Piece const& piece : pieces_.used()) {
      std::uint64_t const start = piece.starts[page];
      std::uint64_t const count = piece.starts[page + 1] - start;
      std::uint64_t const begin = std::max(before, first);
      std::uint64_t const end = std::min(before + count, first + size);
      if (begin < end) { f(piece, start + (begin - before), begin - first, end - begin); }
      before += count;
    }
  }
  void send_results(Piece const& piece, void* to, void const* from, std::uint64_t bytes)
  {
    if (piece.is_in_host()) {
      transfers_->copy_out(to, from, bytes);
    } else {
      transfers_->within.copy(to, from, bytes);
    }
  }

  void bring_back(Piece const& piece, Stage& stage, Results const& to)
  {
    std::byte* const dealt = piece.is_in_host() ? fetch_piece(piece, stage) : piece.memory();
    Results staged = to;
    if (!is_in_reach(to.values)) {
      exec::grow(*exec_, stage.values, piece.count, keys_at_once_);
      staged.values = stage.values.data();
    }
    if (!is_in_reach(to.outcomes)) {
      exec::grow(*exec_, stage.outcomes, piece.count, keys_at_once_);
      staged.outcomes = stage.outcomes.data();
    }
    Copies::wait_for(*exec_, stage.sent);
    write_rejected(piece, staged);
    Results const from{reinterpret_cast<Value*>(dealt), outcomes_of(dealt)};
    exec_->for_each(piece.starts.back(), Scatter{batch_of({}, from, piece.starts.back()), numbers_of(dealt),
                                                 batch_of({}, staged, piece.count)});
    Copies::record(*exec_, stage.used);
    transfers_->out.wait_for(stage.used);
    if (staged.values != to.values) { transfers_->copy_out(to.values, staged.values, piece.count * sizeof(Value)); }
    if (staged.outcomes != to.outcomes) {
      transfers_->copy_out(to.outcomes, staged.outcomes, piece.count * sizeof(Outcome));
    }
    transfers_->out.record(stage.sent);
  }
  /// Copies a host piece to the device unchanged.
  std::byte* fetch_piece(Piece const& piece, Stage& stage)
  {
    std::uint64_t const dealt = piece.starts.back();
    std::byte* const to = stage.dealt.data();
    transfers_->in.wait_for(stage.used);
    if (results_.values != nullptr) { transfers_->copy_in(to, piece.memory(), dealt * sizeof(Value)); }
    transfers_->copy_in(numbers_of(to), numbers_of(piece.memory()), dealt * sizeof(std::uint32_t));
    if (results_.outcomes != nullptr) {
      transfers_->copy_in(outcomes_of(to), outcomes_of(piece.memory()), dealt * sizeof(Outcome));
    }
    transfers_->in.record(stage.loaded);
    Copies::wait_for(*exec_, stage.loaded);
    return to;
  }

  Exec* exec_;
  Transfers* transfers_;
  ShardOf page_of_;
  std::uint64_t keys_at_once_;
  partition::Passes<Exec> passes_;
  Buffer<std::uint32_t> counts_;  ///< number of a piece's keys for each page
  std::array<Stage, 2> stages_;
  typename Copies::Mark reserved_;
  typename Copies::Mark dealt_;
  QueuePieces<Exec> pieces_;
  Operation operation_ = Operation::find;
  Results results_{};
  bool results_are_in_reach_ = false;  ///< whether the executor can write the results directly
  std::uint64_t item_bytes_ = 0;
  std::uint64_t piece_keys_ = 0;
};

}  // namespace slotscape::library
