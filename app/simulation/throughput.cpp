#include "app/simulation/throughput.hpp"

#include <algorithm>

namespace slotscape {
namespace {

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
  if (samples_.size() == most_samples - 1) {
    // Of an odd number of samples, the first and the last are kept: the stride continues without a gap.
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
  if (!kind || run.count < least_operations || run.seconds <= 0.0) { return; }
  int const index = std::clamp(static_cast<int>(run.load_factor * bins), 0, bins - 1);
  Bin& bin = curves_[static_cast<std::size_t>(*kind)][static_cast<std::size_t>(index)];
  bin.mops[bin.samples % samples_per_bin] = run.mops();
  ++bin.samples;
}

std::vector<ThroughputCurve::Point> ThroughputCurve::points(RunKind kind) const
{
  std::vector<Point> points;
  auto const& curve = curves_[static_cast<std::size_t>(kind)];
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].samples > 0) { points.push_back(point_of(curve[i], (static_cast<double>(i) + 0.5) / bins)); }
  }
  return points;
}

ThroughputCurve::Point ThroughputCurve::point_of(Bin const& bin, double load_factor)
{
  std::array<double, samples_per_bin> mops = bin.mops;
  auto const count = static_cast<std::size_t>(std::min<std::uint64_t>(bin.samples, samples_per_bin));
  std::sort(mops.begin(), mops.begin() + static_cast<std::ptrdiff_t>(count));
  return {load_factor, mops[count / 2], mops[count / 4], mops[(3 * count - 1) / 4], bin.samples};
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
                       .absent = erasing ? missing : 0.0}});
  while (now - samples_.front().time > window) { samples_.pop_front(); }
}

RateMeter::Rates RateMeter::rates(double now) const
{
  Rates sum;
  for (Sample const& sample : samples_) {
    if (now - sample.time > window) { continue; }
    for (double Rates::*const kind :
         {&Rates::insert, &Rates::find, &Rates::erase, &Rates::updated, &Rates::refused, &Rates::absent}) {
      sum.*kind += sample.operations.*kind / window;
    }
  }
  return sum;
}

}  // namespace slotscape
