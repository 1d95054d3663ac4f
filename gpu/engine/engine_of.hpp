#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/engine/make_table.hpp"
#include "gpu/engine/query_passes.hpp"
#include "gpu/engine/rehashing.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/engine/table_passes.hpp"
#include "gpu/workloads/batch_generator.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace slotscape {

/// The engine of tables on one kind of device, with keys of one width.
template <exec::Executor Exec, PairFormat Format>
class EngineOf final : public Engine {
  using StoredKey = typename Format::Key;
  using StoredValue = typename Format::Value;
  using Word = typename Format::Word;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  EngineOf(TableSettings const& settings, MakeTable<Exec, Format> make_table)
      : exec_(memories_of<Exec>(settings)),
        make_table_(make_table),
        table_(make(settings)),
        inspection_(exec_, *table_, absent_keys()),
        generator_(exec_, places()),
        name_(name_of_devices(settings))
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
    Buffer<Word> live(exec_, places());
    std::uint64_t const count = exec_.select(places(), Format::empty_word, live.data(), inspection_.live_words());
    std::vector<Word> words(count);
    exec_.download(std::span(words), static_cast<Word const*>(live.data()));
    std::vector<Pair> pairs;
    pairs.reserve(count);
    for (Word const word : words) { pairs.push_back({key_of(word), shown_value<Format>(value_of(word))}); }
    return pairs;
  }

  void set_keys(KeySettings const& settings, std::uint64_t seed, TableSettings const& aimed_at) override
  {
    generator_.set_keys(settings, seed, aimed_at);
    inspection_.absent_keys_changed();
  }

  std::uint64_t batch_limit() const override { return Exec::batch_limit; }

  BatchReport run(BatchRequest const& request) override
  {
    begin_batch(request);
    BatchReport const report = run_part(batch_limit());
    end_batch();
    return report;
  }

  void begin_batch(BatchRequest const& request) override
  {
    require_no_rehash();
    if (generator_.is_live_stale()) { rebuild_live(); }
    drawn_ = generator_.draw(request, batch_limit(), family().guarantees(table()).concurrency, batch_);
    ran_ = 0;
  }

  BatchReport run_part(std::uint64_t operations) override
  {
    std::uint64_t const end = std::min(drawn_.count(), ran_ + std::min(operations, batch_limit()));
    std::uint64_t const erases_from = drawn_.mixed ? drawn_.count() : drawn_.count() - drawn_.erases;
    auto const mask_if = [](bool any, OperationMask kind) { return any ? kind : OperationMask::none; };
    OperationMask const kinds = mask_if(drawn_.inserts != 0, OperationMask::inserts) |
                                mask_if(drawn_.finds != 0, OperationMask::finds) |
                                mask_if(drawn_.mixed && drawn_.erases != 0, OperationMask::erases);
    BatchReport report;
    std::uint64_t const others = std::min(end, erases_from);
    bool const goes_on = ran_ >= others || launch_watched(ran_, others - ran_, drawn_.distinct, kinds, report);
    std::uint64_t const first_erase = std::max(ran_, erases_from);
    if (goes_on && first_erase < end) {
      launch_watched(first_erase, end - first_erase, drawn_.distinct, OperationMask::erases, report);
    }
    ran_ += report.count;
    return report;
  }

  void end_batch() override
  {
    DrawnBatch const drawn = std::exchange(drawn_, {});
    if (drawn.count() == 0) { return; }
    if (drawn.mixed && ran_ != drawn.count()) { return generator_.note_other_operations(); }
    DrawnBatch const ran = generator_.cut(drawn, ran_);
    if (ran.count() != 0) { generator_.note_outcomes(ran, batch_); }
  }

  void run_in_order(bool on) override
  {
    if constexpr (requires(Exec & exec) { exec.run_in_order(on); }) { exec_.run_in_order(on); }
  }

  std::uint64_t keys_drawn() const override
  {
    std::uint64_t const left = drawn_.mixed ? 0 : drawn_.inserts - std::min(drawn_.inserts, ran_);
    return generator_.keys_drawn() - left;
  }
  void skip_keys(std::uint64_t count) override { generator_.skip_keys(count); }

  std::unique_ptr<TableImage const> save() override
  {
    require_no_rehash();
    auto image = std::make_unique<Image>();
    image->table = copy_of(*table_);
    image->generator = generator_.save();
    return image;
  }

  void restore(TableImage const& image) override
  {
    require_no_rehash();
    auto const& from = dynamic_cast<Image const&>(image);
    replace_table(copy_of(*from.table));
    generator_.restore(from.generator);
    inspection_.absent_keys_changed();
  }

  std::uint64_t inserts_at_once(std::uint64_t wanted) override
  {
    bool const ends_at_empty_slots = family().deletes_two_ways || family().clusters;
    if (!ends_at_empty_slots) { return wanted; }
    if (wanted > min_empty_ / 2) { min_empty_ = inspection_.counts().empty(); }
    return min_empty_ == 0 ? wanted : std::min(wanted, std::max<std::uint64_t>(1, min_empty_ / 2));
  }

  void watch_batches(BatchWatch watch) override { watch_ = std::move(watch); }

  void clear() override
  {
    require_no_rehash();
    inspection_.table_changed();
    table_->clear();
    if (changes_.size() != 0) { exec_.fill(changes_.data(), changes_.size(), std::uint64_t{0}); }
    generator_.note_clear();
  }

  void rehash_begin(std::uint64_t slots) override
  {
    require_no_rehash();
    TableSettings settings = table();
    settings.slots = slots;
    validate(settings, backend());
    if (generator_.is_live_stale()) { rebuild_live(); }
    auto table = make(settings);
    if (generator_.live_count() > table->places()) { throw_no_room(table->settings().slots); }
    bool const at_once = family().guarantees(settings).is_static;
    rehash_.emplace(exec_, std::move(table), places(), at_once);
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

  std::uint64_t rebuilds() const override { return table_->rebuilds(); }

  Snapshot analyse(PictureRequest const& request, TexelTarget target) override
  {
    Snapshot snapshot = inspection_.analyse(request, target, {changes_.data(), changes_.size()});
    count_misses_of_all_homes(snapshot.statistics);
    snapshot.statistics.rebuilds = rebuilds();
    return snapshot;
  }
  Statistics statistics() override
  {
    Statistics statistics = inspection_.statistics();
    count_misses_of_all_homes(statistics);
    statistics.rebuilds = rebuilds();
    return statistics;
  }
  Statistics counts() override { return inspection_.counts(); }
  SlotInfo slot(Slot slot) override { return slots(std::span(&slot, 1)).front(); }
  std::vector<SlotInfo> slots(std::span<Slot const> slots) override { return inspection_.slots(slots); }
  std::vector<std::vector<Slot>> nodes_by_head() override { return inspection_.nodes_by_head(); }
  Cluster cluster(Slot slot) override { return inspection_.cluster(slot); }
  ProbePath probe_path(Key key) override { return inspection_.probe_path(key); }

  void record_recent(bool on) override
  {
    if (on == (changes_.size() != 0)) { return; }
    changes_ = {};
    if (!on) { return; }
    changes_ = Buffer<std::uint64_t>(exec_, (places() + 7) / 8);  // one byte per slot, faded eight at a time
    exec_.fill(changes_.data(), changes_.size(), std::uint64_t{0});
  }

  Trace trace(Operation operation, Key key, Value value) override
  {
    bool const has_value = operation == Operation::insert && Format::has_values;
    require_allowed(key, has_value ? value : 0, Format::bits);
    return table_->trace(operation, key, value);
  }

  std::string check_invariants() override { return table_->check_invariants(); }
  ShardReport const* shards() const override { return table_->shards(); }

private:
  static constexpr double watched_seconds = 0.05;  ///< for one part of a batch
  /// On a GPU, thousands of slow operations together take hardly longer than a single operation.
  static constexpr double min_watched = Exec::backend == Backend::cuda ? 4096.0 : 1.0;

  struct Image final : TableImage {
    std::unique_ptr<BatchTable<Exec, Format>> table;
    typename BatchGenerator<Exec, Format>::Image generator;
  };

  /// "2 × NVIDIA H100", or a list of different devices.
  std::string name_of_devices(TableSettings const& settings)
  {
    bool const shares = settings.devices == ShardDevices::each;
    std::uint32_t const count = shares ? std::min(settings.shards, device_count(Exec::backend)) : 1;
    std::vector<std::string> names;
    names.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) { names.push_back(exec_.device(i).name()); }
    if (count == 1) { return names.front(); }
    if (std::ranges::count(names, names.front()) == count) { return std::to_string(count) + " × " + names.front(); }
    std::string all;
    for (std::string const& name : names) { all += (all.empty() ? "" : " + ") + name; }
    return all;
  }
  std::unique_ptr<BatchTable<Exec, Format>> make(TableSettings const& settings)
  {
    return make_table(exec_, settings, make_table_);
  }
  void count_misses_of_all_homes(Statistics& statistics) const
  {
    bool const any_home = generator_.misses_have_any_home(table().hash);
    if (family().theory == TheoryOf::linear_probing && any_home) { take_misses_of_clusters(statistics); }
  }
  std::uint8_t* changes() { return changes_.size() == 0 ? nullptr : reinterpret_cast<std::uint8_t*>(changes_.data()); }
  typename Inspection<Exec, Format>::AbsentKeys absent_keys()
  {
    return {[this](StoredKey* keys, std::uint64_t count) { generator_.draw_absent(keys, count); },
            [this] { return generator_.misses_have_any_home(table_->settings().hash); }};
  }

  static OperationMask kinds_of(std::span<Operation const> operations)
  {
    OperationMask kinds = OperationMask::none;
    for (Operation const operation : operations) { kinds = kinds | mask_of(operation); }
    return kinds;
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
    throw Error("The table's " + std::to_string(generator_.live_count()) + " live keys do not fit in " +
                std::to_string(slots) + " slots: erase some, or choose a larger table.");
  }

  /// Runs operations [first, first + count) of the batch; adds the device time to `seconds`.
  Tally launch(std::uint64_t first, std::uint64_t count, bool distinct, OperationMask kinds, double& seconds,
               bool keeps_outcomes = true)
  {
    if (count == 0) { return {}; }
    inspection_.table_changed();
    Tally const tally =
        table_->run({count, batch_.operations.data() + first, batch_.keys.data() + first, batch_.values.data() + first,
                     batch_.outcomes.data() + first, changes(), distinct, kinds, keeps_outcomes},
                    seconds);
    min_empty_ -= std::min(min_empty_, tally[Outcome::inserted]);
    return tally;
  }

  /// Runs operations [first, first + count) of the batch in parts until `watch_` objects; adds those that ran to the
  /// report. Returns whether all ran.
  bool launch_watched(std::uint64_t first, std::uint64_t count, bool distinct, OperationMask kinds, BatchReport& report)
  {
    bool const at_once = !watch_ || family().guarantees(table()).is_static;
    std::uint64_t const end = first + count;
    while (first != end) {
      std::uint64_t const part = at_once ? end - first : inserts_at_once(std::min(end - first, watched_part_));
      double seconds = 0.0;
      report.outcomes += launch(first, part, distinct, kinds, seconds, kinds != OperationMask::finds);
      report.seconds += seconds;
      report.count += part;
      first += part;
      if (!watch_) { continue; }
      double const fits = static_cast<double>(part) * watched_seconds / std::max(seconds, 1e-9);
      watched_part_ = static_cast<std::uint64_t>(
          std::clamp(fits, min_watched, static_cast<double>(std::min(4 * watched_part_, Exec::batch_limit / 32))));
      if (!watch_(part)) { return false; }
    }
    return true;
  }

  Tally run_given(std::span<Operation const> operations, std::span<Key const> keys, std::span<Value> values,
                  std::span<Outcome> outcomes)
  {
    require_no_rehash();
    if (operations.size() != keys.size() || values.size() != keys.size() ||
        (!outcomes.empty() && outcomes.size() != keys.size())) {
      throw std::invalid_argument("operations, keys, values and outcomes must be equally long");
    }
    generator_.note_other_operations();
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Keeps the phases in order even if the batch limit splits the operations into several batches.
    if (family().guarantees(table()).concurrency != Concurrency::mixed) {
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

  /// Runs the operations whose indices are in `order` as one batch.
  Tally run_given_batch(std::span<std::size_t const> order, std::span<Operation const> operations,
                        std::span<Key const> keys, std::span<Value> values, std::span<Outcome> outcomes)
  {
    std::size_t const count = order.size();
    std::vector<Operation> batch_operations(count);
    std::vector<StoredKey> batch_keys(count);
    auto const values_of_batch = std::make_unique<StoredValue[]>(count);  // vector<bool> is not contiguous
    std::span<StoredValue> const batch_values(values_of_batch.get(), count);
    for (std::size_t i = 0; i < count; ++i) {
      batch_operations[i] = operations[order[i]];
      batch_keys[i] = Format::narrow(keys[order[i]]);
      batch_values[i] = stored_value<Format>(values[order[i]]);
    }
    batch_.grow(exec_, count, batch_limit());
    exec_.upload(batch_.operations.data(), std::span<Operation const>(batch_operations));
    exec_.upload(batch_.keys.data(), std::span<StoredKey const>(batch_keys));
    exec_.upload(batch_.values.data(), std::span<StoredValue const>(batch_values));
    double seconds = 0.0;
    Tally const tally = launch(0, count, false, kinds_of(batch_operations), seconds, !outcomes.empty());
    std::vector<Outcome> batch_outcomes(count);
    exec_.download(std::span(batch_outcomes), static_cast<Outcome const*>(batch_.outcomes.data()));
    exec_.download(batch_values, static_cast<StoredValue const*>(batch_.values.data()));
    for (std::size_t i = 0; i < count; ++i) {
      if (operations[order[i]] == Operation::find) { values[order[i]] = shown_value<Format>(batch_values[i]); }
      if (!outcomes.empty()) { outcomes[order[i]] = batch_outcomes[i]; }
    }
    return tally;
  }

  void rebuild_live()
  {
    SlotMark const* const marks = inspection_.marks();  // must come before `words`, which it brings up to date
    generator_.rebuild_live(table_->words(), marks, places());
  }

  std::unique_ptr<BatchTable<Exec, Format>> copy_of(BatchTable<Exec, Format> const& table)
  {
    auto copy = make(table.settings());
    copy->copy_from(table);
    return copy;
  }

  void finish_rehash()
  {
    std::uint64_t const old_slots = table().slots;
    rehash_->table().continue_statistics_of(*table_);
    replace_table(rehash_->take());
    generator_.note_resize(old_slots, table());
    rehash_.reset();
  }

  /// Throws Error, and moves nothing, if memory runs out.
  void replace_table(std::unique_ptr<BatchTable<Exec, Format>>&& table)
  {
    Inspection<Exec, Format> inspection(exec_, *table, absent_keys());
    generator_.reserve(table->places());
    inspection_ = std::move(inspection);  // nothing fails from here on; until here, the old table is intact
    bool const records_recent = changes_.size() != 0;
    table_ = std::move(table);
    min_empty_ = 0;
    if (records_recent) {
      changes_ = {};
      record_recent(true);
    }
  }

  Exec exec_;
  MakeTable<Exec, Format> make_table_;
  std::unique_ptr<BatchTable<Exec, Format>> table_;
  Inspection<Exec, Format> inspection_;
  Buffer<std::uint64_t> changes_;  ///< empty unless recent changes are recorded
  std::optional<Rehashing<Exec, Format>> rehash_;

  BatchGenerator<Exec, Format> generator_;
  BatchBuffers<Exec, Format> batch_;
  DrawnBatch drawn_;             ///< the current batch
  std::uint64_t ran_ = 0;        ///< operations of the batch that have run
  std::uint64_t min_empty_ = 0;  ///< lower bound on the empty slots
  BatchWatch watch_;
  std::uint64_t watched_part_ = 1024;  ///< operations of the next part
  std::string name_;
};

/// The settings must be valid.
template <exec::Executor Exec>
std::unique_ptr<Engine> make_engine_of(TableSettings const& settings)
{
  FamilyOn<Exec> const& family = family_on<Exec>(settings.family);
  bool const wide = settings.key_bits == 64;
  auto const make = [&]<PairFormat Format>(std::type_identity<Format>) -> std::unique_ptr<Engine> {
    return std::make_unique<EngineOf<Exec, Format>>(settings, family.template tables<Format>(settings.hash));
  };
  if (settings.keys_only) { return wide ? make(std::type_identity<WideSet>{}) : make(std::type_identity<NarrowSet>{}); }
  return wide ? make(std::type_identity<Wide>{}) : make(std::type_identity<Narrow>{});
}

}  // namespace slotscape
