#pragma once

#include "gpu/analysis/analyser.hpp"
#include "gpu/engine/batch_buffers.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/narrate.hpp"
#include "gpu/engine/run_operations.hpp"
#include "gpu/engine/slot_reader.hpp"
#include "gpu/error.hpp"
#include "gpu/tables/traced.hpp"
#include "gpu/workloads/batch.hpp"
#include "gpu/workloads/live_keys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>

namespace slotscape {

/// The engine of one family on one kind of device.
template <class Family, class Exec>
class EngineOf final : public Engine {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using View = typename Family::template View<typename Exec::Machine>;

public:
  explicit EngineOf(TableSettings const& settings)
      : settings_(settings),
        hasher_(hasher(settings.slots)),
        words_(exec_, settings.slots),
        live_(exec_, settings.slots),
        analyser_(exec_, settings.slots),
        name_(exec_.name())
  {
    exec_.fill(words_.data(), words_.size(), empty_word);
    set_keys({}, 1);
  }

  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return name_; }
  TableSettings const& table() const override { return settings_; }

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
    Buffer<Word> live(exec_, words_.size());
    std::uint64_t const count =
        exec_.select(words_.size(), empty_word, live.data(), LiveWord<Family>{words_.data(), hasher_});
    std::vector<Word> words(count);
    exec_.download(std::span(words), static_cast<Word const*>(live.data()));
    std::vector<Pair> pairs;
    pairs.reserve(count);
    for (Word const word : words) { pairs.push_back({key_of(word), value_of(word)}); }
    return pairs;
  }

  void set_keys(KeySettings const& settings, std::uint64_t seed) override
  {
    KeyStream stream{};
    if (settings.distribution == KeyDistribution::file) { load_file_keys(settings, stream); }
    stream.distribution = settings.distribution;
    stream.seed = random64(seed, 0x6b657973);
    stream.hasher = hasher_;
    stream.stride_bits = power_of_two(settings.stride, "stride");
    stream.cluster_bits = power_of_two(settings.cluster_length, "cluster_length");
    stream.zipf_exponent = settings.zipf_exponent;
    stream.zipf_keys = settings_.slots;
    if (!(settings.zipf_exponent > 0.0)) { throw Error("The Zipf exponent must be greater than 0."); }
    stream_ = stream;
    next_insert_ = 0;
    batches_ = 0;
    stream_repeats_ = live_stale_ || live_.count() != 0;
  }

  std::uint64_t batch_limit() const override { return Exec::batch_limit; }

  BatchReport run(BatchRequest const& request) override
  {
    require_no_rehash();
    if (live_stale_) { rebuild_live(); }
    std::uint64_t const wanted = std::min(request.count, batch_limit());
    std::uint64_t const inserts = std::min(wanted, share(wanted, request.insert));
    std::uint64_t const finds =
        request.erase == 0.0 ? wanted - inserts : std::min(wanted - inserts, share(wanted, request.find));
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
    bool const mix = settings_.deletion == Deletion::empty_value && distinct && !stream_repeats_ &&
                     std::max({inserts, finds, erases}) != count;
    exec_.for_each(count, DrawBatch{inserts, finds, request, stream_, next_insert_, batch_seed + 1, live_.data(),
                                    live_.count(), erased, make_shuffle(batch_seed + 2, count), mix,
                                    batch_.operations.data(), batch_.keys.data(), batch_.values.data()});
    BatchReport report;
    report.count = count;
    std::uint64_t const first = mix ? count : count - erases;
    report.outcomes = launch(0, first, report.seconds);
    report.outcomes += launch(first, count - first, report.seconds);
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
    measured_ = false;
    exec_.fill(words_.data(), words_.size(), empty_word);
    if (changes_.size() != 0) { exec_.fill(changes_.data(), changes_.size(), std::uint64_t{0}); }
    live_.clear();
    live_stale_ = false;
    stream_repeats_ = false;
  }

  void rehash_begin(std::uint64_t slots) override
  {
    require_no_rehash();
    TableSettings settings = settings_;
    settings.slots = slots;
    validate(settings, backend());
    if (live_stale_) { rebuild_live(); }
    if (live_.count() > slots) {
      throw Error("The table's " + std::to_string(live_.count()) + " live keys do not fit in " + std::to_string(slots) +
                  " slots: erase some, or choose a larger table.");
    }
    Rehash rehash{settings, hasher(slots), Buffer<Word>(exec_, slots), 0};
    exec_.fill(rehash.words.data(), slots, empty_word);
    rehash_ = std::move(rehash);
  }

  bool rehash_step() override
  {
    if (!rehash_) { return true; }
    std::uint64_t const count = std::min(Exec::rehash_slots, words_.size() - rehash_->moved);
    View const to{{rehash_->words.data()}, rehash_->hasher, settings_.deletion};
    exec_.tally(count, MoveLive<Family, View>{words_.data(), hasher_, rehash_->moved, to});
    rehash_->moved += count;
    if (rehash_->moved != words_.size()) { return false; }
    finish_rehash();
    return true;
  }

  double rehash_progress() const override
  {
    return rehash_ ? static_cast<double>(rehash_->moved) / static_cast<double>(words_.size()) : 1.0;
  }
  void rehash_cancel() override { rehash_.reset(); }

  Snapshot analyse(PictureRequest const& request, TexelTarget target) override
  {
    if (target.texels != nullptr && target.capacity < request.texels()) {
      throw std::logic_error("texel target too small");
    }
    Snapshot snapshot;
    exec_.start_timer();
    measure();
    if (changes_.size() != 0) { exec_.for_each(changes_.size(), passes::FadeChanges{changes_.data(), request.fade}); }
    if (target.texels != nullptr) {
      analyser_.template draw<Family>(words_.data(), hasher_, changes(), request, target.texels);
    }
    snapshot.seconds = exec_.stop_timer();
    snapshot.statistics = analyser_.statistics();
    snapshot.statistics.hit_accesses = accesses(snapshot.statistics.probe_length);
    return snapshot;
  }

  Statistics statistics() override
  {
    measured_ = true;
    Statistics statistics = analyser_.template complete<Family>(words_.data(), hasher_);
    statistics.hit_accesses = accesses(statistics.probe_length);
    return statistics;
  }

  void record_recent(bool on) override
  {
    if (on == (changes_.size() != 0)) { return; }
    changes_ = {};
    if (!on) { return; }
    changes_ = Buffer<std::uint64_t>(exec_, settings_.slots / 8);  // a byte a slot, faded eight at a time
    exec_.fill(changes_.data(), changes_.size(), std::uint64_t{0});
  }

  SlotInfo slot(Slot slot) override { return slots(std::span(&slot, 1)).front(); }

  std::vector<SlotInfo> slots(std::span<Slot const> slots) override
  {
    for (Slot const slot : slots) {
      if (slot >= settings_.slots) { throw Error("There is no slot " + std::to_string(slot) + " in this table."); }
    }
    Buffer<Slot> places(exec_, slots.size());
    Buffer<SlotInfo> infos(exec_, slots.size());
    exec_.upload(places.data(), slots);
    exec_.for_each(slots.size(), ReadSlot<Family>{words_.data(), hasher_, places.data(), infos.data()});
    std::vector<SlotInfo> result(slots.size());
    exec_.download(std::span(result), static_cast<SlotInfo const*>(infos.data()));
    return result;
  }

  Cluster cluster(Slot slot) override
  {
    if (slot >= settings_.slots) { throw Error("There is no slot " + std::to_string(slot) + " in this table."); }
    if (!measured_) { measure(); }
    Buffer<Cluster> out(exec_, 1);
    exec_.for_each(1, ReadCluster{analyser_.occupancy(), slot, out.data()});
    Cluster cluster{};
    exec_.download(std::span(&cluster, 1), static_cast<Cluster const*>(out.data()));
    return cluster;
  }

  ProbePath probe_path(Key key) override
  {
    if (is_reserved(key)) { throw Error("Key " + std::to_string(key) + " is reserved: no table holds it."); }
    SlotReader<Exec> reader(exec_, words_.data(), words_.size());
    TracedMachine::Record record{[&](Slot slot) { return reader.read(slot); }};
    ProbePath path;
    Result const result = Family::find(traced_view(record), key);
    for (TracedAccess const& access : record.accesses) { path.slots.push_back(access.slot); }
    if (result.outcome == Outcome::found) { path.value = result.value; }
    return path;
  }

  Trace trace(Operation operation, Key key, Value value) override
  {
    bool const reserved = is_reserved(key) || (operation == Operation::insert && value == empty_value);
    if (reserved) { throw Error("This key or value is reserved: no table takes it."); }
    SlotReader<Exec> reader(exec_, words_.data(), words_.size());
    TracedMachine::Record record{[&](Slot slot) { return reader.read(slot); }};
    auto const view = traced_view(record);
    Result const result = operation == Operation::insert ? Family::insert(view, key, value)
                          : operation == Operation::find ? Family::find(view, key)
                                                         : Family::erase(view, key);
    Trace trace{operation, key, operation == Operation::insert ? value : result.value, result.outcome, {}, {}};
    for (TracedAccess const& access : record.accesses) {
      Step step{static_cast<Step::Kind>(access.kind), {info(access.slot, access.found)}, {}, {}, {}};
      if (access.writes) { step.after = info(access.slot, access.written); }
      trace.steps.push_back(std::move(step));
    }
    narrate(trace, Family::info);
    return trace;
  }

  std::uint64_t memory_bytes() const override { return words_.size() * sizeof(Word); }

private:
  struct Rehash {
    TableSettings settings;
    Hasher hasher;
    Buffer<Word> words;
    std::uint64_t moved;
  };

  Hasher hasher(std::uint64_t slots) const { return {settings_.hash, static_cast<int>(std::bit_width(slots)) - 1}; }
  typename Family::template View<TracedMachine> traced_view(TracedMachine::Record& record) const
  {
    return {{&record}, hasher_, settings_.deletion};
  }
  /// A lookup of a key of measure m reads m + 1 slots.
  static Distribution accesses(Distribution lengths)
  {
    if (!lengths.histogram.empty()) { lengths.histogram.insert(lengths.histogram.begin(), 0); }
    if (lengths.count != 0) { ++lengths.mean, ++lengths.max; }
    return lengths;
  }
  SlotInfo info(Slot slot, Word word) const
  {
    Described const found = Family::describe(hasher_, slot, word);
    Slot const home = found.has_key ? hasher_.home(key_of(word)) : slot;
    return {slot, found.state, {key_of(word), value_of(word)}, home, found.has_key, found.probe_length};
  }
  View view() { return {{words_.data()}, hasher_, settings_.deletion}; }
  std::uint8_t* changes() { return changes_.size() == 0 ? nullptr : reinterpret_cast<std::uint8_t*>(changes_.data()); }

  static std::vector<Operation> uniform(Operation operation, std::size_t count)
  {
    return std::vector(count, operation);
  }
  static std::uint64_t share(std::uint64_t count, double part)
  {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * part));
  }

  static int power_of_two(std::uint32_t value, char const* name)
  {
    if (!std::has_single_bit(value)) {
      throw Error(std::string("'") + name + "' must be a power of two, not " + std::to_string(value) + ".");
    }
    return static_cast<int>(std::bit_width(value)) - 1;
  }

  void require_no_rehash() const
  {
    if (rehash_) { throw Error("A rehash is under way: let it finish, or cancel it."); }
  }

  void load_file_keys(KeySettings const& settings, KeyStream& stream)
  {
    if (!settings.file_keys || settings.file_keys->empty()) { throw Error("The key file holds no keys."); }
    std::vector<Key> const& keys = *settings.file_keys;
    file_keys_ = Buffer<Key>(exec_, keys.size());
    sorted_file_keys_ = Buffer<Key>(exec_, keys.size());
    exec_.upload(file_keys_.data(), std::span(keys));
    exec_.upload(sorted_file_keys_.data(), std::span(keys));
    exec_.sort(sorted_file_keys_.data(), keys.size());
    stream.file_keys = file_keys_.data();
    stream.sorted_file_keys = sorted_file_keys_.data();
    stream.file_count = keys.size();
  }

  /// Runs operations [first, first + count) of the batch; adds the device's time to `seconds`.
  Tally launch(std::uint64_t first, std::uint64_t count, double& seconds)
  {
    if (count == 0) { return {}; }
    measured_ = false;
    exec_.start_timer();
    Tally const tally =
        exec_.tally(count, RunOperations<Family, View>{view(), batch_.operations.data() + first,
                                                       batch_.keys.data() + first, batch_.values.data() + first,
                                                       batch_.outcomes.data() + first, changes()});
    seconds += exec_.stop_timer();
    return tally;
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
    bool const erases_apart = settings_.deletion == Deletion::tombstone_reuse;
    std::vector<std::size_t> order(keys.size());
    for (std::size_t i = 0; i < order.size(); ++i) { order[i] = i; }
    auto const apart = erases_apart
                           ? std::stable_partition(order.begin(), order.end(),
                                                   [&](std::size_t i) { return operations[i] != Operation::erase; })
                           : order.end();
    Tally tally = run_in_order(std::span(order.begin(), apart), operations, keys, values, outcomes);
    return tally += run_in_order(std::span(apart, order.end()), operations, keys, values, outcomes);
  }

  /// Runs the given operations whose numbers are in `order`, all in one launch where the batch limit allows.
  Tally run_in_order(std::span<std::size_t const> order, std::span<Operation const> operations,
                     std::span<Key const> keys, std::span<Value> values, std::span<Outcome> outcomes)
  {
    Tally tally;
    for (; !order.empty(); order = order.subspan(std::min<std::size_t>(order.size(), batch_limit()))) {
      std::size_t const count = std::min<std::size_t>(order.size(), batch_limit());
      std::vector<Operation> batch_operations(count);
      std::vector<Key> batch_keys(count);
      std::vector<Value> batch_values(count);
      for (std::size_t i = 0; i < count; ++i) {
        batch_operations[i] = operations[order[i]];
        batch_keys[i] = keys[order[i]];
        batch_values[i] = values[order[i]];
      }
      batch_.grow(exec_, count, batch_limit());
      exec_.upload(batch_.operations.data(), std::span<Operation const>(batch_operations));
      exec_.upload(batch_.keys.data(), std::span<Key const>(batch_keys));
      exec_.upload(batch_.values.data(), std::span<Value const>(batch_values));
      double seconds = 0.0;
      tally += launch(0, count, seconds);
      std::vector<Outcome> batch_outcomes(count);
      exec_.download(std::span(batch_outcomes), static_cast<Outcome const*>(batch_.outcomes.data()));
      exec_.download(std::span(batch_values), static_cast<Value const*>(batch_.values.data()));
      for (std::size_t i = 0; i < count; ++i) {
        if (operations[order[i]] == Operation::find) { values[order[i]] = batch_values[i]; }
        if (!outcomes.empty()) { outcomes[order[i]] = batch_outcomes[i]; }
      }
    }
    return tally;
  }

  void measure()
  {
    analyser_.template measure<Family>(words_.data(), hasher_);
    measured_ = true;
  }

  void rebuild_live()
  {
    live_.template rebuild<Family>(words_.data(), hasher_, settings_.slots);
    live_stale_ = false;
  }

  void finish_rehash()
  {
    Analyser<Exec> analyser(exec_, rehash_->settings.slots);
    live_.resize(rehash_->settings.slots);
    analyser_ = std::move(analyser);  // from here on nothing fails: until here, the old table is whole
    bool const records_recent = changes_.size() != 0;
    settings_ = rehash_->settings;
    hasher_ = rehash_->hasher;
    words_ = std::move(rehash_->words);
    stream_.hasher = hasher_;
    rehash_.reset();
    measured_ = false;
    if (records_recent) {
      changes_ = {};
      record_recent(true);
    }
  }

  Exec exec_;
  TableSettings settings_;
  Hasher hasher_;
  Buffer<Word> words_;
  Buffer<std::uint64_t> changes_;  ///< empty unless recent changes are recorded
  LiveKeys<Exec> live_;
  bool live_stale_ = false;  ///< operations on given keys do not keep `live_`
  Analyser<Exec> analyser_;
  bool measured_ = false;  ///< the analyser's occupancy is the table's
  std::optional<Rehash> rehash_;

  KeyStream stream_{};
  Buffer<Key> file_keys_;
  Buffer<Key> sorted_file_keys_;
  bool stream_repeats_ = false;  ///< the stream may give keys that are in the table
  std::uint64_t next_insert_ = 0;
  std::uint64_t batches_ = 0;

  BatchBuffers<Exec> batch_;
  std::string name_;
};

}  // namespace slotscape
