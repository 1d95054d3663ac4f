#include "gpu/base/error.hpp"
#include "gpu/bench/backends.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/bench/rivals/make_rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/joins/engine.hpp"
#include "gpu/multivalue/engine.hpp"

#include <fmt/format.h>

namespace slotscape::bench {
namespace {

double rate(MemoryRates const& rates, MemoryAccess access)
{
  return rates[static_cast<std::size_t>(access)];
}

void require_cpu(Backend backend, std::string_view rival)
{
  if (backend != Backend::cpu) { throw Error(fmt::format("{} runs on the CPU only.", rival)); }
}

void require_rows_fit(std::uint64_t rows)
{
  if (rows == 0 || rows > joins::max_rows) {
    throw Error(fmt::format("Columns of this bench have 1 to {} rows, not {}.", joins::max_rows, rows));
  }
}

void require_shares(JoinCase const& subject)
{
  if (subject.rows_per_key == 0 || !(subject.hit_share >= 0.0 && subject.hit_share <= 1.0)) {
    throw Error("A key of the build side has at least one row, and a share of probe rows is from 0 to 1.");
  }
  bool const of_files = subject.keys.distribution == KeyDistribution::file;
  if (subject.probe.distribution == KeyDistribution::file && !of_files) {
    throw Error("The probe side comes from a file, so the build side must, too: choose a key file for it.");
  }
}

/// Checks that a table of a family can replace a multi-value table in this join; throws Error if not.
void require_serves(TableSettings const& table, JoinCase const& subject)
{
  bool const is_file = subject.keys.distribution == KeyDistribution::file;
  if (table.shards != 1) { throw Error("Joins are made with one table: leave out its shards."); }
  if (table.keys_only && joins::gives_pairs(subject.kind)) {
    throw Error("A set names no rows of the build side: it serves semi and anti joins only.");
  }
  if (joins::gives_pairs(subject.kind) && !is_file && subject.rows_per_key != 1) {
    throw Error("Keys that several rows share need a multi-value table, except in semi and anti joins.");
  }
  if (table.key_bits != subject.settings.key_bits) { throw Error("The table's keys have another width."); }
}

}  // namespace

std::unique_ptr<TableBench> make_table_bench(Backend backend, TableCase const& subject)
{
  double const most = subject_info(subject.table.family).guarantees(subject.table).max_load;
  if (!(subject.load_factor > 0.0 && subject.load_factor <= most)) {
    throw Error(fmt::format("A table cannot be filled to a load factor of {}: choose more than 0, and at most {}.",
                            subject.load_factor, most));
  }
  if (Rival const* const rival = rival_of(subject.table.family)) {
    require_cpu(backend, rival->name);
    return make_rival_bench(*rival, subject);
  }
  validate(subject.table, backend);
  return dispatch(backend, [&]<class Exec>() { return make_table_bench_on<Exec>(subject); });
}

std::optional<MemoryRates> measure_memory(Backend backend, MemorySettings const& settings, Progress const& progress)
{
  return dispatch(backend, [&]<class Exec>() { return measure_memory_on<Exec>(settings, progress); });
}

std::unique_ptr<Texels> make_texels(Backend backend, std::uint64_t count)
{
  return dispatch(backend, [&]<class Exec>() { return make_texels_on<Exec>(count); });
}

std::unique_ptr<MultiValueBench> make_multivalue_bench(Backend backend, MultiValueCase const& subject)
{
  if (subject.by_cub && backend != Backend::cuda) { throw Error("CUB's sort runs on a GPU only."); }
  multivalue::validate(subject.settings);
  if (subject.pairs > multivalue::max_pairs) {
    throw Error(fmt::format("A multi-value table takes up to {} pairs, not {}.", multivalue::max_pairs, subject.pairs));
  }
  return dispatch(backend, [&]<class Exec>() { return make_multivalue_bench_on<Exec>(subject); });
}

std::unique_ptr<JoinBench> make_join_bench(Backend backend, JoinCase const& subject)
{
  joins::validate(subject.settings);
  require_shares(subject);
  for (std::uint64_t const rows : {subject.build_rows, subject.probe_rows}) { require_rows_fit(rows); }
  if (!subject.rival.empty()) {
    require_cpu(backend, subject.rival);
    return make_rival_join_bench(subject);
  }
  if (subject.table) {
    require_serves(*subject.table, subject);
    validate(*subject.table, backend);
  }
  return dispatch(backend, [&]<class Exec>() { return make_join_bench_on<Exec>(subject); });
}

std::unique_ptr<GroupBench> make_group_bench(Backend backend, GroupCase const& subject)
{
  joins::validate(subject.settings);
  require_rows_fit(subject.rows);
  require_rows_fit(subject.groups);
  if (!subject.rival.empty()) {
    require_cpu(backend, subject.rival);
    return make_rival_group_bench(subject);
  }
  return dispatch(backend, [&]<class Exec>() { return make_group_bench_on<Exec>(subject); });
}

std::unique_ptr<BuildTrials> make_build_trials(Backend backend, std::uint64_t pairs)
{
  return dispatch(backend, [&]<class Exec>() { return make_build_trials_on<Exec>(pairs); });
}

double limit_of(Timed timed, int key_bits, MemoryRates const& rates, MixShares const& mix)
{
  double const read = rate(rates, MemoryAccess::read_32);
  double const change =
      rate(rates, key_bits == 64 ? MemoryAccess::compare_exchange_16 : MemoryAccess::compare_exchange_8);
  switch (timed) {
    case Timed::find_hit:
    case Timed::find_miss:
    case Timed::probe: return read;
    case Timed::mixed: {
      double const lookups = mix.hit + mix.miss;
      double const changes = mix.insert + mix.erase;
      return (lookups + changes) / (lookups / read + changes / change);
    }
    case Timed::insert:
    case Timed::erase:
    case Timed::build: return change;
  }
  return 0.0;
}

}  // namespace slotscape::bench
