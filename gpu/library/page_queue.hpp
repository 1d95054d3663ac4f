#pragma once

#include "gpu/base/device_lost.hpp"
#include "gpu/engine/sharding.hpp"
#include "gpu/library/page_transfers.hpp"
#include "gpu/library/pair_passes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotscape::library {

/// Bytes of the memory in which keys wait for their page.
struct QueueLimits {
  std::uint64_t device;
  std::uint64_t host;
};

/// Operations that wait for the pages of their keys. A batch is dealt to the pages piece by piece, by the partition
/// (gpu/engine/partition.hpp), and each dealt piece stays in the memory of the device or, where that is full, of the
/// host. Results take the place of the keys, until they are brought back in the order asked.
template <exec::Executor Exec, PairFormat Format>
class PageQueue {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Transfers = PageTransfers<Exec>;
  using Copies = exec::CopyStream<Exec>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  static_assert(sizeof(Key) == sizeof(Value), "found values take the place of their keys");

public:
  /// Throws Error if the device cannot partition batches of this format.
  PageQueue(Exec& exec, Transfers& transfers, std::uint32_t pages, std::uint64_t keys_at_once, QueueLimits limits)
      : exec_(&exec),
        transfers_(&transfers),
        page_of_{pages},
        keys_at_once_(keys_at_once),
        limits_(limits),
        passes_(exec),
        counts_(exec, pages)
  {
    constexpr std::size_t bytes = partition::bytes_to_deal<ShardOf, Format>();
    if (bytes > exec.block_memory()) {
      throw Error("Paged tables of " + std::to_string(Format::bits) + "-bit keys need " + std::to_string(bytes >> 10) +
                  " KiB of shared memory for each block, and this GPU has " +
                  std::to_string(exec.block_memory() >> 10) + " KiB: choose another GPU" +
                  (Format::bits == 32 ? "." : ", or 32-bit keys."));
    }
  }

  /// Deals so many operations of a batch from `first` on, or fewer if the queue gets full; returns how many. What
  /// waited before is forgotten. Keys, Values: pointers into any memory, or what the device reads by place.
  template <class Keys, class Values>
  std::uint64_t deal(Operation operation, Keys const& keys, Values const& values, std::uint64_t first,
                     std::uint64_t count, bool keeps_outcomes)
  {
    begin(operation, count, keeps_outcomes);
    reserve(keys, values, count > piece_keys_ ? 2 : 1);
    std::uint64_t done = 0;
    load(stages_[0], keys, values, first, std::min(piece_keys_, count));
    while (done < count && take_piece()) {
      Stage& stage = stages_[(used_ - 1) % stages_.size()];
      std::uint64_t const size = std::min(piece_keys_, count - done);
      std::uint64_t const next = done + size;
      if (next < count) {
        load(stages_[used_ % stages_.size()], keys, values, first + next, std::min(piece_keys_, count - next));
      }
      Copies::wait_for(*exec_, stage.loaded);
      deal_piece(pieces_[used_ - 1], stage,
                 batch_of(array_of(stage.keys, keys, first + done, size),
                          array_of(stage.values, values, first + done, size), size));
      done = next;
    }
    Copies::record(*exec_, dealt_);
    transfers_->wait_for(dealt_);
    for (Stage const& stage : stages_) { transfers_->in.wait_for(stage.sent); }
    return done;
  }
  /// Nobody waits any more.
  void clear() { used_ = 0; }

  /// How many operations wait for a page.
  std::uint64_t share(std::uint32_t page) const
  {
    std::uint64_t share = 0;
    for (Piece const& piece : waiting()) { share += piece.starts[page + 1] - piece.starts[page]; }
    return share;
  }
  std::uint64_t rejected() const  ///< with keys that no table accepts
  {
    std::uint64_t rejected = 0;
    for (Piece const& piece : waiting()) { rejected += piece.count - piece.starts.back(); }
    return rejected;
  }

  /// Has a part of a page's share copied to the device: pairs as words of insertions, else keys.
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
  /// Has the results of a part of a page's share copied back. Either may be null.
  void store_results(std::uint32_t page, std::uint64_t first, std::uint64_t size, Value const* values,
                     Outcome const* outcomes)
  {
    for_each_stretch(page, first, size, [&](Piece const& piece, std::uint64_t to, std::uint64_t from, std::uint64_t n) {
      if (values != nullptr) {
        send_results(piece, piece.memory() + to * sizeof(Value), values + from, n * sizeof(Value));
      }
      if (outcomes != nullptr) {
        send_results(piece, outcomes_of(piece.memory()) + to, outcomes + from, n * sizeof(Outcome));
      }
    });
  }
  /// Brings the results to where the operations were in the batch, from `first` on: arrays in any memory, or null.
  void bring_back(Value* values, Outcome* outcomes, std::uint64_t first)
  {
    if (values == nullptr && outcomes == nullptr) { return; }
    for (std::size_t i = 0; i < used_; ++i) {
      bring_back(pieces_[i], stages_[i % stages_.size()], values == nullptr ? nullptr : values + first,
                 outcomes == nullptr ? nullptr : outcomes + first);
      first += pieces_[i].count;
    }
  }

private:
  struct Piece {
    Buffer<std::byte> on_device;
    typename Exec::template HostBuffer<std::byte> in_host;
    std::uint64_t count = 0;            ///< operations that were given
    std::vector<std::uint32_t> starts;  ///< of the pages' shares, and the end of the last

    bool is_in_host() const { return on_device.size() == 0; }
    std::byte* memory() const { return is_in_host() ? in_host.data() : on_device.data(); }
  };
  /// The part of a batch that is read, or a piece of the host's that is written, and that of results. There are two, so
  /// that one is copied while the other one is in use.
  struct Stage {
    Buffer<Key> keys;
    Buffer<Value> values;
    Buffer<std::byte> dealt;
    Buffer<Outcome> outcomes;
    typename Copies::Mark loaded;  ///< to the device
    typename Copies::Mark used;    ///< by the executor
    typename Copies::Mark sent;    ///< from the device
  };

  template <class Array, class T>
  static constexpr bool is_pointer_to = std::is_convertible_v<Array, T const*>;

  void begin(Operation operation, std::uint64_t count, bool keeps_outcomes)
  {
    used_ = 0;
    operation_ = operation;
    keeps_outcomes_ = keeps_outcomes;
    item_bytes_ = operation == Operation::insert ? sizeof(Word) : sizeof(Key);
    piece_keys_ = std::min(keys_at_once_, count);
    std::uint64_t const wanted = piece_keys_ * (item_bytes_ + (is_numbered() ? sizeof(std::uint32_t) : 0) +
                                                (keeps_outcomes ? sizeof(Outcome) : 0));
    if (wanted <= piece_bytes_) { return; }
    pieces_.clear();
    piece_bytes_ = wanted;
  }
  std::span<Piece const> waiting() const { return std::span(pieces_).first(used_); }
  /// Operations of insertions have no numbers where nobody wants their outcomes.
  bool is_numbered() const { return operation_ != Operation::insert || keeps_outcomes_; }
  std::uint32_t* numbers_of(std::byte* memory) const
  {
    return reinterpret_cast<std::uint32_t*>(memory + piece_keys_ * item_bytes_);
  }
  Outcome* outcomes_of(std::byte* memory) const
  {
    return reinterpret_cast<Outcome*>(memory + piece_keys_ * (item_bytes_ + sizeof(std::uint32_t)));
  }

  /// False if the queue is full. Throws Error if there is no memory for a single piece.
  bool take_piece()
  {
    if (used_ == pieces_.size() && !add_piece()) { return false; }
    ++used_;
    return true;
  }
  bool add_piece()
  {
    std::uint64_t held = 0;
    for (Piece const& piece : pieces_) { held += piece.is_in_host() ? 0 : piece_bytes_; }
    std::uint64_t const held_in_host = pieces_.size() * piece_bytes_ - held;
    bool const is_first = pieces_.empty();
    bool const has_host = held_in_host + piece_bytes_ <= limits_.host;
    try {
      if (held_in_host == 0 && (is_first || held + piece_bytes_ <= limits_.device)) {
        Buffer<std::byte> memory(*exec_, piece_bytes_);
        pieces_.emplace_back().on_device = std::move(memory);
        return true;
      }
    } catch (DeviceLost const&) {
      throw;
    } catch (Error const&) {
      if (is_first && !has_host) { throw; }
    }
    if (!has_host) { return false; }
    auto memory = host_bytes(*exec_, piece_bytes_, "keys that wait for their page");
    pieces_.emplace_back().in_host = std::move(memory);
    return true;
  }

  /// Makes room for the parts of the batch that are read at the same time. Memory comes in the order of the executor's
  /// work, and so may the arrays: the copies wait for it.
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
      T const* const items = array;
      return items == nullptr || Copies::is_on_device(items);
    } else {
      return false;
    }
  }
  /// Has a part of the batch copied to the device, unless the executor can read it where it is.
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
  /// Where the executor reads them, after `load`.
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
  Batch<Format> batch_of(Key const* keys, Value const* values, std::uint64_t count) const
  {
    return {.count = count,
            .operations = nullptr,
            .keys = keys,
            .values = const_cast<Value*>(values),  // they are only read
            .outcomes = nullptr,
            .changes = nullptr,
            .distinct = false,
            .kinds = mask_of(operation_),
            .keeps_outcomes = false};
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

    if (piece.is_in_host()) {
      exec::grow(*exec_, stage.dealt, piece_bytes_, piece_bytes_);
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

  /// f(piece, place in it, place in the part, how many) for each piece that has some of a part of a page's share.
  template <class F>
  void for_each_stretch(std::uint32_t page, std::uint64_t first, std::uint64_t size, F const& f) const
  {
    std::uint64_t before = 0;
    for (Piece const& piece : waiting()) {
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

  void bring_back(Piece const& piece, Stage& stage, Value* values, Outcome* outcomes)
  {
    std::byte* const dealt = piece.is_in_host() ? fetch_piece(piece, stage, values, outcomes) : piece.memory();
    bool const sends_values = values != nullptr && !Copies::is_on_device(values);
    bool const sends_outcomes = outcomes != nullptr && !Copies::is_on_device(outcomes);
    if (sends_values) { exec::grow(*exec_, stage.values, piece.count, keys_at_once_); }
    if (sends_outcomes) { exec::grow(*exec_, stage.outcomes, piece.count, keys_at_once_); }
    Batch<Format> result = batch_of(nullptr, sends_values ? stage.values.data() : values, piece.count);
    result.outcomes = sends_outcomes ? stage.outcomes.data() : outcomes;
    result.keeps_outcomes = outcomes != nullptr;
    Batch<Format> from = batch_of(nullptr, reinterpret_cast<Value const*>(dealt), piece.starts.back());
    from.outcomes = outcomes_of(dealt);

    Copies::wait_for(*exec_, stage.sent);
    if (from.count != result.count) {  // the others have reserved keys
      if (values != nullptr) { exec_->fill(result.values, result.count, Format::empty_value); }
      if (outcomes != nullptr) { exec_->fill(result.outcomes, result.count, Outcome::rejected); }
    }
    exec_->for_each(from.count, sharding::ScatterResults<Format>{from, numbers_of(dealt), result});
    Copies::record(*exec_, stage.used);
    transfers_->out.wait_for(stage.used);
    if (sends_values) { transfers_->copy_out(values, result.values, result.count * sizeof(Value)); }
    if (sends_outcomes) { transfers_->copy_out(outcomes, result.outcomes, result.count * sizeof(Outcome)); }
    transfers_->out.record(stage.sent);
  }
  /// A piece of the host's, as it is, on the device.
  std::byte* fetch_piece(Piece const& piece, Stage& stage, Value const* values, Outcome const* outcomes)
  {
    std::uint64_t const dealt = piece.starts.back();
    std::byte* const to = stage.dealt.data();
    transfers_->in.wait_for(stage.used);
    if (values != nullptr) { transfers_->copy_in(to, piece.memory(), dealt * sizeof(Value)); }
    transfers_->copy_in(numbers_of(to), numbers_of(piece.memory()), dealt * sizeof(std::uint32_t));
    if (outcomes != nullptr) {
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
  QueueLimits limits_;
  partition::Passes<Exec> passes_;
  Buffer<std::uint32_t> counts_;  ///< of a piece's keys, for each page
  std::array<Stage, 2> stages_;
  typename Copies::Mark reserved_;
  typename Copies::Mark dealt_;
  std::vector<Piece> pieces_;  ///< those of the device first; they are kept for the next batch
  std::uint64_t piece_bytes_ = 0;
  std::size_t used_ = 0;  ///< pieces that hold something
  Operation operation_ = Operation::find;
  bool keeps_outcomes_ = false;
  std::uint64_t item_bytes_ = 0;
  std::uint64_t piece_keys_ = 0;
};

}  // namespace slotscape::library
