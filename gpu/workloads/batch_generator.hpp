#pragma once

#include "gpu/tables/family.hpp"
#include "gpu/tables/shards.hpp"
#include "gpu/workloads/batch.hpp"
#include "gpu/workloads/file_keys.hpp"
#include "gpu/workloads/live_keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace slotscape {

/// The numbers of operations in a batch. The kinds are in this order unless `mixed`.
struct DrawnBatch {
  std::uint64_t inserts = 0;
  std::uint64_t finds = 0;
  std::uint64_t erases = 0;
  bool erases_live = false;  ///< erases take distinct live keys
  StreamPlace taken{};       ///< number of stream keys that each kind takes in order
  bool mixed = false;
  bool distinct = true;  ///< no key is inserted twice
  Shuffle erased{};      ///< selects the live keys to erase

  std::uint64_t count() const { return inserts + finds + erases; }
};

/// Draws batches of operations in device memory, from new keys of a stream, live keys of the table, and keys that are
/// in neither. The same calls after `set_keys` draw the same batches.
template <exec::Executor Exec, PairFormat Format>
class BatchGenerator {
  using StoredKey = typename Format::Key;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// slots: the table's number of slots.
  BatchGenerator(Exec& exec, std::uint64_t slots) : exec_(exec), live_(exec, slots) {}

  /// Starts a stream of keys for the table `aimed_at`. Throws Error if the settings are invalid.
  void set_keys(KeySettings const& settings, std::uint64_t seed, TableSettings const& aimed_at)
  {
    auto stream = key_stream_of<Format>(settings, seed, aimed_at);
    if (settings.distribution == KeyDistribution::file) { file_.load(exec_, settings, stream); }
    settings_ = settings;
    stream_ = stream;
    next_ = {};
    batches_ = 0;
    may_repeat_ = live_stale_ || live_.count() != 0;
  }

  /// Draws keys that the stream never yields, always the same ones.
  void draw_absent(StoredKey* keys, std::uint64_t count) { exec_.for_each(count, DrawMisses<Format>{stream_, keys}); }
  /// Whether each slot of a table with that hash is equally likely to be the home of an absent key. Compiled-in hashes
  /// spread keys of all patterns. For keys aimed at one home, absent keys have the other homes.
  bool misses_have_any_home(HashChoice const& hash) const
  {
    KeyDistribution const keys = stream_.distribution;
    bool const in_patterns = keys == KeyDistribution::strided || keys == KeyDistribution::clustered;
    return hash.is_compiled_in() && (hash.kind != HashKind::identity || !in_patterns);
  }

  /// Writes at most `limit` operations to `batch`: fewer than requested if there are too few live keys to erase, or too
  /// few keys left in a file.
  DrawnBatch draw(BatchRequest const& request, std::uint64_t limit, Concurrency concurrency,
                  BatchBuffers<Exec, Format>& batch)
  {
    DrawnBatch drawn = counts_of(request, limit);
    std::uint64_t const count = drawn.count();
    if (count == 0) { return drawn; }
    batch.grow(exec_, count, limit);
    std::uint64_t const batch_seed = random64(stream_.seed, ++batches_);
    drawn.erased = make_shuffle(batch_seed, std::max<std::uint64_t>(live_.count(), 1));
    drawn.distinct = is_distinct(stream_.distribution);
    // If a key is inserted and erased at the same time, either may win. To make replays deterministic, erases get a
    // separate phase, not only if the family requires it, but also if the stream may repeat a key of the table.
    drawn.mixed = concurrency == Concurrency::mixed && drawn.distinct && !may_repeat_ &&
                  std::max({drawn.inserts, drawn.finds, drawn.erases}) != count;
    exec_.for_each(count, DrawBatch<Format>{drawn.inserts, drawn.finds, request, stream_, next_,
                                            takes_in_order(request), batch_seed + 1, live_.data(), live_.count(),
                                            drawn.erased, make_shuffle(batch_seed + 2, count), drawn.mixed,
                                            batch.operations.data(), batch.keys.data(), batch.values.data()});
    next_.insert += drawn.taken.insert;
    next_.find += drawn.taken.find;
    next_.erase += drawn.taken.erase;
    return drawn;
  }

  /// The part of a drawn batch that has run: its first `count` operations, which must not be mixed. The stream
  /// continues after these.
  DrawnBatch cut(DrawnBatch drawn, std::uint64_t count)
  {
    auto const keep = [&count](std::uint64_t& operations, std::uint64_t& taken, std::uint64_t& next) {
      operations = std::min(operations, count);
      count -= operations;
      std::uint64_t const left_out = taken - std::min(taken, operations);
      taken -= left_out;
      next -= left_out;
    };
    keep(drawn.inserts, drawn.taken.insert, next_.insert);
    keep(drawn.finds, drawn.taken.find, next_.find);
    keep(drawn.erases, drawn.taken.erase, next_.erase);
    if (drawn.count() == 0) { --batches_; }  // an empty batch counts as never drawn
    return drawn;
  }

  /// Call this after the last drawn batch has run: its outcomes show which keys are live now.
  void note_outcomes(DrawnBatch const& drawn, BatchBuffers<Exec, Format> const& batch)
  {
    if (drawn.erases_live) { live_.remove(drawn.erased, drawn.erases); }
    if (drawn.inserts != 0) {
      live_.append_inserted(batch.keys.data(), batch.operations.data(), batch.outcomes.data(), drawn.count(),
                            !drawn.distinct);
    }
    live_stale_ = !drawn.erases_live && drawn.erases != 0;
  }

  /// The number of keys that inserts have drawn since `set_keys`.
  std::uint64_t keys_drawn() const { return next_.insert; }
  /// Makes inserts continue after `count` more keys.
  void skip_keys(std::uint64_t count) { next_.insert += count; }

  /// A saved state of the stream and the live keys.
  struct Image {
    KeySettings settings;
    KeyStream<Format> stream{};
    bool may_repeat = false;
    StreamPlace next{};
    std::uint64_t batches = 0;
    Buffer<StoredKey> live;
    bool live_stale = false;
  };
  Image save() { return {settings_, stream_, may_repeat_, next_, batches_, live_.save(), live_stale_}; }
  /// `reserve` must have made room for the live keys.
  void restore(Image const& image)
  {
    KeyStream<Format> stream = image.stream;
    if (stream.distribution == KeyDistribution::file) { file_.load(exec_, image.settings, stream); }
    settings_ = image.settings;
    stream_ = stream;
    may_repeat_ = image.may_repeat;
    next_ = image.next;
    batches_ = image.batches;
    live_.restore(image.live);
    live_stale_ = image.live_stale;
  }

  /// --- the live keys of the table.
  std::uint64_t live_count() const { return live_.count(); }
  /// Call this after operations that were not drawn here; then call `rebuild_live` before drawing again.
  void note_other_operations()
  {
    live_stale_ = true;
    may_repeat_ = true;
  }
  bool is_live_stale() const { return live_stale_; }
  void rebuild_live(typename Format::Word const* words, SlotMark const* marks, std::uint64_t slots)
  {
    live_.rebuild(words, marks, slots);
    live_stale_ = false;
  }
  void note_clear()
  {
    live_.clear();
    live_stale_ = false;
    may_repeat_ = false;
  }
  /// Makes room for the live keys of a table with this many slots. Throws Error, and changes nothing, if memory runs
  /// out.
  void reserve(std::uint64_t slots) { live_.resize(slots); }
  /// Call this after the table changed its number of slots; a stream aimed at the table stays aimed at it.
  void note_resize(std::uint64_t old_slots, TableSettings const& table)
  {
    if (stream_.hasher.slots() != old_slots / table.shards) { return; }
    stream_.hasher = aimed_hasher<Format>(table);
  }

private:
  static std::uint64_t share_of(std::uint64_t count, double share)
  {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * share));
  }

  DrawnBatch counts_of(BatchRequest const& request, std::uint64_t limit) const
  {
    std::uint64_t const wanted = std::min(request.count, limit);
    DrawnBatch drawn;
    drawn.inserts = std::min(wanted, share_of(wanted, request.insert));
    std::uint64_t const rest = wanted - drawn.inserts;
    drawn.finds = request.erase == 0.0 ? rest : std::min(rest, share_of(wanted, request.find));
    drawn.erases = rest - drawn.finds;
    drawn.inserts = drawn.taken.insert = std::min(drawn.inserts, keys_left(next_.insert));
    drawn.erases_live = request.erase_keys == KeyChoice::hits;
    if (drawn.erases_live) { drawn.erases = std::min(drawn.erases, live_.count()); }
    if (!takes_in_order(request)) { return drawn; }
    if (request.find_keys == KeyChoice::stream) {
      drawn.finds = drawn.taken.find = std::min(drawn.finds, keys_left(next_.find));
    }
    if (request.erase_keys == KeyChoice::stream) {
      drawn.erases = drawn.taken.erase = std::min(drawn.erases, keys_left(next_.erase));
    }
    return drawn;
  }

  /// Whether finds and erases of stream keys take them in order, like inserts.
  bool takes_in_order(BatchRequest const& request) const
  {
    return stream_.distribution == KeyDistribution::file && !request.at_random;
  }

  /// The number of keys in the stream from `next` on.
  std::uint64_t keys_left(std::uint64_t next) const
  {
    bool const ends = stream_.distribution == KeyDistribution::file && !settings_.file_repeats;
    if (!ends) { return std::numeric_limits<std::uint64_t>::max(); }
    return stream_.file_count - std::min(next, stream_.file_count);
  }

  Exec& exec_;
  KeySettings settings_;
  KeyStream<Format> stream_{};
  FileKeys<Exec, Format> file_;
  bool may_repeat_ = false;  ///< the stream may yield keys that are in the table
  StreamPlace next_;
  std::uint64_t batches_ = 0;
  LiveKeys<Exec, Format> live_;
  bool live_stale_ = false;
};

}  // namespace slotscape
