#pragma once

#include "gpu/engine/inspected_table.hpp"
#include "gpu/tables/validation.hpp"
#include "gpu/workloads/settings.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// A snapshot of a table and its stream of keys, for the engine that made it and whose memory it uses.
class TableImage {
public:
  TableImage() = default;
  TableImage(TableImage const&) = delete;
  TableImage& operator=(TableImage const&) = delete;
  virtual ~TableImage() = default;
};

struct BatchReport {
  std::uint64_t count = 0;  ///< operations that ran; fewer than requested if live keys to erase or file keys run out
  Tally outcomes;
  double seconds = 0.0;  ///< for the table's own work, by CUDA events, or by wall clock on the CPU
};

/// Receives the number of operations since the last call; returns false to give up the rest of the batch.
using BatchWatch = std::function<bool(std::uint64_t operations)>;

/// A table of one family on one device, the keys that feed it, and its analysis. Call it from one thread; each call
/// blocks until its result is ready. Failures throw `Error` and leave the table as it was.
class Engine : public InspectedTable {
public:
  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;

  /// --- operations on given keys. outcomes (optional) must be as long as keys. If a batch has several values for one
  /// key, exactly one survives; which one is unspecified.
  virtual Tally insert(std::span<Key const> keys, std::span<Value const> values, std::span<Outcome> outcomes = {}) = 0;
  /// Writes `empty_value` for a missing key. values (optional) must be as long as keys.
  virtual Tally find(std::span<Key const> keys, std::span<Value> values = {}, std::span<Outcome> outcomes = {}) = 0;
  virtual Tally erase(std::span<Key const> keys, std::span<Outcome> outcomes = {}) = 0;
  /// Runs inserts, finds and erases in no particular order if the family's guarantees allow it; otherwise in phases,
  /// inserts first and erases last. values: in for inserts, out for finds, ignored for erases.
  virtual Tally mixed(std::span<Operation const> operations, std::span<Key const> keys, std::span<Value> values,
                      std::span<Outcome> outcomes = {}) = 0;
  /// The live pairs, in no particular order.
  virtual std::vector<Pair> pairs() = 0;

  /// --- generated operations. `set_keys` restarts the stream of keys with `seed`; the same calls then give the same
  /// keys. The keys for one home slot, and the number of distinct keys in a Zipf stream, depend on the table at which
  /// the stream is aimed: this one, or another, so that several tables get the same keys.
  virtual void set_keys(KeySettings const& settings, std::uint64_t seed, TableSettings const& aimed_at) = 0;
  void set_keys(KeySettings const& settings, std::uint64_t seed) { set_keys(settings, seed, table()); }
  virtual BatchReport run(BatchRequest const& request) = 0;
  /// Like `run`, but in parts: the operations are drawn as a whole, so they do not depend on the size of the parts.
  /// `run_part` runs the next ones. `end_batch` ends the batch, possibly before all operations have run: the stream of
  /// keys then continues with the rest, unless the operations were mixed. Nothing else changes the table in between.
  virtual void begin_batch(BatchRequest const& request) = 0;
  virtual BatchReport run_part(std::uint64_t operations) = 0;
  virtual void end_batch() = 0;
  /// On a CPU, runs everything on one thread from now on, so that the same calls always lead to the same slots. Has no
  /// effect on a GPU, where threads race for slots.
  virtual void run_in_order(bool on) = 0;
  /// `keys_drawn`: the number of keys drawn by inserts since `set_keys`. `skip_keys` draws further ones without
  /// inserting them.
  virtual std::uint64_t keys_drawn() const = 0;
  virtual void skip_keys(std::uint64_t count) = 0;
  virtual std::uint64_t batch_limit() const = 0;  ///< maximum operations of one `run`
  /// How many of `wanted` inserts should run before the next check of the table. If lookups end at an empty slot, at
  /// most half of the empty slots: without any, a lookup reads the whole table, and that must not happen in the middle
  /// of a batch.
  virtual std::uint64_t inserts_at_once(std::uint64_t wanted) = 0;
  /// From now on, runs batches in parts of about a twentieth of a second, if the family allows it, and calls `watch`
  /// after each part. An empty `watch` ends this.
  virtual void watch_batches(BatchWatch watch) = 0;

  /// --- the whole table.
  virtual void clear() = 0;
  /// How often insertions have rebuilt the table since it was cleared or rehashed (`Table::rebuilds`).
  virtual std::uint64_t rebuilds() const = 0;
  /// Moves the live pairs into a table of `slots` slots, without the tombstones, over several calls of `rehash_step`,
  /// which returns true when done; until then the old table stays in use. `rehash_progress` runs from 0 to 1.
  virtual void rehash_begin(std::uint64_t slots) = 0;
  virtual bool rehash_step() = 0;
  virtual double rehash_progress() const = 0;
  virtual void rehash_cancel() = 0;
  void rehash(std::uint64_t slots)
  {
    rehash_begin(slots);
    while (!rehash_step()) {}
  }

  /// An image takes as much memory as the table. Restoring an image restores every slot, even if the table was rehashed
  /// since, and the stream of keys.
  virtual std::unique_ptr<TableImage const> save() = 0;
  virtual void restore(TableImage const& image) = 0;

  /// --- inspection, in addition to that of every `InspectedTable`.
  ///
  /// Turns the recording of recent changes on or off. It costs a write per operation.
  virtual void record_recent(bool on) = 0;
  /// The operation step by step, without running it. Throws Error for a reserved key or value.
  virtual Trace trace(Operation operation, Key key, Value value) = 0;
};

/// Throws Error for an unknown family, a bad number of slots, or a table that does not fit in memory.
std::unique_ptr<Engine> make_engine(Backend backend, TableSettings const& settings);

/// The names of all families, and the description of a family (throws Error for an unknown name).
std::vector<std::string> family_names();
FamilyInfo const& family_info(std::string const& name);

/// Throws Error, saying what to do, if no table with these settings can be made on this backend.
void validate(TableSettings const& settings, Backend backend);
/// If the family does not support sets, or not with these settings, throws an Error that names families that do.
void validate_set(FamilyInfo const& family, TableSettings const& settings);

}  // namespace slotscape
