#include "app/tuning/workload.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/bench/table_findings.hpp"
#include "app/keys/comparing.hpp"
#include "app/keys/file_keys.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/workload_join.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/workloads/key_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace slotscape::tuning {
namespace {

constexpr std::uint64_t max_materialised = std::uint64_t{1} << 24;  ///< keys of a pattern with repeats

Workload preset_of(std::string name, KeyDistribution distribution)
{
  Workload workload;
  workload.name = std::move(name);
  workload.source.distribution = distribution;
  return workload;
}

void set_shares(Workload& workload, double insert, double hit, double miss, double erase)
{
  workload.insert = insert;
  workload.hit = hit;
  workload.miss = miss;
  workload.erase = erase;
}

std::vector<Preset> make_presets()
{
  std::vector<Preset> list;
  Workload join = preset_of(translatable("Join: build and probe"), KeyDistribution::sequential);
  join.join = JoinSides{.probe_rows = 4 * join.keys, .match = 0.75};
  list.push_back({"join",
                  translatable("A hash join: the dense keys of the small side are inserted once, and the rows of the "
                               "large side, most of which match, are looked up."),
                  join});
  Workload group_by = preset_of(translatable("Group-by: count rows per group"), KeyDistribution::zipf);
  group_by.source.zipf_exponent = 1.2;
  set_shares(group_by, 1.0, 0.0, 0.0, 0.0);
  group_by.combine = Combine::add;
  list.push_back(
      {"groupby",
       translatable(
           "A column is grouped: each row is inserted by its key, and counts add up. A few groups have most of "
           "the rows."),
       group_by});
  Workload deduplication = preset_of(translatable("Deduplication"), KeyDistribution::zipf);
  set_shares(deduplication, 1.0, 0.0, 0.0, 0.0);
  deduplication.values = false;
  list.push_back(
      {"deduplicate",
       translatable("Every item is inserted, many more than once. Keys need no values, so sets are measured."),
       deduplication});
  Workload convolution = preset_of(translatable("Sparse convolution: coordinates"), KeyDistribution::clustered);
  set_shares(convolution, 1.0, 9.0, 17.0, 0.0);
  convolution.key_bits = 64;
  list.push_back({"convolution",
                  translatable("The sites of a sparse tensor, packed into 64-bit keys; each looks up its 26 "
                               "neighbours, most of which are absent."),
                  convolution});
  Workload kmers = preset_of(translatable("k-mer counting"), KeyDistribution::zipf);
  set_shares(kmers, 1.0, 0.0, 0.0, 0.0);
  kmers.key_bits = 64;
  kmers.combine = Combine::add;
  list.push_back(
      {"kmers", translatable("Substrings of DNA as 64-bit keys, inserted one by one; equal ones are counted."), kmers});
  Workload embedding = preset_of(translatable("Embedding lookups"), KeyDistribution::uniform);
  set_shares(embedding, 0.0, 0.95, 0.05, 0.0);
  embedding.key_bits = 64;
  embedding.batch = 1u << 16;
  list.push_back(
      {"embedding",
       translatable(
           "Maps identifiers to rows of an embedding: built once, then batches of lookups, nearly all of which hit."),
       embedding});
  Workload cache = preset_of(translatable("A cache that churns"), KeyDistribution::uniform);
  set_shares(cache, 0.15, 0.6, 0.1, 0.15);
  cache.batch = 1u << 16;
  list.push_back(
      {"cache", translatable("Lookups, with as many keys erased as inserted, so the load stays the same."), cache});
  return list;
}

/// Fills in `distinct` and `different` for a stream that is a list.
bool find_distinct(WorkloadKeys& keys, Progress const& progress)
{
  using Numbered = std::pair<Key, std::uint64_t>;
  std::vector<Key> const& list = *keys.stream.file_keys;
  std::vector<Numbered> numbered(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) { numbered[i] = {list[i], i}; }
  if (!sort_in_parts(numbered, progress)) { return false; }
  auto const same = [](Numbered const& a, Numbered const& b) { return a.first == b.first; };
  numbered.erase(std::unique(numbered.begin(), numbered.end(), same), numbered.end());
  keys.different = numbered.size();
  keys.distinct = keys.stream;
  if (keys.different == keys.inserts) { return true; }
  std::vector<std::uint64_t> first(numbered.size());
  std::ranges::transform(numbered, first.begin(), &Numbered::second);
  if (!sort_in_parts(first, progress)) { return false; }
  std::vector<Key> once(first.size());
  std::ranges::transform(first, once.begin(), [&](std::uint64_t number) { return list[number]; });
  keys.distinct = keys_of(std::move(once), keys.stream);
  return true;
}

template <PairFormat Format>
bool draw_keys(KeySettings const& source, std::uint64_t seed, std::vector<Key>& list, Progress const& progress)
{
  constexpr std::size_t at_once = 1u << 14;
  auto const stream = key_stream_of<Format>(source, seed, {.slots = std::max<std::uint64_t>(list.size(), min_slots)});
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i % at_once == 0 && progress.cancelled()) { return false; }
    list[i] = stream.key(i);
  }
  return true;
}

/// The number of keys in the table after it has grown.
std::uint64_t full_count(Workload const& workload, std::uint64_t now)
{
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(now) * workload.growth));
}

/// Requests this many insertions to fill the table. If there are fewer keys, the same share of them repeats.
void want(WorkloadKeys& keys, std::uint64_t inserts)
{
  double const times = static_cast<double>(inserts) / static_cast<double>(std::max<std::uint64_t>(keys.inserts, 1));
  auto const different = static_cast<std::uint64_t>(std::llround(times * static_cast<double>(keys.different)));
  keys.wanted = {inserts, different};
}

std::optional<WorkloadKeys> keys_of_file(Workload const& workload, std::uint64_t most, Progress const& progress)
{
  std::vector<Key> const& file = *workload.source.file_keys;
  std::uint64_t const wanted = full_count(workload, workload.keys == 0 ? file.size() : workload.keys);
  WorkloadKeys keys;
  keys.inserts = std::min<std::uint64_t>({wanted, most, file.size()});
  keys.stream = workload.source;
  if (keys.inserts < file.size()) {
    keys.stream = keys_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(keys.inserts)}, workload.source);
  }
  if (!find_distinct(keys, progress)) { return std::nullopt; }
  want(keys, std::min(wanted, most));
  if (wanted > file.size()) {
    keys.remark = [there = keys.different, all = keys.wanted.different] {
      return tr(
          "The file has {} distinct keys, but the table must hold {}: tables with at most the file's keys were "
          "measured, at the load of the full table.",
          grouped(there), grouped(all));
    };
  }
  return keys;
}

std::optional<WorkloadKeys> keys_that_repeat(Workload const& workload, std::uint64_t most, std::uint64_t seed,
                                             Progress const& progress)
{
  std::uint64_t const wanted = full_count(workload, workload.keys);
  WorkloadKeys keys;
  keys.inserts = std::min({wanted, most, max_materialised});
  if (std::min(wanted, most) > max_materialised) {
    keys.remark = [few = keys.inserts, wanted] {
      return tr("Smaller tables were measured, at the same load: {} insertions instead of {}.", grouped(few),
                grouped(wanted));
    };
  }
  std::vector<Key> list(keys.inserts);
  bool const drawn = workload.key_bits == 64 ? draw_keys<Wide>(workload.source, seed, list, progress)
                                             : draw_keys<Narrow>(workload.source, seed, list, progress);
  if (!drawn) { return std::nullopt; }
  keys.stream = keys_of(std::move(list), workload.source);
  if (!find_distinct(keys, progress)) { return std::nullopt; }
  keys.wanted = {keys.inserts, keys.different};
  return keys;
}

}  // namespace

void set_share(Workload& workload, double Workload::*kind, double share)
{
  std::vector<double Workload::*> others{&Workload::insert, &Workload::hit, &Workload::miss, &Workload::erase};
  std::erase(others, kind);
  double sum = 0.0;
  for (auto const other : others) { sum += workload.*other; }
  double const all = sum + workload.*kind > 0.0 ? sum + workload.*kind : 1.0;
  double const rest = (1.0 - share) * all;
  if (sum > 0.0) {
    for (auto const other : others) { workload.*other *= rest / sum; }
  } else {
    workload.*(kind == &Workload::hit ? &Workload::insert : &Workload::hit) = rest;
  }
  workload.*kind = share * all;
}

std::span<Preset const> presets()
{
  static std::vector<Preset> const list = make_presets();
  return list;
}

bool is_workload(JsonNode const& root)
{
  constexpr std::array<std::string_view, 10> own{"insert", "hit",     "miss",       "erase",   "growth",
                                                 "batch",  "at_once", "most_bytes", "present", "join"};
  auto const has = [&](std::string_view field) { return root.find(field).has_value(); };
  return root.is_object() && std::ranges::any_of(own, has) && !has("version");
}

Workload workload_of(JsonNode const& root)
{
  Workload workload;
  constexpr std::array<std::string_view, 4> shares{"insert", "hit", "miss", "erase"};
  bool const any = std::ranges::any_of(shares, [&](std::string_view share) { return root.find(share).has_value(); });
  if (any) { set_shares(workload, 0.0, 0.0, 0.0, 0.0); }  // shares that are not named
  read_fields(root, workload);
  return workload;
}

Workload read_workload(std::filesystem::path const& file, Reach reach)
{
  Json const document = parse_json(read_input_file(file), path_text(file));
  auto const source =
      std::make_shared<JsonSource>(JsonSource{.name = path_text(file), .folder = file.parent_path(), .reach = reach});
  Workload workload = workload_of(JsonNode(document, source));
  try {
    validate(workload);
  } catch (Error const& error) {
    throw Error(fmt::format("{}: {}", path_text(file), error.what()));
  }
  return workload;
}

Findings findings_of(Workload const& workload)
{
  LookAlikes look_alikes;
  return findings_of(workload, look_alikes);
}

Findings findings_of(Workload const& workload, LookAlikes& look_alikes)
{
  if (!workload.join) { return key_findings(workload.source); }
  bool const keeps_unmatched =
      workload.join->kind == joins::JoinKind::left || workload.join->kind == joins::JoinKind::anti;
  return findings_of_join(workload.source, workload.join->probe, keeps_unmatched, look_alikes);
}

void validate(Workload const& workload)
{
  bool const from_file = workload.source.distribution == KeyDistribution::file;
  if (from_file && (!workload.source.file_keys || workload.source.file_keys->empty())) {
    throw Error(tr("The workload's keys come from a file, but none was read: choose a key file."));
  }
  if (workload.keys == 0 && !from_file) { throw Error(tr("A workload needs at least one key: set 'count'.")); }
  if (workload.join) { validate_join(workload); }
  if (full_count(workload, workload.keys) > max_slots) {
    throw Error(
        tr("The table would grow to more than {} keys: choose a smaller 'count' or 'growth'.", grouped(max_slots)));
  }
  bool const negative = std::min({workload.insert, workload.hit, workload.miss, workload.erase}) < 0.0;
  if (negative || workload.operations() <= 0.0) {
    throw Error(tr("A workload needs operations: give 'insert', 'hit', 'miss' or 'erase' a share above 0."));
  }
  if (workload.growth < 1.0) {
    throw Error(tr("'growth' must be at least 1: the table must still hold today's keys."));
  }
  bool const combines = workload.combine != Combine::replace && workload.combine != Combine::keep_first;
  if (!workload.values && combines) {
    throw Error(
        tr("Keys without values have nothing to combine: set 'values' to true for '{}'.", to_text(workload.combine)));
  }
  validate(workload.division);
  check_keys_fit(workload.source, workload.key_bits);
  if (workload.present && workload.key_bits == 64 && !family_info(workload.present->table.family).wide) {
    throw Error(tr("The present table, {}, stores 32-bit keys only, but the workload's keys have 64 bits.",
                   translated(family_info(workload.present->table.family).title)));
  }
}

std::optional<WorkloadKeys> prepare_keys(Workload const& workload, std::uint64_t most, std::uint64_t seed,
                                         Progress const& progress)
{
  if (workload.join && workload.source.distribution != KeyDistribution::file) { return build_side_of(workload, most); }
  switch (workload.source.distribution) {
    case KeyDistribution::file: {
      auto keys = keys_of_file(workload, most, progress);
      bool const whole = keys && (!workload.join || find_match(workload, *keys, progress));
      return whole ? std::move(keys) : std::nullopt;
    }
    case KeyDistribution::zipf: return keys_that_repeat(workload, most, seed, progress);
    default: break;
  }
  WorkloadKeys keys;
  keys.stream = workload.source;
  keys.distinct = workload.source;
  keys.inserts = std::min(full_count(workload, workload.keys), most);
  keys.different = keys.inserts;
  keys.wanted = {keys.inserts, keys.different};
  return keys;
}

WorkloadKeys with_different_keys(WorkloadKeys const& keys, std::uint64_t different)
{
  if (different >= keys.different) { return keys; }
  WorkloadKeys fewer = keys;
  fewer.inserts = fewer.different = different;
  if (keys.distinct.distribution != KeyDistribution::file) { return fewer; }
  std::vector<Key> const& stream = *keys.stream.file_keys;
  std::vector<Key> const& distinct = *keys.distinct.file_keys;
  auto const count = static_cast<std::ptrdiff_t>(different);
  fewer.distinct = keys_of({distinct.begin(), distinct.begin() + count}, keys.distinct);
  fewer.stream = fewer.distinct;
  if (keys.inserts == keys.different) { return fewer; }
  auto const end = std::ranges::find(stream, distinct[different]);  // first key beyond the wanted ones
  fewer.inserts = static_cast<std::uint64_t>(end - stream.begin());
  fewer.stream = keys_of({stream.begin(), end}, keys.stream);
  return fewer;
}

std::vector<Key> sample_of(WorkloadKeys const& keys, int key_bits, std::uint64_t most, std::uint64_t seed)
{
  std::vector<Key> sample(std::min(keys.different, most));
  if (keys.distinct.distribution == KeyDistribution::file) {
    std::copy_n(keys.distinct.file_keys->begin(), sample.size(), sample.begin());
  } else if (key_bits == 64) {
    draw_keys<Wide>(keys.distinct, seed, sample, {});
  } else {
    draw_keys<Narrow>(keys.distinct, seed, sample, {});
  }
  return sample;
}

}  // namespace slotscape::tuning
