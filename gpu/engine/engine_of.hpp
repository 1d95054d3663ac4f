#pragma once

#include "gpu/engine/batch_buffers.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/engine/rehashing.hpp"
#include "gpu/engine/requests.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/engine/table_passes.hpp"
#include "gpu/error.hpp"
#include "gpu/workloads/batch.hpp"
#include "gpu/workloads/live_keys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

namespace slotscape {

/// The engine of tables on one kind of device, with keys of one width.
template <class Exec, class Bits>
class EngineOf final : public Engine {
  using StoredKey = typename Bits::Key;
  using StoredValue = typename Bits::Value;
  using Word = typename Bits::Word;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  EngineOf(TableSettings const& settings, MakeTable<Exec, Bits> make_table)
      : make_table_(make_table),
        table_(make_table(exec_, settings)),
        inspection_(exec_, *table_, absent_keys()),
        live_(exec_, slots()),
        name_(exec_.name())
  {
    Engine::set_keys({}, 1);
  }

  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return name_; }
  TableSettings const& table() const override { return table_->settings(); }
  FamilyInfo const& family() const override { return table_->info(); }
  std::uint64_t memory_bytes() const override { return table_->memory_bytes(); }

  Tally insert(std::span<Key const> keys, std::span<Value const> values, std::span<Outcome> outcomes) override
  {
    std::vector<Value> copy(values.begin(), values.end());
    return run_given(uniform(Operation::insert, keys.size()), keys, copy, outcomes);
  }
  Tally find(std::span<Key const> keys, std::span<Value> values, std::span<Outcome> outcomes) override
  {
    if (!values.empty()) { return run_given(uniform(Operation::find, keys.size()), keys, values, outcomes); }
    std::vector<Value> unused(keys.size());
    return run_given(uniform(Operation::find, keys.size()), keys, unused, outcomes);
  }
  Tally erase(std::span<Key const> keys, std::span<Outcome> outcomes) override
  {
    std::vector<Value> unused(keys.size());
    return run_given(uniform(Operation::erase, keys.size()), keys, unused, outcomes);
  }
  Tally mixed(std::span<Operation const> operations, std::span<Key const> keys, std::span<Value> values,
              std::span<Outcome> outcomes) override
  {
    return run_given(operations, keys, values, outcomes);
  }

  std::vector<Pair> pairs() override
  {
    Buffer<Word> live(exec_, slots());
    std::uint64_t const count = exec_.select(slots(), Bits::empty_word, live.data(), inspection_.live_words());
    std::vector<Word> words(count);
    exec_.download(std::span(words), static_cast<Word const*>(live.data()));
    std::vector<Pair> pairs;
    pairs.reserve(count);
    for (Word const word : words) { pairs.push_back({key_of(word), Bits::widen_value(value_of(word))}); }
    return pairs;
  }

  void set_keys(KeySettings const& settings, std::uint64_t seed, TableSettings const& aimed_at) override
  {
    KeyStream<Bits> stream{};
    if (settings.distribution == KeyDistribution::file) { load_file_keys(settings, stream); }
    stream.distribution = settings.distribution;
    stream.seed = random64(seed, 0x6b657973);
    stream.hasher = HasherOf<Bits>(aimed_at.hash, aimed_at.slots);
    stream.stride_bits = bits_of(settings.stride, "stride");
    stream.cluster_bits = bits_of(settings.cluster_length, "cluster_length");
    stream.zipf_exponent = settings.zipf_exponent;
    stream.zipf_keys = aimed_at.slots;
    if (!(settings.zipf_exponent > 0.0)) { throw Error("The Zipf exponent must be greater than 0."); }
    stream_ = stream;
    next_insert_ = 0;
    batches_ = 0;
    inspection_.absent_keys_changed();
    stream_repeats_ = live_stale_ || live_.count() != 0;
  }

  std::uint64_t batch_limit() const override { return Exec::batch_limit; }

  BatchReport run(BatchRequest const& request) override
  {
    require_no_rehash();
    if (live_stale_) { rebuild_live(); }
    std::uint64_t const wanted = std::min(request.count, batch_limit());
    std::uint64_t const inserts = std::min(wanted, share_of(wanted, request.insert));
    std::uint64_t const finds =
        request.erase == 0.0 ? wanted - inserts : std::min(wanted - inserts, share_of(wanted, request.find));
    std::uint64_t erases = wanted - inserts - finds;
    bool const takes_live = request.erase_keys == KeyChoice::hits;
    if (takes_live) { erases = std::min(erases, live_.count()); }
    std::uint64_t const count = inserts + finds + erases;
    if (count == 0) { return {}; }

    batch_.grow(exec_, count, batch_limit());
    std::uint64_t const batch_seed = random64(stream_.seed, ++batches_);
    Shuffle const erased = make_shuffle(batch_seed, std::max<std::uint64_t>(live_.count(), 1));
    bool const distinct =
        stream_.distribution != KeyDistribution::zipf && stream_.distribution != KeyDistribution::file;
    // A key inserted and erased at once may end either way. So that a replay ends the same, such keys do not meet:
    // where the stream may give a key that is in the table, erases stand apart, as where the family asks for it.
    bool const mix = family().guarantees(table()).together == Together::everything && distinct && !stream_repeats_ &&
                     std::max({inserts, finds, erases}) != count;
    exec_.for_each(count, DrawBatch<Bits>{inserts, finds, request, stream_, next_insert_, batch_seed + 1, live_.data(),
                                          live_.count(), erased, make_shuffle(batch_seed + 2, count), mix,
                                          batch_.operations.data(), batch_.keys.data(), batch_.values.data()});
    BatchReport report;
    report.count = count;
    std::uint64_t const first = mix ? count : count - erases;
    report.outcomes = launch(0, first, distinct, {inserts != 0, finds != 0, mix && erases != 0}, report.seconds);
    report.outcomes += launch(first, count - first, distinct, {false, false, true}, report.seconds);
    next_insert_ += inserts;

    if (takes_live) { live_.remove(erased, erases); }
    if (inserts != 0) {
      live_.append_inserted(batch_.keys.data(), batch_.operations.data(), batch_.outcomes.data(), count, !distinct);
    }
    live_stale_ = !takes_live && erases != 0;
    return report;
  }

  void clear() override
  {
    require_no_rehash();
    inspection_.table_changed();
    table_->clear();
    if (changes_.size() != 0) { exec_.fill(changes_.data(), changes_.size(), std::uint64_t{0}); }
    live_.clear();
    live_stale_ = false;
    stream_repeats_ = false;
  }

  void rehash_begin(std::uint64_t slots) override
  {
    require_no_rehash();
    TableSettings settings = table();
    settings.slots = slots;
    validate(settings, backend());
    if (live_stale_) { rebuild_live(); }
    if (live_.count() > slots) { throw_no_room(slots); }
    bool const at_once = family().guarantees(settings).is_static;
    rehash_.emplace(exec_, make_table_(exec_, settings), this->slots(), at_once ? this->slots() : Exec::rehash_slots);
  }

  bool rehash_step() override
  {
    if (!rehash_) { return true; }
    SlotMark const* const marks = inspection_.marks();
    if (!rehash_->step(table_->words(), marks)) {
      std::uint64_t const slots = rehash_->new_slots();
      rehash_.reset();
      throw_no_room(slots);
    }
    if (!rehash_->done()) { return false; }
    finish_rehash();
    return true;
  }

  double rehash_progress() const override { return rehash_ ? rehash_->progress() : 1.0; }
  void rehash_cancel() override { rehash_.reset(); }

  Snapshot analyse(PictureRequest const& request, TexelTarget target) override
  {
    return inspection_.analyse(request, target, {changes_.data(), changes_.size()});
  }
  Statistics statistics() override { return inspection_.statistics(); }
  SlotInfo slot(Slot slot) override { return slots(std::span(&slot, 1)).front(); }
  std::vector<SlotInfo> slots(std::span<Slot const> slots) override { return inspection_.read(slots); }
  Cluster cluster(Slot slot) override { return inspection_.cluster(slot); }
  ProbePath probe_path(Key key) override { return inspection_.probe_path(key); }

  void record_recent(bool on) override
  {
    if (on == (changes_.size() != 0)) { return; }
    changes_ = {};
    if (!on) { return; }
    changes_ = Buffer<std::uint64_t>(exec_, (slots() + 7) / 8);  // a byte a slot, faded eight at a time
    exec_.fill(changes_.data(), changes_.size(), std::uint64_t{0});
  }

  Trace trace(Operation operation, Key key, Value value) override
  {
    require_allowed(key, operation == Operation::insert ? value : 0, Bits::bits);
    return table_->trace(operation, key, value);
  }

  std::string check_invariants() override { return table_->check_invariants(); }

private:
  std::uint64_t slots() const { return table_->settings().slots; }
  std::uint8_t* changes() { return changes_.size() == 0 ? nullptr : reinterpret_cast<std::uint8_t*>(changes_.data()); }
  /// Keys that the stream never gives, for `inspection_`.
  typename Inspection<Exec, Bits>::DrawAbsentKeys absent_keys()
  {
    return [this](StoredKey* keys, std::uint64_t count) { exec_.for_each(count, DrawMisses<Bits>{stream_, keys}); };
  }

  static std::vector<Operation> uniform(Operation operation, std::size_t count)
  {
    return std::vector(count, operation);
  }
  void require_no_rehash() const
  {
    if (rehash_) { throw Error("A rehash is under way: let it finish, or cancel it."); }
  }
  [[noreturn]] void throw_no_room(std::uint64_t slots) const
  {
    throw Error("The table's " + std::to_string(live_.count()) + " live keys do not fit in " + std::to_string(slots) +
                " slots: erase some, or choose a larger table.");
  }

  void load_file_keys(KeySettings const& settings, KeyStream<Bits>& stream)
  {
    if (!settings.file_keys || settings.file_keys->empty()) { throw Error("The key file holds no keys."); }
    std::vector<StoredKey> keys(settings.file_keys->size());
    std::ranges::transform(*settings.file_keys, keys.begin(), Bits::narrow);
    file_keys_ = Buffer<StoredKey>(exec_, keys.size());
    sorted_file_keys_ = Buffer<StoredKey>(exec_, keys.size());
    exec_.upload(file_keys_.data(), std::span<StoredKey const>(keys));
    exec_.upload(sorted_file_keys_.data(), std::span<StoredKey const>(keys));
    exec_.sort(sorted_file_keys_.data(), keys.size());
    stream.file_keys = file_keys_.data();
    stream.sorted_file_keys = sorted_file_keys_.data();
    stream.file_count = keys.size();
  }

  /// Runs operations [first, first + count) of the batch; adds the device's time to `seconds`.
  Tally launch(std::uint64_t first, std::uint64_t count, bool distinct, Phase kinds, double& seconds)
  {
    if (count == 0) { return {}; }
    inspection_.table_changed();
    return table_->run({count, batch_.operations.data() + first, batch_.keys.data() + first,
                        batch_.values.data() + first, batch_.outcomes.data() + first, changes(), distinct, kinds},
                       seconds);
  }

  Tally run_given(std::span<Operation const> operations, std::span<Key const> keys, std::span<Value> values,
                  std::span<Outcome> outcomes)
  {
    require_no_rehash();
    if (operations.size() != keys.size() || values.size() != keys.size() ||
        (!outcomes.empty() && outcomes.size() != keys.size())) {
      throw std::invalid_argument("operations, keys, values and outcomes must be equally long");
    }
    live_stale_ = true;
    stream_repeats_ = true;
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Where a batch limit cuts the operations into several batches, the phases of all of them stay in order.
    if (family().guarantees(table()).together != Together::everything) {
      std::ranges::stable_sort(order, {}, [&](std::size_t i) { return operations[i]; });
    }
    Tally tally;
    for (std::span<std::size_t const> left(order); !left.empty();) {
      std::size_t const count = std::min<std::size_t>(left.size(), batch_limit());
      tally += run_given_batch(left.first(count), operations, keys, values, outcomes);
      left = left.subspan(count);
    }
    return tally;
  }

  /// Runs the given operations whose numbers are in `order` as one batch.
  Tally run_given_batch(std::span<std::size_t const> order, std::span<Operation const> operations,
                        std::span<Key const> keys, std::span<Value> values, std::span<Outcome> outcomes)
  {
    std::size_t const count = order.size();
    std::vector<Operation> batch_operations(count);
    std::vector<StoredKey> batch_keys(count);
    std::vector<StoredValue> batch_values(count);
    for (std::size_t i = 0; i < count; ++i) {
      batch_operations[i] = operations[order[i]];
      batch_keys[i] = Bits::narrow(keys[order[i]]);
      batch_values[i] = static_cast<StoredValue>(std::min<Value>(values[order[i]], Bits::empty_value));
    }
    batch_.grow(exec_, count, batch_limit());
    exec_.upload(batch_.operations.data(), std::span<Operation const>(batch_operations));
    exec_.upload(batch_.keys.data(), std::span<StoredKey const>(batch_keys));
    exec_.upload(batch_.values.data(), std::span<StoredValue const>(batch_values));
    double seconds = 0.0;
    Tally const tally = launch(0, count, false, kinds_of(batch_operations), seconds);
    std::vector<Outcome> batch_outcomes(count);
    exec_.download(std::span(batch_outcomes), static_cast<Outcome const*>(batch_.outcomes.data()));
    exec_.download(std::span(batch_values), static_cast<StoredValue const*>(batch_.values.data()));
    for (std::size_t i = 0; i < count; ++i) {
      if (operations[order[i]] == Operation::find) { values[order[i]] = Bits::widen_value(batch_values[i]); }
      if (!outcomes.empty()) { outcomes[order[i]] = batch_outcomes[i]; }
    }
    return tally;
  }

  void rebuild_live()
  {
    SlotMark const* const marks = inspection_.marks();  // before `words`, which are as of this
    live_.rebuild(table_->words(), marks, slots());
    live_stale_ = false;
  }

  void finish_rehash()
  {
    std::uint64_t const slots = rehash_->new_slots();
    Inspection<Exec, Bits> inspection(exec_, rehash_->table(), absent_keys());
    live_.resize(slots);
    inspection_ = std::move(inspection);  // from here on nothing fails: until here, the old table is whole
    bool const records_recent = changes_.size() != 0;
    if (stream_.hasher.slots() == table().slots) { stream_.hasher = HasherOf<Bits>(table().hash, slots); }
    table_ = rehash_->take();
    rehash_.reset();
    if (records_recent) {
      changes_ = {};
      record_recent(true);
    }
  }

  Exec exec_;
  MakeTable<Exec, Bits> make_table_;
  std::unique_ptr<Table<Exec, Bits>> table_;
  Inspection<Exec, Bits> inspection_;
  Buffer<std::uint64_t> changes_;  ///< empty unless recent changes are recorded
  LiveKeys<Exec, Bits> live_;
  bool live_stale_ = false;  ///< operations on given keys do not keep `live_`
  std::optional<Rehashing<Exec, Bits>> rehash_;

  KeyStream<Bits> stream_{};
  Buffer<StoredKey> file_keys_;
  Buffer<StoredKey> sorted_file_keys_;
  bool stream_repeats_ = false;  ///< the stream may give keys that are in the table
  std::uint64_t next_insert_ = 0;
  std::uint64_t batches_ = 0;

  BatchBuffers<Exec, Bits> batch_;
  std::string name_;
};

}  // namespace slotscape
