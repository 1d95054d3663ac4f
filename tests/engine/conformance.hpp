#pragma once

#include "tests/engine/engine_fixture.hpp"

#include "gpu/tables/shards.hpp"

#include <array>
#include <bit>
#include <string_view>
#include <utility>

namespace slotscape::testing {

/// A family on a backend, with keys of one width, in shards or not: what each test of the conformance suite runs for.
/// The suite asks each family for the guarantees it states, and holds it to them.
struct Subject {
  Backend backend;
  std::string family;
  int key_bits;
  std::uint32_t shards = 1;
};

/// Both widths of keys; for a sanitizer, one in turn with the other, unless it is to be thorough.
inline std::vector<Subject> all_subjects()
{
  std::vector<Subject> subjects;
  for (Backend const backend : {Backend::cpu, Backend::cuda}) {
    bool takes_wide = false;
    for (std::string const& family : family_names()) {
      bool const wide = family_info(family).wide;
      takes_wide = wide && !takes_wide;
      if (test::is_thorough() || !takes_wide) { subjects.push_back({backend, family, 32}); }
      if (wide && (test::is_thorough() || takes_wide)) { subjects.push_back({backend, family, 64}); }
      // One of each way to run batches: concurrently, in phases, by segments, as a whole.
      constexpr std::array<std::pair<std::string_view, std::uint32_t>, 4> sharded{
          {{"linear_probing", 3}, {"robin_hood", 2}, {"segmented_cuckoo", 2}, {"perfect_hash", 2}}};
      auto const found = std::ranges::find(sharded, family, [](auto const& each) { return each.first; });
      if (found != sharded.end()) { subjects.push_back({backend, family, 32, found->second}); }
    }
  }
  return subjects;
}

/// "cuda_linear_probing_64": tests of a device are recognised by the start of their names.
inline std::string name_of(Subject const& subject)
{
  std::string const shards = subject.shards == 1 ? "" : "_in_" + std::to_string(subject.shards) + "_shards";
  return (subject.backend == Backend::cpu ? "cpu_" : "cuda_") + subject.family + "_" +
         std::to_string(subject.key_bits) + shards;
}
inline std::string subject_name(::testing::TestParamInfo<Subject> const& info)
{
  return name_of(info.param);
}
inline std::ostream& operator<<(std::ostream& out, Subject const& subject)
{
  return out << name_of(subject);
}

#define SLOTSCAPE_FOR_EVERY_FAMILY(Suite)                                                        \
  INSTANTIATE_TEST_SUITE_P(Of, Suite, ::testing::ValuesIn(::slotscape::testing::all_subjects()), \
                           ::slotscape::testing::subject_name)

/// What the tests of the suite share.
class FamilyTest : public ::testing::TestWithParam<Subject> {
protected:
  void SetUp() override
  {
    if (GetParam().backend == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }

  static FamilyInfo const& info() { return family_info(GetParam().family); }
  static int key_bits() { return GetParam().key_bits; }
  static std::unique_ptr<Engine> make(TableSettings const& table) { return make_engine(GetParam().backend, table); }

  static std::uint32_t shards() { return GetParam().shards; }
  /// As many slots, or as few as so many shards have.
  static std::uint64_t in_shards(std::uint64_t slots) { return std::max(slots, min_slots * shards()); }
  /// Every way to delete, each parameter at both ends of its choices, and a set. The
  /// table as usual comes first.
  static std::vector<TableSettings> tables(std::uint64_t slots)
  {
    std::vector<TableSettings> tables = tables_with_values(slots);
    if (!info().keys_alone) { return tables; }
    tables.push_back(tables.front());
    tables.back().deletion = Deletion::tombstone_reuse;
    tables.back().keys_only = true;
    return tables;
  }
  static std::vector<TableSettings> tables_with_values(std::uint64_t slots)
  {
    TableSettings usual{.family = GetParam().family, .slots = in_shards(slots), .key_bits = key_bits()};
    usual.shards = shards();
    std::vector<TableSettings> tables = ways_to_delete(usual);
    for (Parameter const& parameter : info().parameters) {
      for (std::uint32_t const choice : {parameter.choices.front(), parameter.choices.back()}) {
        if (choice == parameter.fallback) { continue; }
        tables.push_back(usual);
        tables.back().parameters[std::string(parameter.name)] = choice;
      }
    }
    return tables;
  }
  static std::vector<TableSettings> ways_to_delete(TableSettings const& usual)
  {
    std::vector<TableSettings> ways{usual};
    if (info().deletes_two_ways) { ways.push_back(with(usual, Deletion::tombstone_reuse)); }
    if (info().shifts_back) { ways.push_back(with(usual, Deletion::shift)); }
    return ways;
  }
  static TableSettings with(TableSettings table, Deletion deletion)
  {
    table.deletion = deletion;
    return table;
  }

  /// Those of some numbers of slots that the family takes.
  static std::vector<std::uint64_t> allowed(std::vector<std::uint64_t> counts)
  {
    constexpr std::array<std::uint64_t, 6> primes{17, 31, 577, 1009, 2039, 4099};
    std::erase_if(counts, [&](std::uint64_t slots) {
      bool const is_prime = std::ranges::find(primes, slots) != primes.end();
      bool const fits = info().slot_counts == SlotCounts::any || std::has_single_bit(slots) ||
                        (info().slot_counts == SlotCounts::power_of_two_or_prime && is_prime);
      return !fits;
    });
    for (std::uint64_t& slots : counts) { slots = in_shards(slots); }
    return counts;
  }

  static std::string describe(TableSettings const& table)
  {
    std::string text = slotscape::testing::describe(table);
    for (auto const& [name, value] : table.parameters) { text += ", " + name + " " + std::to_string(value); }
    if (table.keys_only) { text += ", a set"; }
    return text;
  }

  /// Every eighth number of a slot, and random keys: together as many as there are slots.
  static std::vector<Key> numbers_of_slots(Engine& engine, std::mt19937& random)
  {
    std::vector<Key> keys = some_keys(engine.places(), random);
    for (std::size_t i = 0; 8 * i < keys.size(); ++i) { keys[i] = 8 * i; }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }
  /// How many random keys are guaranteed a slot, by what the family states; a small table may be less lucky than a
  /// large one, so a part of that.
  static std::size_t room(Engine& engine, double part = 1.0)
  {
    double const safe = guarantees_of(engine.family(), engine.table()).safe_load;
    return static_cast<std::size_t>(part * safe * static_cast<double>(engine.table().slots));
  }
  static constexpr double small = 0.85;

  static std::vector<Key> some_keys(std::size_t count, std::mt19937& random)
  {
    return random_keys(count, random, key_bits());
  }
};

}  // namespace slotscape::testing
