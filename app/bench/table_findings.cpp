#include "app/bench/table_findings.hpp"

#include "app/base/text.hpp"
#include "app/keys/comparing.hpp"
#include "app/keys/file_keys.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/pacing.hpp"
#include "gpu/bench/rivals.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace slotscape {

using bench::Timed;

namespace {

std::string different_keys(std::uint64_t count)
{
  return fmt::format("{} distinct key{}", grouped(count), count == 1 ? "" : "s");
}

std::string why_short(bench::TableCase const& subject, bench::TableBench const& table)
{
  if (subject.keys.distribution == KeyDistribution::file) {
    std::string const file = std::filesystem::path(subject.keys.file_name).filename().string();
    std::string const name = file.empty() ? "the file" : file;
    return fmt::format("{} has only {}", name, different_keys(table.keys()));
  }
  std::uint64_t const all = subject.zipf_keys != 0 ? subject.zipf_keys : table.table().slots;
  if (table.keys() == all) { return fmt::format("there are only {}", different_keys(all)); }
  return fmt::format("{} draws brought only {}", grouped(table.inserts()), different_keys(table.keys()));
}

}  // namespace

Findings shortage_of(bench::TableCase const& subject, bench::TableBench const& table)
{
  auto const slots = static_cast<double>(table.table().slots);
  if (subject.inserts != 0) {
    if (table.inserts() >= subject.inserts) { return {}; }
    return {fmt::format("{} insertions fill the table instead of {}: the file has no more keys.",
                        grouped(table.inserts()), grouped(subject.inserts))};
  }
  auto const wanted = static_cast<std::uint64_t>(std::llround(slots * subject.load_factor));
  if (table.keys() >= wanted) { return {}; }
  return {fmt::format("{}, so the load factor is {:.3g} instead of {:.3g}.", why_short(subject, table),
                      static_cast<double>(table.keys()) / slots, subject.load_factor)};
}

Findings findings_of_keys(OperationResult const& result, std::uint64_t filled)
{
  if (!result.keys || *result.keys >= filled) { return {}; }
  return {tr("The table of this mix held at most {} keys instead of {}: the file has no more keys to insert.",
             grouped(*result.keys), grouped(filled))};
}

Findings findings_of_join(KeySettings const& build, KeySettings const& probe, bool keeps_unmatched,
                          LookAlikes& look_alikes)
{
  Findings findings = key_findings(build);
  add_findings(findings, key_findings(probe));
  if (std::string const& hint = look_alikes.hint(build, probe); !hint.empty()) { findings.push_back(hint); }
  std::uint64_t const left_out = probe.distribution == KeyDistribution::file ? notes_of(probe).left_out : 0;
  if (left_out != 0 && keeps_unmatched) {
    findings.push_back(tr_plural("Left and anti joins omit the probe row that was left out; SQL would keep it.",
                                 "Left and anti joins omit the {} probe rows that were left out; SQL would keep them.",
                                 left_out, grouped(left_out)));
  }
  return findings;
}

std::string how_to_allow_more()
{
  return "Allow more with --max-seconds.";
}

Findings findings_of(OperationResult const& result, double max_seconds)
{
  Findings findings;
  std::string whole = fmt::format("all would take about {} a repeat", bench::duration_text(result.whole_seconds));
  if (max_seconds > 0.0) {
    whole += fmt::format(", and {} are allowed. {}", bench::duration_text(max_seconds), how_to_allow_more());
  } else {
    whole += '.';
  }
  if (result.count != 0 && result.left_out != 0) {
    findings.push_back(fmt::format("timed on {} of {} operations: {}", grouped(result.count),
                                   grouped(result.count + result.left_out), whole));
  } else if (result.left_out != 0 && result.whole_seconds > 0.0) {
    findings.push_back(fmt::format("given up: {}", whole));
  } else if (result.left_out != 0) {
    findings.emplace_back("not measured, since the mix before it was given up.");
  }
  if (result.accesses && result.accesses->cut) {
    findings.push_back(
        fmt::format("lookups of {} accesses and more were counted up to there.", grouped(result.accesses->max)));
  }
  return findings;
}

std::string why_left_out(Timed timed, bench::TableCase const& subject, bench::TableBench const& table)
{
  bool const is_static = bench::subject_info(subject.table.family).guarantees(subject.table).is_static;
  if (timed == Timed::mixed && is_static) { return "insertions rebuild a static table"; }
  KeyDistribution const keys = subject.keys.distribution;
  bool const repeats = table.inserts() != table.keys() || keys == KeyDistribution::zipf;
  if (repeats || keys == KeyDistribution::file) { return "it needs keys of which none comes twice"; }
  if (table.live() < table.keys()) { return "some keys did not fit"; }
  return "the table holds too few keys";
}

}  // namespace slotscape
