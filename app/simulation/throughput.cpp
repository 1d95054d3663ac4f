#include "app/simulation/throughput.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

/// The median and the quartiles of a sample.
struct Quartiles {
  double low;
  double middle;
  double high;
};

Quartiles quartiles_of(std::span<double const> numbers)
{
  std::vector<double> sorted(numbers.begin(), numbers.end());
  std::ranges::sort(sorted);
  std::size_t const count = sorted.size();
  return {sorted[count / 4], sorted[count / 2], sorted[(3 * count - 1) / 4]};
}

/// The load factor in the middle of a bin.
double load_of_bin(int bin)
{
  double const middle = bin + 0.5;
  if (bin < ThroughputCurve::bins_to_one) { return middle / ThroughputCurve::bins_to_one; }
  return 1.0 + (middle - ThroughputCurve::bins_to_one) / ThroughputCurve::bins_above;
}

int bin_of(double load)
{
  constexpr int to_one = ThroughputCurve::bins_to_one;
  if (load <= 1.0) { return std::clamp(static_cast<int>(load * to_one), 0, to_one - 1); }
  return to_one + static_cast<int>((load - 1.0) * ThroughputCurve::bins_above);
}

void drop_every_other(std::vector<LoadHistory::Sample>& samples)
{
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); i += 2) { samples[kept++] = samples[i]; }
  samples.resize(kept);
}

}  // namespace

void LoadHistory::add(Sample const& sample)
{
  if (latest_is_extra_) { samples_.pop_back(); }
  ++since_kept_;
  if (samples_.size() == max_samples - 1) {
    // From an odd number of samples, the first and the last are kept, so the stride continues without a gap.
    drop_every_other(samples_);
    stride_ *= 2;
  }
  latest_is_extra_ = !samples_.empty() && since_kept_ < stride_;
  if (!latest_is_extra_) { since_kept_ = 0; }
  samples_.push_back(sample);
}

std::optional<RunKind> run_kind(ActionReport const& report)
{
  auto const* const name = std::find(run_kind_names.begin(), run_kind_names.end(), report.op);
  if (name == run_kind_names.end()) { return std::nullopt; }
  return static_cast<RunKind>(name - run_kind_names.begin());
}

void ThroughputCurve::add(ActionReport const& run)
{
  std::optional<RunKind> const kind = run_kind(run);
  if (!kind || run.count < min_operations || run.seconds <= 0.0) { return; }
  Bin& bin = curves_[static_cast<std::size_t>(*kind)][bin_of(run.load_factor)];
  bin.runs[bin.samples % samples_per_bin] = {run.mops(), run.seconds, run.count};
  ++bin.samples;
}

void ThroughputCurve::Bin::add_to(std::vector<double>& mops, RateBasis& basis) const
{
  for (Run const& run : kept()) {
    mops.push_back(run.mops);
    basis.operations += run.operations;
    basis.seconds += run.seconds;
    ++basis.runs;
  }
}

std::vector<ThroughputCurve::Point> ThroughputCurve::points(RunKind kind) const
{
  std::vector<Point> points;
  for (auto const& [number, bin] : curves_[static_cast<std::size_t>(kind)]) {
    std::vector<double> runs;
    RateBasis basis;
    bin.add_to(runs, basis);
    Quartiles const mops = quartiles_of(runs);
    points.push_back({load_of_bin(number), mops.middle, mops.low, mops.high, bin.samples, basis});
  }
  return points;
}

/// Combines neighbouring bins, because a single bin holds too few runs for their spread: the parts of one batch are in
/// several bins.
std::optional<ThroughputCurve::Speed> ThroughputCurve::speed_at(double load_factor, RunKind kind) const
{
  constexpr std::size_t min_runs = 3;  // for a meaningful spread
  std::vector<double> runs;
  RateBasis basis;
  for (auto const& [number, bin] : curves_[static_cast<std::size_t>(kind)]) {
    if (std::abs(load_of_bin(number) - load_factor) > near) { continue; }
    bin.add_to(runs, basis);
  }
  if (runs.empty()) { return std::nullopt; }
  Quartiles const mops = quartiles_of(runs);
  Speed speed{mops.middle, std::nullopt, runs.size(), basis};
  if (runs.size() >= min_runs && mops.middle > 0.0) { speed.spread = (mops.high - mops.low) / 2.0 / mops.middle; }
  return speed;
}

void RateMeter::add(ActionReport const& run, double now)
{
  Tally const& outcomes = run.outcomes;
  auto const count = [&](Outcome outcome) { return static_cast<double>(outcomes[outcome]); };
  bool const erasing = run.op == "erase";
  double const missing = count(Outcome::missing);
  samples_.push_back({now,
                      {.insert = count(Outcome::inserted),
                       .find = count(Outcome::found) + (erasing ? 0.0 : missing),
                       .erase = count(Outcome::erased),
                       .updated = count(Outcome::updated),
                       .refused = count(Outcome::full) + count(Outcome::rejected),
                       .absent = erasing ? missing : 0.0,
                       .seconds = run.seconds,
                       .runs = 1.0}});
  while (now - samples_.front().time > window) { samples_.pop_front(); }
}

RateMeter::Rates RateMeter::rates(double now) const
{
  Rates sum;
  for (Sample const& sample : samples_) {
    if (now - sample.time > window) { continue; }
    for (double Rates::*const kind : {&Rates::insert, &Rates::find, &Rates::erase, &Rates::updated, &Rates::refused,
                                      &Rates::absent, &Rates::seconds, &Rates::runs}) {
      sum.*kind += sample.operations.*kind / window;
    }
  }
  return sum;
}

RateBasis RateMeter::Rates::basis_of(double rate) const
{
  return {static_cast<std::uint64_t>(std::llround(rate * window)), seconds * window,
          static_cast<std::uint64_t>(std::llround(runs * window))};
}

std::string reading_of(std::string_view name, std::vector<ThroughputCurve::Point> const& points, double load_factor,
                       double reach)
{
  auto const distance = [=](ThroughputCurve::Point const& point) { return std::abs(point.load_factor - load_factor); };
  auto const nearest = std::ranges::min_element(points, {}, distance);
  if (nearest == points.end() || distance(*nearest) > reach) { return ""; }
  std::string text =
      fmt::format("\n{}: {}{} M/s", name, nearest->basis.rough() ? "~" : "", short_number(nearest->mops));
  if (nearest->basis.runs > 2 && nearest->mops > 0.0) {
    text += fmt::format(" ± {:.0f} %", 50.0 * (nearest->high - nearest->low) / nearest->mops);
  }
  return text + tr(", from {} operations in {} runs, {}", grouped(nearest->basis.operations),
                   grouped(nearest->basis.runs), milliseconds(nearest->basis.seconds));
}

std::string text_of(RateBasis const& basis)
{
  std::string text =
      tr("{} {}: {} in the table.",
         tr_plural("{} operation", "{} operations", basis.operations, grouped(basis.operations)),
         tr_plural("in {} batch", "in {} batches", basis.runs, grouped(basis.runs)), milliseconds(basis.seconds));
  if (basis.rough()) {
    text += " " + tr("This is a rough figure: a better one needs {} operations and {}.",
                     grouped(RateBasis::enough_operations), milliseconds(RateBasis::enough_seconds));
  }
  return text;
}

}  // namespace slotscape
