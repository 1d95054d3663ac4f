#include "app/tuning/candidates.hpp"

#include "app/base/text.hpp"
#include "app/bench/table_benches.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace slotscape::tuning {
namespace {

constexpr std::array coarse_loads{0.5, 0.75, 0.9};
constexpr std::array coarse_loads_of_shards{0.75};
constexpr double lowest_load = 0.3;
constexpr double highest_load = 0.98;
constexpr double rounding = 1e-9;

constexpr double highest_load_of_keys = 0.9;  ///< for the key table of a multi-value table

/// Tables from other libraries choose their own load: memory is reserved for the number of keys.
constexpr double load_of_others = 0.9;

/// Bytes per operation beside the table: a batch, and a file's keys.
constexpr double bytes_of_an_operation = 26.0;
/// Extra bytes for partitioning to shards: key, value, outcome and number.
constexpr double bytes_of_dealing = 21.0;
/// Bytes per row of a join: its key and number, its range, the data for checking, and one result row.
constexpr double bytes_of_a_row = 48.0;

/// The deletion to try first in a family that supports both: the one that makes slots reusable, if the workload needs
/// that. Sets support only that one.
Deletion usual_deletion(FamilyInfo const& family, Workload const& workload)
{
  if (!workload.needs_values()) { return Deletion::tombstone_reuse; }
  bool const reuses = family.deletes_two_ways && workload.replaces_keys();
  return reuses ? Deletion::tombstone_reuse : Deletion::empty_value;
}

/// Why operations of the workload cannot run concurrently in this table.
LazyText cannot_run_at_once(Workload const& workload, Guarantees const& guarantees)
{
  std::array const shares{workload.insert, workload.hit + workload.miss, workload.erase};
  auto const kinds = std::ranges::count_if(shares, [](double share) { return share > 0.0; });
  if (!workload.at_once || kinds < 2 || guarantees.concurrency == Concurrency::mixed) { return {}; }
  if (guarantees.concurrency == Concurrency::phased || guarantees.concurrency == Concurrency::erases_alone) {
    return translatable("it cannot run operations of different kinds at once");
  }
  if (workload.erase <= 0.0) { return {}; }
  return translatable("it cannot run erasures at the same time as other operations");
}

LazyText is_rebuilt_too_often(Workload const& workload, std::uint64_t keys, Guarantees const& guarantees)
{
  bool const many_batches = workload.batch != 0 && workload.batch < keys;
  if (!guarantees.is_static || workload.insert <= 0.0) { return {}; }
  if (workload.erase <= 0.0 && !many_batches) { return {}; }
  return translatable("each batch of insertions would rebuild it");
}

LazyText takes_too_much(Backend backend, Workload const& workload, std::uint64_t keys, TableSettings const& table)
{
  std::uint64_t const places = places_of(bench::subject_info(table.family), table);
  auto const pairs = static_cast<double>(bytes_of_pairs(table, places));
  double const a_key = pairs / static_cast<double>(keys);
  if (workload.max_bytes > 0.0 && a_key > workload.max_bytes) {
    return [a_key, budget = workload.max_bytes] {
      return tr("its slots alone take {:.1f} bytes a key, but the budget is {:.1f}", a_key, budget);
    };
  }
  auto const rows = static_cast<double>(workload.join ? workload.build_rows() + workload.probe_rows() : 0);
  double const of_batch = bytes_of_an_operation + (table.shards == 1 ? 0.0 : bytes_of_dealing);
  double const needed = 1.25 * pairs * share_of_first_device(table, device_count(backend)) +
                        of_batch * static_cast<double>(keys) + bytes_of_a_row * rows;
  auto const free = static_cast<double>(free_memory(backend));
  if (needed <= free) { return {}; }
  return [needed, free] {
    return tr("it takes about {} to measure, but only {} is free", bytes_text(static_cast<std::uint64_t>(needed)),
              bytes_text(static_cast<std::uint64_t>(free)));
  };
}

double safe_load_of(TableSettings const& table)
{
  return guarantees_of(bench::subject_info(table.family), table).safe_load;
}

/// A load below the safe load by the rounding of slots. For shards, also safe at their smallest number of slots.
double below_safe(TableSettings const& table, std::uint64_t keys)
{
  double safe = safe_load_of(table);
  if (table.shards != 1) { safe = std::min(safe, safe_load_of(candidate_of(table, 1.0, keys).table)); }
  return std::floor(safe * 200.0) / 200.0;
}

/// Whether a parameter exists for textbook examples and does not affect speed.
bool is_for_textbooks(Parameter const& parameter)
{
  return parameter.is_by_hand || parameter.is_for_textbooks;
}

/// Whether a parameter affects speed and memory.
bool is_tuned(Parameter const& parameter)
{
  return parameter.is_tuned && !is_for_textbooks(parameter);
}

/// Sorts candidates into those that can serve the workload and those that cannot.
class Sorter {
public:
  Sorter(Backend backend, Workload const& workload, std::uint64_t keys)
      : backend_(backend), workload_(workload), keys_(keys)
  {
  }

  void offer(TableSettings const& table, double load, bool grouped = false)
  {
    Candidate candidate = candidate_of(table, load, keys_);
    candidate.grouped = grouped;
    LazyText why = obstacle(backend_, workload_, keys_, candidate);
    if (why.empty()) {
      bool const known = std::ranges::find(sorted_.possible, candidate) != sorted_.possible.end();
      if (!known) { sorted_.possible.push_back(candidate); }
    } else {
      sorted_.skipped.push_back({candidate, std::move(why)});
    }
  }
  /// Offers the safe load closest to this one. Loads are rounded to thousandths: since slots are whole numbers, one
  /// step away and one step back would otherwise not be the same load again.
  void offer_near(TableSettings const& table, double load, bool grouped = false)
  {
    constexpr double loads = 1000.0;
    load = std::round(load * loads) / loads;
    if (grouped) { return offer(table, std::clamp(load, lowest_load, highest_load_of_keys), grouped); }
    offer(table, std::clamp(load, lowest_load, std::min(highest_load, below_safe(table, keys_))));
  }
  Candidates take() { return std::move(sorted_); }

private:
  Backend backend_;
  Workload const& workload_;
  std::uint64_t keys_;
  Candidates sorted_;
};

/// Offers these loads and, if one of them is too high, the highest safe load.
void offer_at(Sorter& sorter, TableSettings table, std::uint64_t keys, std::span<double const> loads)
{
  table.slots = candidate_of(table, coarse_loads.front(), keys).table.slots;  // the safe load may depend on the slots
  double const safe = safe_load_of(table);
  bool capped = false;
  for (double const load : loads) {
    sorter.offer(table, load);
    if (load > safe && !std::exchange(capped, true)) { sorter.offer(table, below_safe(table, keys)); }
  }
}

/// The tables from other libraries that are compiled in and support the workload; for a join, those that can join.
std::vector<std::string_view> others_for(Backend backend, Workload const& workload)
{
  std::vector<std::string_view> names;
  if (backend != Backend::cpu || workload.division.shards.front() != 1) { return names; }
  for (bench::Rival const& rival : bench::rivals()) {
    bool const joins =
        std::ranges::find(bench::row_rivals(), rival.name, &bench::Rival::name) != bench::row_rivals().end();
    if (rival.built_in && (joins || !workload.join)) { names.push_back(rival.name); }
  }
  return names;
}

}  // namespace

std::string title_of(TableSettings const& table)
{
  FamilyInfo const& family = bench::subject_info(table.family);
  if (bench::Rival const* const rival = bench::rival_of(table.family)) {
    return rival->one_thread ? tr("{} (by others, one thread)", rival->name) : tr("{} (by others)", rival->name);
  }
  std::vector<std::string> parts;
  for (Parameter const& parameter : family.parameters) {
    std::uint32_t const value = parameter_of(family, table, parameter.name);
    if (value == parameter.fallback && is_for_textbooks(parameter)) { continue; }
    parts.push_back(parameter_text(parameter, value));
  }
  if (family.uses_hash && table.hash != HashKind::murmur3) { parts.push_back(tr("{} hash", to_text(table.hash))); }
  if (table.keys_only) { parts.emplace_back(tr("set")); }
  if (table.shards != 1) { parts.push_back(tr("{} shards", table.shards)); }
  bool const has_choice = family.deletes_two_ways ? !table.keys_only : table.deletion == Deletion::shift;
  bool const keeps = !has_choice || table.deletion == Deletion::empty_value;
  if (!keeps) { parts.push_back(translated(to_label(table.deletion))); }
  std::string const title = translated(family.title);
  return parts.empty() ? title : fmt::format("{} ({})", title, fmt::join(parts, ", "));
}

std::string kind_of(Candidate const& candidate)
{
  return candidate.grouped ? tr("Multi-value table (rows grouped by key)") : title_of(candidate.table);
}

std::string family_title_of(Candidate const& candidate)
{
  return candidate.grouped ? tr("Multi-value table") : translated(bench::subject_info(candidate.table.family).title);
}

std::size_t place_of(Candidate const& candidate)
{
  if (candidate.grouped) { return 0; }
  std::vector<std::string> const families = family_names();
  auto const found = std::ranges::find(families, candidate.table.family);
  auto const place = static_cast<std::size_t>(found - families.begin()) + 1;
  bench::Rival const* const rival = bench::rival_of(candidate.table.family);
  return rival == nullptr ? place : place + static_cast<std::size_t>(rival - bench::rivals().data());
}

bool is_by_others(Candidate const& candidate)
{
  return bench::rival_of(candidate.table.family) != nullptr;
}

bool uses_hash(Candidate const& candidate)
{
  return !is_by_others(candidate) && bench::subject_info(candidate.table.family).uses_hash;
}

std::string title_of(Candidate const& candidate)
{
  if (is_by_others(candidate)) { return kind_of(candidate); }  // the user cannot choose its load
  return fmt::format("{}, α {:.2f}", kind_of(candidate), candidate.load);
}

std::optional<Room> room_of(Results const& results, Candidate const& candidate)
{
  constexpr double rounding = 1e-6;
  if (candidate.grouped || is_by_others(candidate)) { return std::nullopt; }
  TableSettings const& table = candidate.table;
  double const safe = guarantees_of(bench::subject_info(table.family), table).safe_load;
  double const load = std::floor(100.0 * safe + rounding) / 100.0;  // for tables in shards, the load may be almost 1
  auto const most = static_cast<std::uint64_t>(std::min(load, safe) * static_cast<double>(table.slots));
  return Room{load, most > results.different ? most - results.different : 0};
}

std::string title_of(Measured const& measured)
{
  return title_of(Candidate{measured.candidate.table, measured.load(), measured.candidate.grouped});
}

Candidate candidate_of(TableSettings table, double load, std::uint64_t keys)
{
  double const wanted = std::ceil(static_cast<double>(keys) / load);
  std::uint64_t const slots = std::max(min_slots * table.shards, static_cast<std::uint64_t>(wanted));
  table.slots = suitable_slots(slot_counts_of(bench::subject_info(table.family), table), slots, table.shards);
  return {table, static_cast<double>(keys) / static_cast<double>(table.slots)};
}

std::uint64_t keys_at_load_of(Candidate const& candidate, std::uint64_t most)
{
  auto const has_it = [&](std::uint64_t keys) {
    return std::abs(candidate_of(candidate.table, candidate.load, keys).load - candidate.load) <= same_load;
  };
  Candidate const whole = candidate_of(candidate.table, candidate.load, most);
  if (has_it(most)) { return most; }
  for (std::uint64_t slots = whole.table.slots / 2; slots >= min_slots; slots /= 2) {
    auto const keys = static_cast<std::uint64_t>(static_cast<double>(slots) * candidate.load);
    if (keys != 0 && keys <= most && has_it(keys)) { return keys; }
  }
  return most;
}

Candidate stand_in_of(Candidate const& candidate, std::uint64_t most)
{
  return candidate_of(candidate.table, candidate.load, keys_at_load_of(candidate, most));
}

Candidates coarse_candidates(Backend backend, Workload const& workload, std::uint64_t keys)
{
  Sorter sorter(backend, workload, keys);
  if (workload.join && workload.needs_values()) {
    TableSettings const table{.family = "linear_probing", .key_bits = workload.key_bits};
    for (double const load : coarse_loads) { sorter.offer(table, load, true); }
  }
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = bench::subject_info(name);
    TableSettings table;
    table.family = name;
    table.key_bits = workload.key_bits;
    table.keys_only = !workload.needs_values();
    table.combine = workload.join || !workload.needs_values() ? Combine::replace : workload.combine;
    table.deletion = usual_deletion(family, workload);
    std::vector<std::uint32_t> const& shards = workload.division.shards;
    offer_at(sorter, workload.division.divided(table, shards.front()), keys, coarse_loads);
    if (!workload.division.compares()) { continue; }
    offer_at(sorter, workload.division.divided(table, shards.back()), keys, coarse_loads_of_shards);
  }
  for (std::string_view const name : others_for(backend, workload)) {
    TableSettings table;
    table.family = name;
    table.key_bits = workload.key_bits;
    table.keys_only = !workload.join && !workload.values;
    sorter.offer(table, load_of_others);
  }
  return sorter.take();
}

Candidates other_shards_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate)
{
  Sorter sorter(backend, workload, keys);
  for (std::uint32_t const count : workload.division.shards) {
    if (count == candidate.table.shards || is_by_others(candidate)) { continue; }
    sorter.offer_near(workload.division.divided(candidate.table, count), candidate.load);
  }
  return sorter.take();
}

Candidates other_loads_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate,
                          double step)
{
  Sorter sorter(backend, workload, keys);
  if (is_by_others(candidate)) { return sorter.take(); }
  sorter.offer_near(candidate.table, candidate.load - step, candidate.grouped);
  sorter.offer_near(candidate.table, candidate.load + step, candidate.grouped);
  return sorter.take();
}

Candidates variants_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate)
{
  Sorter sorter(backend, workload, keys);
  if (candidate.grouped || is_by_others(candidate)) { return sorter.take(); }  // neither has variants
  FamilyInfo const& family = bench::subject_info(candidate.table.family);
  constexpr double near = 0.02;
  bool const as_full_as_is_safe = candidate.load > below_safe(candidate.table, keys) - near;
  auto const offer = [&](TableSettings const& table) {
    if (table == candidate.table) { return; }
    sorter.offer_near(table, candidate.load);
    double const safe = below_safe(table, keys);
    if (as_full_as_is_safe && safe > candidate.load + near) { sorter.offer_near(table, safe); }
  };
  for (Parameter const& parameter : family.parameters) {
    if (!is_tuned(parameter)) { continue; }
    for (std::uint32_t const choice : parameter.choices) {
      TableSettings table = candidate.table;
      set_parameter(table, parameter, choice);
      offer(table);
    }
  }
  for (HashKind const kind : compiled_in_hashes) {
    TableSettings table = candidate.table;
    table.hash = kind;
    if (family.uses_hash) { offer(table); }
  }
  bool const erases = !workload.join && workload.erase > 0.0;
  if (family.deletes_two_ways && erases && !candidate.table.keys_only) {
    TableSettings table = candidate.table;
    bool const reuses = table.deletion == Deletion::tombstone_reuse;
    table.deletion = reuses ? Deletion::empty_value : Deletion::tombstone_reuse;
    offer(table);
  }
  for (std::uint32_t const count : workload.division.shards) {
    offer(workload.division.divided(candidate.table, count));
  }
  return sorter.take();
}

std::optional<Candidate> present_candidate(Backend backend, Workload const& workload, std::uint64_t keys)
{
  if (!workload.present) { return std::nullopt; }
  TableSettings table = workload.present->table;
  table.key_bits = workload.key_bits;
  table.combine = workload.join ? Combine::replace : workload.combine;
  if (!workload.needs_values() &&
      bench::subject_info(table.family).keys_alone) {  // a set suffices, so sets are compared with sets where possible
    set_values(table, false);
  }
  Candidate const candidate = candidate_of(table, workload.present->load, keys);
  Workload any_memory = workload;
  any_memory.max_bytes = 0.0;  // exceeding the budget may be the very reason to look for another table
  if (LazyText const why = obstacle(backend, any_memory, keys, candidate); !why.empty()) {
    throw Error(
        tr("The present setting, {}, cannot serve this workload: {}. Uncheck 'Compare with it' to measure the "
           "others, or choose another table to compare with.",
           title_of(candidate), why.text()));
  }
  return candidate;
}

LazyText obstacle(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate)
{
  TableSettings const& table = candidate.table;
  bench::TableCase const subject{table, candidate.load - rounding, workload.source};
  if (!candidate.grouped && !slotscape::obstacle(backend, subject).empty()) {
    return [backend, subject] { return slotscape::obstacle(backend, subject); };
  }
  if (table.slots > max_slots) {
    return [] { return tr("a table has at most {} slots", grouped(max_slots)); };
  }
  if (candidate.load > 1.0) { return translatable("it would hold more keys than slots"); }
  if (is_by_others(candidate) && !workload.join && workload.combine != Combine::replace) {
    return translatable("it was measured only with insertions that replace values");
  }
  Guarantees const guarantees = guarantees_of(bench::subject_info(table.family), table);
  if (workload.join) { return takes_too_much(backend, workload, keys, table); }
  for (LazyText const& why :
       {cannot_run_at_once(workload, guarantees), is_rebuilt_too_often(workload, keys, guarantees),
        takes_too_much(backend, workload, keys, table)}) {
    if (!why.empty()) { return why; }
  }
  return {};
}

}  // namespace slotscape::tuning
