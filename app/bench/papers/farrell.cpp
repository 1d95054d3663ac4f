#include "app/base/text.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/papers/paper_measurement.hpp"
#include "app/bench/progress.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <random>
#include <unordered_map>

namespace slotscape {
namespace {

constexpr double his_slots = 134217728.0;  ///< 2^27
constexpr std::uint64_t his_batches = 32;  ///< 32 batches of 2^22 keys would fill his table; he inserted 31
constexpr std::uint64_t host_share = 16;   ///< std::unordered_map gets at most 1/16 of his keys, as it takes minutes

/// The milliseconds that `count` operations of one kind take; all must succeed. Nothing if it was cancelled.
std::optional<double> run_timed(Engine& engine, Operation operation, std::uint64_t count, Progress const& progress)
{
  Outcome const good = operation == Operation::insert ? Outcome::inserted
                       : operation == Operation::find ? Outcome::found
                                                      : Outcome::erased;
  double seconds = 0.0;
  for (std::uint64_t left = count; left != 0;) {
    if (progress.cancelled()) { return std::nullopt; }
    BatchReport const report = engine.run(operation == Operation::insert ? BatchRequest::inserts(left)
                                          : operation == Operation::find ? BatchRequest::finds(left, KeyChoice::hits)
                                                                         : BatchRequest::erases(left));
    require_right("operations of a batch", report.outcomes[good], std::min(left, engine.batch_limit()));
    left -= report.count;
    seconds += report.seconds;
  }
  return 1e3 * seconds;
}

std::shared_ptr<Engine> table_of(Backend backend, std::uint64_t slots)
{
  return make_engine(backend, {.family = "linear_probing", .slots = slots});
}

/// Random keys as he draws them for a table of 2^27 slots, some of them repeated. For a smaller table, the range of
/// keys is smaller, so that the share of repeated keys stays the same.
std::vector<Key> random_keys(std::uint64_t count, std::uint64_t slots, std::uint64_t seed)
{
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uint64_t const different = static_cast<std::uint64_t>(0x1p32 / his_slots) * slots;
  std::uniform_int_distribution<Key> any(0, std::min(largest_key(32), different - 1));
  std::vector<Key> keys(count);
  for (Key& key : keys) { key = any(random); }
  return keys;
}

/// Inserts one batch after another into the same table.
Experiment::Run insert_at_loads(Backend backend, std::uint64_t slots, std::size_t batches)
{
  std::shared_ptr<Engine> const engine = table_of(backend, slots);
  return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
    engine->clear();
    engine->set_keys({}, seed);
    std::vector<double> times;
    for (std::size_t batch = 0; batch < batches; ++batch) {
      auto const time = run_timed(*engine, Operation::insert, slots / his_batches, progress);
      if (!time) { return std::nullopt; }
      times.push_back(*time);
    }
    if (!run_timed(*engine, Operation::find, slots / his_batches, progress)) { return std::nullopt; }
    return times;
  };
}

/// Fills half of the slots, then deletes half of these keys: timed on the device alone, and with all the work of the
/// host program.
Experiment::Run insert_and_delete(Backend backend, std::uint64_t slots)
{
  std::shared_ptr<Engine> engine = table_of(backend, slots);
  return [=](std::uint64_t seed, Progress const& progress) mutable -> std::optional<std::vector<double>> {
    if (!engine) { engine = table_of(backend, slots); }
    engine->clear();
    engine->set_keys({}, seed);
    auto const insert = run_timed(*engine, Operation::insert, slots / 2, progress);
    auto const erase = insert ? run_timed(*engine, Operation::erase, slots / 4, progress) : std::nullopt;
    if (!erase || !run_timed(*engine, Operation::find, slots / 4, progress)) { return std::nullopt; }
    engine.reset();  // frees the memory of the table

    std::vector<Key> const keys = random_keys(slots / 2, slots, seed);
    std::vector<Value> const values(keys.size(), 1);
    auto const start = std::chrono::steady_clock::now();
    std::shared_ptr<Engine> const other = table_of(backend, slots);
    Tally const inserted = other->insert(keys, values);
    Tally const erased = other->erase(std::span(keys).first(keys.size() / 2));
    std::uint64_t const left = other->pairs().size();
    double const with_host = 1e3 * seconds_since(start);
    require_right("insertions", inserted[Outcome::inserted] + inserted[Outcome::updated], keys.size());
    require_right("pairs that are left", left, inserted[Outcome::inserted] - erased[Outcome::erased]);
    return std::vector{*insert, *erase, *insert + *erase, with_host};
  };
}

Experiment::Run host_map(std::uint64_t keys_to_insert)
{
  return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
    std::vector<Key> const keys = random_keys(keys_to_insert, 2 * keys_to_insert, seed);
    auto const start = std::chrono::steady_clock::now();
    auto map = std::make_unique<std::unordered_map<std::uint32_t, std::uint32_t>>();
    std::uint64_t done = 0;
    for (Key const key : keys) {
      (*map)[static_cast<std::uint32_t>(key)] = static_cast<std::uint32_t>(done);
      if (++done % (1u << 20) == 0 && progress.cancelled()) { return std::nullopt; }
    }
    std::uint64_t const inserted = map->size();
    std::uint64_t erased = 0;
    for (std::size_t i = 0; i < keys.size() / 2; ++i) { erased += map->erase(static_cast<std::uint32_t>(keys[i])); }
    std::uint64_t const left = map->size();
    map.reset();
    double const time = 1e3 * seconds_since(start);
    require_right("pairs that are left", left, inserted - erased);
    return std::vector{time};
  };
}

/// Probe lengths of as many random keys as he drew, some of them repeated.
Experiment::Run probe_lengths(Backend backend, std::uint64_t slots)
{
  std::shared_ptr<Engine> const engine = table_of(backend, slots);
  return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
    constexpr std::uint64_t part = 1u << 22;
    std::uint64_t const all = slots / 128 * 124;
    engine->clear();
    std::vector<double> lengths;
    for (std::uint64_t done = 0; done < all;) {
      if (progress.cancelled()) { return std::nullopt; }
      std::uint64_t const end = done < slots / 2 ? slots / 2 : all;
      std::vector<Key> const keys = random_keys(std::min(part, end - done), slots, random64(seed, done));
      std::vector<Value> const values(keys.size(), 1);
      Tally const tally = engine->insert(keys, values);
      require_right("insertions", tally[Outcome::inserted] + tally[Outcome::updated], keys.size());
      done += keys.size();
      if (done != slots / 2 && done != all) { continue; }
      Statistics const found = engine->statistics();
      lengths.push_back(found.probe_length.mean);
      lengths.push_back(static_cast<double>(found.probe_length.max));
    }
    return lengths;
  };
}

class FarrellMeasurement final : public PaperMeasurement {
public:
  FarrellMeasurement() : PaperMeasurement(farrell_2020()) {}

protected:
  std::vector<Experiment> experiments(Backend backend) const override
  {
    std::uint64_t const slots = std::bit_floor(scaled(backend, his_slots));
    double const scale = static_cast<double>(slots) / his_slots;
    std::string const table = fmt::format("in {} slots", grouped(slots));
    std::vector<Experiment> all;

    Experiment& both = all.emplace_back();
    both.what = fmt::format("insert and delete, {}", table);
    for (PrintedNumber const& printed : numbers_of(paper(), "insert_and_delete")) {
      both.compared.push_back({&printed, "linear_probing", scale * printed.keys, printed.load});
    }
    both.compared.back().note = "by the clock: memory is made, keys and pairs are copied and converted from 64 bits";
    both.make = [=] { return insert_and_delete(backend, slots); };
    both.work = static_cast<double>(slots);

    Experiment& loads = all.emplace_back();
    loads.what = fmt::format("insertion by load factor, {}", table);
    auto const printed_loads = numbers_of(paper(), "insert_at_load");
    for (std::size_t i = 0; i < printed_loads.size(); ++i) {
      loads.compared.push_back({&printed_loads[i], "linear_probing", scale * printed_loads[i].keys,
                                static_cast<double>(i) / his_batches, "distinct keys"});
    }
    loads.make = [=, count = printed_loads.size()] { return insert_at_loads(backend, slots, count); };
    loads.work = 3.0 * static_cast<double>(slots);

    Experiment& lengths = all.emplace_back();
    lengths.what = fmt::format("probe lengths, {}", table);
    for (PrintedNumber const& printed : numbers_of(paper(), "probe_length")) {
      lengths.compared.push_back({&printed, "linear_probing", scale * printed.keys, printed.load});
    }
    lengths.make = [=] { return probe_lengths(backend, slots); };
    lengths.work = 3.0 * static_cast<double>(slots);

    Experiment& host = all.emplace_back();
    PrintedNumber const& of_host = numbers_of(paper(), "unordered_map").front();
    std::uint64_t const host_keys = std::min(slots / 2, static_cast<std::uint64_t>(his_slots) / 2 / host_share);
    host.what = fmt::format("std::unordered_map with {} keys", grouped(host_keys));
    host.compared.push_back({&of_host, "std::unordered_map", 1.5 * static_cast<double>(host_keys), -1.0,
                             "on one thread of this machine's CPU, with fewer keys"});
    host.make = [=] { return host_map(host_keys); };
    host.work = 10.0 * static_cast<double>(host_keys);
    return all;
  }
};

}  // namespace

std::unique_ptr<Measurement> make_farrell_measurement()
{
  return std::make_unique<FarrellMeasurement>();
}

}  // namespace slotscape
