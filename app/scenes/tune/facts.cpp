#include "app/base/text.hpp"
#include "app/scenes/tune/state.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

using tuning::Measured;
using tuning::Results;

/// Formats a rate, and marks a rough one.
std::string rate_text(double rate, RateBasis const& basis)
{
  return fmt::format("{}{}/s", basis.rough() ? "~" : "", short_number(rate));
}

/// The last part of an explanation: how rough the rate is.
std::string how_rough(RateBasis const& basis)
{
  if (!basis.rough()) { return ""; }
  return " " + tr("Rough (~): all repeats together cover only {} operations, in {}.", grouped(basis.operations),
                  milliseconds(basis.seconds));
}

std::string how_measured(Measured const& measured, OperationResult const& result)
{
  std::string const count = grouped(result.count);
  std::string const time = milliseconds(result.seconds);
  std::string const spread = percent(result.spread);
  if (result.limit <= 0.0) {
    return tr("{} operations in {} (median of {} repeats, interquartile range {}).", count, time, measured.repeats,
              spread);
  }
  return tr(
      "{} operations in {} (median of {} repeats, interquartile range {}): {} of the rate that this device's memory "
      "allows.",
      count, time, measured.repeats, spread, percent(result.rate() / result.limit));
}

std::string_view name_of_kind(std::size_t kind)
{
  constexpr std::array<std::string_view, bench::timed_count> names{translatable("Insertions"), translatable("Hits"),
                                                                   translatable("Misses"),     translatable("Mixed"),
                                                                   translatable("Erasures"),   translatable("Build"),
                                                                   translatable("Probe")};
  return names[kind];
}

void add_kinds(Measured const& measured, std::vector<MarkFact>& facts)
{
  for (std::size_t kind = 0; kind < measured.operations.size(); ++kind) {
    auto const& result = measured.operations[kind];
    if (!result || result->seconds <= 0.0) { continue; }
    RateBasis const basis = tuning::basis_of(measured, *result);
    facts.push_back({std::string(name_of_kind(kind)), rate_text(result->rate(), basis),
                     how_measured(measured, *result) + how_rough(basis)});
  }
}

/// The number of shards, their devices, and the cost of dividing.
MarkFact fact_of_shards(Results const& results, Measured const& measured)
{
  TableSettings const& table = measured.candidate.table;
  bool const each = table.devices == ShardDevices::each;
  std::uint32_t const devices = each ? std::min(results.devices, table.shards) : 1;
  std::string what = tr("Equal tables that divide the keys among them.");
  if (each && devices == 1) { what += fmt::format(" {}", tr("Each has arrays of its own, on one device.")); }
  if (auto const report = tuning::shards_of(results.workload, measured); report && report->seconds.all() > 0.0) {
    ShardSeconds const& seconds = report->seconds;
    what += " " + tr("The busiest one had {:.2f} times the mean of the operations. Distributing keys and collecting "
                     "results took {} of the time, and sending them {}.",
                     report->imbalance(&ShardWork::operations), percent(seconds.partition / seconds.all()),
                     percent(seconds.exchange / seconds.all()));
  }
  std::string const figure = devices > 1 ? tr("{} on {} devices", table.shards, devices) : std::to_string(table.shards);
  return {translatable("Shards"), figure, what};
}

}  // namespace

std::string mix_text(tuning::Workload const& workload, double match)
{
  if (workload.join) { return tuning::join_text(workload, match); }
  double const all = workload.operations();
  std::vector<std::string> parts;
  auto const add = [&](double share, std::string_view what) {
    if (share > 0.0) { parts.push_back(fmt::format("{:.0f} % {}", 100.0 * share / all, translated(what))); }
  };
  add(workload.insert, translatable("insertions"));
  add(workload.hit, translatable("hits"));
  add(workload.miss, translatable("misses"));
  add(workload.erase, translatable("erasures"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<MarkFact> facts_of(Results const& results, Measured const& measured)
{
  TableSettings const& table = measured.candidate.table;
  RateBasis const basis = tuning::basis_of(measured);
  std::uint64_t const live = measured.live == 0 ? measured.keys : measured.live;
  double const off = measured.uncertainty > 0.0 ? measured.uncertainty : measured.spread / 2.0;
  std::string const slots = grouped(measured.slots == 0 ? table.slots : measured.slots);
  bool const by_others = tuning::is_by_others(measured.candidate);
  std::vector<MarkFact> facts{
      {translatable("Throughput"),
       off > 1.0 ? tr("{}, very uncertain", rate_text(measured.throughput, basis))
                 : fmt::format("{} ± {}", rate_text(measured.throughput, basis), percent(off)),
       tr("{} a second: {}. ± is the uncertainty of a comparison with others; the middle half of {} repeats lies "
          "within {}.",
          results.workload.join ? tr("Rows of both sides") : tr("Operations of the workload's mix"),
          mix_text(results.workload, results.match), measured.repeats, percent(measured.spread)) +
           how_rough(basis)},
      {translatable("Memory"), fmt::format("{:.1f} B/key", measured.bytes_per_key),
       tr("Bytes of everything that belongs to the table, divided by its number of keys: {} for {} keys.",
          bytes_text(measured.memory_bytes), grouped(live))},
      {translatable("Load factor"), by_others ? std::string("–") : fmt::format("{:.3f}", measured.load()),
       by_others ? tr("It chooses its number of slots by itself.")
       : measured.keys < results.different
           ? tr("{} keys in {} slots; the whole table: {} in {}. Random keys are guaranteed a slot up to {:.2f}.",
                grouped(live), slots, grouped(results.different), grouped(table.slots), measured.safe_load)
           : tr("{} keys in {} slots. Random keys are guaranteed a slot up to {:.2f}.", grouped(live), slots,
                measured.safe_load)},
      {translatable("Batch"),
       measured.worst_batch_seconds > 0.0
           ? tr("{} to {}", milliseconds(measured.batch_seconds), milliseconds(measured.worst_batch_seconds))
           : milliseconds(measured.batch_seconds),
       tr("The typical time of a batch of {} operations of the mix; and of the slowest batch of any kind, if all kinds "
          "ran in batches of this size.",
          grouped(measured.timed_batch))},
  };
  if (table.shards != 1) { facts.push_back(fact_of_shards(results, measured)); }
  if (measured.accesses) {
    facts.push_back({translatable("Lookups"), tr("{:.2f}, at most {}", measured.accesses->mean, measured.accesses->max),
                     tr("Memory accesses of a lookup: the mean and the maximum; p99 is {}. The table was filled by "
                        "insertions; a rehash would arrange its keys differently.",
                        measured.accesses->p99)});
  }
  add_kinds(measured, facts);
  if (measured.failed > 0) {
    facts.push_back({translatable("No place"), grouped(measured.failed),
                     tr("Insertions that failed, in {} repeats.", measured.repeats)});
  }
  return facts;
}

std::string what_was_timed(Results const& results, Measured const& measured)
{
  std::string const clock = results.backend == Backend::cuda ? tr("the device's events") : tr("a steady clock");
  std::string text = tr("{}: {} repeats after a warm-up, timed by {}, with every answer checked.",
                        translated(to_label(measured.stage)), measured.repeats, clock);
  if (measured.keys < results.different) {
    text += " " +
            (tuning::is_by_others(measured.candidate)
                 ? tr("A table of {} keys was measured instead.", grouped(measured.keys))
                 : tr("A table of {} keys at α {:.2f} was measured instead.", grouped(measured.keys), measured.load()));
  }
  return text;
}

}  // namespace slotscape
