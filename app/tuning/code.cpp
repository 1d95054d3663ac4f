#include "app/tuning/code.hpp"

#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/elsewhere.hpp"
#include "app/tuning/key_code.hpp"
#include "app/tuning/workload.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace slotscape {

template <>
std::span<EnumName<tuning::CodeFor> const> enum_names()
{
  using tuning::CodeFor;
  static constexpr std::array names{
      EnumName<CodeFor>{CodeFor::slotscape, "slotscape", "Slotscape"},
      EnumName<CodeFor>{CodeFor::cuda, "cuda", "Plain CUDA"},
      EnumName<CodeFor>{CodeFor::cucollections, "cucollections", "cuCollections"},
      EnumName<CodeFor>{CodeFor::warpcore, "warpcore", "WarpCore"},
  };
  return names;
}

}  // namespace slotscape

namespace slotscape::tuning {
namespace {

constexpr char const* library =
    R"(// @TITLE@, written by Slotscape: @SLOTS@ slots for @KEYS@ keys, load factor @LOAD@.
// In CMake: find_package(slotscape REQUIRED), and target_link_libraries(YOUR_TARGET PRIVATE slotscape::tables).

#include <slotscape/@HEADER@>

#include <cstdint>

using Key = @KEY@;
using Table = slotscape::@TABLE@<slotscape::families::@FAMILY@, Key>;

/// All pairs into a table, and then a lookup of each key; a missing one finds `Table::empty_value`.@WHERE@
/// It doubles its slots before it has more than @MOST@ keys. Throws slotscape::Error, which says why, if a pair gets no slot.@KEEP@
void build_and_find(Key const* keys, Key const* values, std::uint64_t count, Key* found@STREAM@)
{
  Table table({@OPTIONS@}@SHARDS@@ON_STREAM@);
  table.@INSERT@(keys, values, count).or_throw();
  table.find(keys, found, count);@ERASE@
}
)";

constexpr char const* library_set =
    R"(// @TITLE@, written by Slotscape: @SLOTS@ slots for @KEYS@ keys, load factor @LOAD@.
// In CMake: find_package(slotscape REQUIRED), and target_link_libraries(YOUR_TARGET PRIVATE slotscape::tables).

#include <slotscape/@HEADER@>

#include <cstdint>

using Key = @KEY@;
using Set = slotscape::@TABLE@<slotscape::families::@FAMILY@, Key>;

/// All keys into a set, and then whether each one is there.@WHERE@
/// It doubles its slots before it has more than @MOST@ keys. Throws slotscape::Error, which says why, if a key gets no slot.@KEEP@
void build_and_find(Key const* keys, std::uint64_t count, bool* are_there@STREAM@)
{
  Set set({@OPTIONS@}@ON_STREAM@);
  set.insert(keys, count).or_throw();
  set.contains(keys, are_there, count);@ERASE@
}
)";

constexpr char const* cucollections =
    R"(// @TITLE@, with cuCollections (https://github.com/NVIDIA/cuCollections), written by Slotscape:
// @SLOTS@ slots for @KEYS@ keys, load factor @LOAD@. The library rounds the number of slots up.
// Compiled with its commit dc0f9fc2 (October 2024), CCCL 2.8 and nvcc 13.0 --expt-relaxed-constexpr --extended-lambda.

#include <cuco/static_map.cuh>
#include <cuda/std/functional>
#include <thrust/device_vector.h>

#include <cstdint>

using Key = @KEY@;
using Value = @KEY@;@HASH@
using Probing = @PROBING@;  // @GROUPS@
@OPERATION@
/// All pairs into a table, and then a lookup of each key; a missing one finds ~0.
void build_and_find(thrust::device_vector<cuco::pair<Key, Value>> const& pairs, thrust::device_vector<Key> const& keys,
                    thrust::device_vector<Value>& values)
{
  auto map = cuco::static_map{cuco::extent<std::size_t>{@CAPACITY@},
                              cuco::empty_key<Key>{static_cast<Key>(~Key{0})},
                              cuco::empty_value<Value>{static_cast<Value>(~Value{0})},@ERASED@
                              cuda::std::equal_to<Key>{},
                              Probing{},
                              cuco::cuda_thread_scope<cuda::thread_scope_device>{},
                              cuco::storage<1>{}};  // slots a bucket: each thread reads one at a time
  map.@INSERT@;
  map.find(keys.begin(), keys.end(), values.begin());@ERASE@
}
)";

constexpr char const* fibonacci_functor = R"(
struct Hash {
  __host__ __device__ constexpr Hash(int = 0) {}
  __host__ __device__ constexpr Key operator()(Key key) const { return key * @MULTIPLIER@u; }
};)";

constexpr char const* combination = R"(
struct Combine {
  template <cuda::thread_scope Scope>
  __device__ void operator()(cuda::atomic_ref<Value, Scope> there, Value value) const
  {
    there.@FETCH@(value, cuda::memory_order_relaxed);
  }
};
)";

constexpr char const* warpcore =
    R"(// @TITLE@, with WarpCore (https://github.com/sleeepyjack/warpcore), written by Slotscape:
// @SLOTS@ slots for @KEYS@ keys, load factor @LOAD@. The library rounds the number of slots up.
// Compiled with its commit 3745e9d (September 2025) and nvcc 13.0 --expt-relaxed-constexpr --extended-lambda.

#include <warpcore/single_value_hash_table.cuh>

#include <cstdint>

using Key = @KEY@;
using Value = @KEY@;
using Hash = warpcore::hashers::@HASH@;
using Probing = warpcore::probing_schemes::@PROBING@;
// Of your keys, none may be 0 or the largest: they mark empty and erased slots.
using Table = warpcore::SingleValueHashTable<Key, Value, Key{0}, static_cast<Key>(~Key{0}), Probing>;

/// All pairs into a table, and then a lookup of each key. All arrays are in the memory of the device. Whether every key
/// found a place, and was found again.
bool build_and_find(Key* keys, Value* values, std::uint64_t count, Value* found)
{
  Table table(@CAPACITY@);
  table.insert(keys, values, count);
  table.retrieve(keys, count, found);@ERASE@
  return !table.pop_status().has_any_errors();
}
)";

constexpr char const* compiled_elsewhere =
    translatable("It compiles with the library version that it names; it was not compiled here.");
constexpr char const* other_names = translatable("The hash differs: the library does not have this one.");

std::string listed_remarks(std::initializer_list<std::string> remarks)
{
  std::string text;
  for (std::string const& remark : remarks) {
    if (remark.empty()) { continue; }
    if (!text.empty()) { text += ' '; }
    text += remark;
  }
  return text;
}

bool erases(Workload const& workload)
{
  return !workload.join && workload.erase > 0.0;
}

Code none(std::string why)
{
  return {.file = "", .text = "", .remark = std::move(why)};
}

/// The load factor rounded up to thousandths, so that all keys of the workload fit.
double in_thousandths(double load)
{
  constexpr double thousand = 1000.0;
  return std::ceil(thousand * load) / thousand;
}

/// A warning that a table which grows late becomes slower than measured before it grows.
std::string how_to_keep(double load, double grow_at)
{
  constexpr double hardly_more = 0.02;
  if (grow_at <= load + hardly_more) { return ""; }
  return fmt::format(
      "\n/// Rates are those at load factor {:.2f}. At {:g}, where it grows, it is slower: to keep the load, set "
      ".grow_at = {:g}.",
      load, grow_at, in_thousandths(load));
}

/// Fills in the facts common to all listings; in English, like the comments there.
std::string with_facts(std::string text, TableSettings const& table, double load, std::uint64_t keys,
                       double grow_at = 0.0)
{
  InLanguage const english(source_language);
  return filled(std::move(text),
                {{"TITLE", title_of(table)},
                 {"SLOTS", grouped(table.slots)},
                 {"CAPACITY", std::to_string(table.slots)},
                 {"KEYS", grouped(keys)},
                 {"MOST", grouped(static_cast<std::uint64_t>(grow_at * static_cast<double>(table.slots)))},
                 {"LOAD", fmt::format("{:.2f}", load)},
                 {"KEEP", how_to_keep(load, grow_at)},
                 {"KEY", table.key_bits == 64 ? "std::uint64_t" : "std::uint32_t"}});
}

std::string cuco_hash(TableSettings const& table)
{
  switch (table.hash.kind) {
    case HashKind::murmur3: return fmt::format("\nusing Hash = cuco::murmurhash3_fmix_{}<Key>;", table.key_bits);
    case HashKind::xxhash: return fmt::format("\nusing Hash = cuco::xxhash_{}<Key>;", table.key_bits);
    case HashKind::identity: return "\nusing Hash = cuco::identity_hash<Key>;";
    case HashKind::fibonacci:
    case HashKind::formula: break;
  }
  return filled(fibonacci_functor, {{"MULTIPLIER", table.key_bits == 64 ? "0x9e3779b97f4a7c15" : "0x9e3779b9"}});
}

std::string cuco_insertion(Combine combine)
{
  switch (combine) {
    case Combine::replace: return "insert_or_assign(pairs.begin(), pairs.end())";
    case Combine::keep_first: return "insert(pairs.begin(), pairs.end())";
    default: return "insert_or_apply(pairs.begin(), pairs.end(), Combine{})";
  }
}

std::string cuco_combination(Combine combine)
{
  if (combine == Combine::replace || combine == Combine::keep_first) { return ""; }
  std::string const fetch = combine == Combine::add ? "fetch_add" : combine == Combine::min ? "fetch_min" : "fetch_max";
  return filled(combination, {{"FETCH", fetch}});
}

std::string_view insertion(Combine combine)
{
  switch (combine) {
    case Combine::replace: return "insert_or_assign";
    case Combine::keep_first: return "insert";
    case Combine::min: return "insert_or_min";
    case Combine::max: return "insert_or_max";
    default: return "insert_or_add";
  }
}

/// The load factor at which the table grows: where random keys may no longer find a place, but at least the candidate's
/// load.
double growth_load(Results const& results, Candidate const& candidate)
{
  constexpr double highest = 0.95;  // even if a table can be filled completely, because the last slots are slow
  double const room = std::min(room_of(results, candidate).value_or(Room{}).load, highest);
  return std::min(1.0, std::max(room, in_thousandths(candidate.load)));
}

/// The options that differ from the defaults.
std::string library_options(TableSettings const& table, double grow_at)
{
  std::string const gap = table.keys_only ? ",\n           " : ",\n               ";
  std::string text = fmt::format(".slots = {}", table.slots);
  FamilyInfo const& family = family_info(table.family);
  if (family.uses_hash && table.hash != HashKind::murmur3) {
    text += fmt::format("{}.hash = slotscape::HashKind::{}", gap, to_text(table.hash.kind));
  }
  if (family.deletes_two_ways && table.deletion != Deletion::empty_value && !table.keys_only) {
    text += fmt::format("{}.deletion = slotscape::Deletion::{}", gap, to_text(table.deletion));
  }
  std::vector<std::string> parameters;
  for (auto const& [name, value] : table.parameters) {
    parameters.push_back(fmt::format("{{\"{}\", {}}}", name, value));
  }
  if (!parameters.empty()) { text += fmt::format("{}.parameters = {{{}}}", gap, fmt::join(parameters, ", ")); }
  return text + fmt::format("{}.grow_at = {:g}", gap, grow_at);
}

/// Why the library does not support such a table in shards; empty if it does, or the table is in one piece.
std::string no_shards_in_library(TableSettings const& table)
{
  if (table.shards == 1) { return ""; }
  if (table.keys_only) {
    return tr(
        "The library's tables in shards store values: for a set in shards, give each key a value, or use a set in one "
        "piece.");
  }
  if (table.devices == ShardDevices::each) {
    return tr(
        "The library's tables in shards are on one device. On several, a table is divided among ranks, with a "
        "thread or a process each: CudaDistributedTable, or CpuDistributedTable without a GPU, in \"Tables on "
        "several GPUs\" of docs/using-the-tables.md.");
  }
  return "";
}

/// The second constructor argument of a table in shards.
std::string arguments_of_shards(TableSettings const& table)
{
  if (table.shards == 1) { return ""; }
  bool const one = table.keys_start == KeysStart::one_device;
  return fmt::format(", {{.shards = {}{}}}", table.shards,
                     one ? ", .keys_start = slotscape::KeysStart::one_device" : "");
}

Code library_code(Candidate const& candidate, Results const& results)
{
  TableSettings const& table = candidate.table;
  Workload const& workload = results.workload;
  if (family_info(table.family).is_host_container) {
    return none(tr("It is std::unordered_map itself, on one CPU thread: reserve room for the keys first."));
  }
  if (moves_back(table)) {
    return none(tr("The library's tables do not move keys when one is erased. Use tombstones to get the same table."));
  }
  if (std::string why = no_shards_in_library(table); !why.empty()) { return none(std::move(why)); }
  bool const cuda = results.backend == Backend::cuda;
  double const grow_at = growth_load(results, candidate);
  bool const is_static = family_info(table.family).guarantees(table).is_static;
  std::string const kind = table.keys_only ? "Set" : table.shards != 1 ? "ShardedTable" : "Table";
  std::string const variable = table.keys_only ? "set" : "table";
  std::string text = filled(table.keys_only ? library_set : library,
                            {{"HEADER", cuda ? "cuda_table.cuh" : "table.hpp"},
                             {"TABLE", (cuda ? "Cuda" : "Cpu") + kind},
                             {"FAMILY", table.family},
                             {"WHERE", cuda ? " All arrays are in the memory of the device." : ""},
                             {"STREAM", cuda ? ", cudaStream_t stream" : ""},
                             {"ON_STREAM", cuda ? ", stream" : ""},
                             {"OPTIONS", library_options(table, grow_at)},
                             {"SHARDS", arguments_of_shards(table)},
                             {"INSERT", std::string(insertion(table.combine))},
                             {"ERASE", erases(workload) ? fmt::format("\n  {}.erase(keys, count);", variable) : ""}});
  return {fmt::format("{}.{}", table.family, cuda ? "cu" : "cpp"),
          with_facts(std::move(text), table, candidate.load, results.different, grow_at),
          listed_remarks(
              {tr("The measured code, as a library for your program; when the keys no longer fit, the table grows."),
               is_static ? tr("It is built as a whole: each later batch of insertions rebuilds it completely.") : ""})};
}

Code cucollections_code(Candidate const& candidate, std::uint64_t keys, Workload const& workload)
{
  TableSettings const& table = candidate.table;
  std::string const probing = probing_of_cucollections(table);
  if (probing.empty()) {
    return none(
        tr("No equivalent: the maps of cuCollections use linear probing or double hashing, by one thread or by a "
           "group of threads."));
  }
  std::uint32_t const tile = tile_of(table);
  bool const with_erasures = erases(workload);
  std::string text = filled(
      cucollections,
      {{"HASH", cuco_hash(table)},
       {"PROBING", probing},
       {"GROUPS", tile == 1 ? std::string("one thread an operation") : fmt::format("groups of {} threads", tile)},
       {"OPERATION", cuco_combination(table.combine)},
       {"INSERT", cuco_insertion(table.combine)},
       {"ERASED",
        with_erasures ? "\n                              cuco::erased_key<Key>{static_cast<Key>(~Key{0} - 1)}," : ""},
       {"ERASE", with_erasures ? "\n  map.erase(keys.begin(), keys.end());" : ""}});
  std::string const keeps = with_erasures && table.deletion == Deletion::empty_value
                                ? tr("It erases differently: an erased slot is free for any key.")
                                : "";
  std::string const adds = table.combine == Combine::add ? tr("Its sums wrap round where ours saturate.") : "";
  return {"cucollections.cu", with_facts(std::move(text), table, candidate.load, keys),
          listed_remarks({tr(compiled_elsewhere), keeps, adds})};
}

Code warpcore_code(Candidate const& candidate, std::uint64_t keys, Workload const& workload)
{
  TableSettings const& table = candidate.table;
  std::string const probing = probing_of_warpcore(table);
  if (probing.empty()) {
    return none(
        tr("No equivalent: WarpCore has linear probing, quadratic probing and double hashing, by groups of threads."));
  }
  if (table.combine != Combine::replace) {
    return none(
        tr("No equivalent: an insertion into WarpCore's table replaces the value of a key that is already present."));
  }
  bool const identity = table.hash == HashKind::identity;
  bool const known = identity || table.hash == HashKind::murmur3;
  std::string text = filled(warpcore, {{"HASH", identity ? "IdentityMap<Key, Key>" : "MurmurHash<Key>"},
                                       {"PROBING", probing},
                                       {"ERASE", erases(workload) ? "\n  table.erase(keys, count);" : ""}});
  return {"warpcore.cu", with_facts(std::move(text), table, candidate.load, keys),
          listed_remarks({tr(compiled_elsewhere), known ? "" : tr(other_names)})};
}

/// How many more keys fit: tables from other libraries and from listings do not grow.
std::string room_remark(Results const& results, Candidate const& candidate)
{
  std::optional<Room> const room = room_of(results, candidate);
  return room ? tr("It does not grow: it takes {} more keys.", grouped(room->keys)) : "";
}

Code table_code(CodeFor kind, Candidate const& candidate, Results const& results)
{
  std::uint64_t const keys = results.different;
  Workload const& workload = results.workload;
  if (candidate.grouped) {
    return none(tr("Multi-value tables are part of this program (gpu/multivalue and gpu/joins), not of its library."));
  }
  if (bench::Rival const* const rival = bench::rival_of(candidate.table.family)) {
    return none(
        tr("It is {} itself, of {}: reserve room for {} keys first.", rival->name, rival->package, grouped(keys)));
  }
  if (uses_hash(candidate) && !candidate.table.hash.is_compiled_in()) {
    return none(tr("There is no code for formulas: choose a named hash to get code."));
  }
  if (candidate.table.keys_only && kind != CodeFor::slotscape) {
    return none(tr("Code for sets is available for Slotscape's library only."));
  }
  if (candidate.table.shards != 1 && kind != CodeFor::slotscape) {
    return none(tr("Code for tables in shards is available for Slotscape's library only."));
  }
  switch (kind) {
    case CodeFor::cucollections: return cucollections_code(candidate, keys, workload);
    case CodeFor::warpcore: return warpcore_code(candidate, keys, workload);
    case CodeFor::cuda: return cuda_listing(candidate, keys);
    case CodeFor::slotscape: break;
  }
  return library_code(candidate, results);
}

}  // namespace

Code code_of(CodeFor kind, Candidate const& candidate, Results const& results)
{
  Code code = table_code(kind, candidate, results);
  if (code.text.empty()) { return code; }
  KeyCode const keys = code_of_keys(results.workload.source);
  code.text = with_key_code(std::move(code.text), keys);
  std::string const room = kind == CodeFor::slotscape ? "" : room_remark(results, candidate);
  code.remark = listed_remarks({code.remark, room, keys.remark});
  return code;
}

}  // namespace slotscape::tuning
