#include "app/bench/measurement.hpp"

#include "app/bench/progress.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/pacing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slotscape {

namespace {

/// Decides whether a repeat may go on: throws GivenUp if it takes too long.
class Repeat {
public:
  Repeat(std::string const& what, double max_seconds, BenchProgress& progress)
      : what_(what), max_seconds_(max_seconds), progress_(progress)
  {
  }
  bool operator()() const
  {
    double const seconds = clock_.seconds();
    if (seconds > max_seconds_) { throw bench::GivenUp(what_, seconds, max_seconds_); }
    return progress_.go_on();
  }

private:
  std::string const& what_;
  double max_seconds_;
  BenchProgress& progress_;
  bench::Foresight clock_{0.0};
};

}  // namespace

/// Columns that the row lacks become null.
void CaseMeasurement::add_row(BenchRow row, Findings const& of_row, BenchReport& report) const
{
  Findings all = of_row;
  add_findings(all, findings());
  row["findings"] = fmt::format("{}", fmt::join(all, " "));
  for (std::string const& column : columns().all) {
    if (!row.contains(column)) { row[column] = nullptr; }
  }
  report.add(std::move(row));
}

/// Returns false after Ctrl-C.
bool CaseMeasurement::run_case(BenchCase const& subject, BenchRequest const& request, BenchReport& report,
                               BenchProgress& progress) const
{
  auto const row_of = [&](BenchRow const& part) {
    BenchRow row = subject.identity;
    row.update(part);
    row["seed"] = request.seed;
    row["repeats"] = request.repeats;
    return row;
  };
  std::vector<std::size_t> missing;
  for (std::size_t part = 0; part < subject.parts.size(); ++part) {
    if (!report.has(row_of(subject.parts[part]))) { missing.push_back(part); }
  }
  std::string const obstacle = !missing.empty() && subject.obstacle ? subject.obstacle() : "";
  if (!obstacle.empty()) { progress.say(fmt::format("skipped {}: {}", subject.what, obstacle)); }
  if (missing.empty() || !obstacle.empty()) {
    progress.skip(subject.work);
    return true;
  }
  progress.begin(subject.what, subject.work);
  std::unique_ptr<CaseBench> bench;
  try {
    bench = subject.make();
  } catch (Error const& error) {  // such as too little memory; the other cases may have enough
    progress.say(fmt::format("skipped {}: {}", subject.what, error.what()));
    return true;
  }
  std::vector<std::vector<double>> samples(subject.parts.size());
  try {
    double const most = request.max_seconds > 0.0 ? request.max_seconds : usual_seconds;
    for (int repeat = 0; repeat <= request.repeats; ++repeat) {
      progress.reach(repeat / (request.repeats + 1.0));
      Repeat const goes_on(subject.what, most, progress);
      auto const seconds = bench->run(request.seed + static_cast<std::uint64_t>(repeat),
                                      Progress([&](Progress const&) { return goes_on(); }));
      if (!seconds) { return false; }
      for (std::size_t part = 0; part < samples.size() && repeat != 0; ++part) {  // the first repeat only warms up
        samples[part].push_back(seconds->at(part));
      }
    }
    for (std::size_t const part : missing) {
      BenchRow row = row_of(subject.parts[part]);
      MedianOf const times = median_of(samples[part]);
      row[measured().column] = number_or_null(rounded(measured().factor * times.median));
      row["spread"] = number_or_null(rounded(times.spread, 3));
      row.update(bench->facts(part, times.median));
      Findings const findings = bench->findings(part);
      for (std::string const& finding : findings) { progress.note(fmt::format("{}: {}", subject.what, finding)); }
      add_row(std::move(row), findings, report);
    }
  } catch (bench::GivenUp const& given_up) {
    progress.note(fmt::format("{} Allow more with --max-seconds.", given_up.what()));
    for (std::size_t const part : missing) { add_row(row_of(subject.parts[part]), {given_up.what()}, report); }
  }
  return true;
}

double CaseMeasurement::work(Backend backend) const
{
  std::vector<BenchCase> const all = cases(backend);
  return std::accumulate(all.begin(), all.end(), 0.0,
                         [](double sum, BenchCase const& subject) { return sum + subject.work; });
}

bool CaseMeasurement::run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const
{
  std::vector<BenchCase> const all = cases(request.backend);
  return std::ranges::all_of(all,
                             [&](BenchCase const& subject) { return run_case(subject, request, report, progress); });
}

BenchColumns CaseMeasurement::columns_of(std::vector<std::string> identity, std::vector<std::string> const& facts,
                                         std::vector<std::string> const& not_shown) const
{
  identity.insert(identity.begin(), {"backend", "device"});
  BenchColumns columns{identity, identity, {}};
  columns.all.insert(columns.all.end(), {measured().column, "spread"});
  columns.all.insert(columns.all.end(), facts.begin(), facts.end());
  columns.identity.emplace_back("seed");
  for (auto column = columns.all.begin() + 2; column != columns.all.end(); ++column) {
    if (std::ranges::find(not_shown, *column) == not_shown.end()) { columns.shown.push_back(*column); }
  }
  columns.all.insert(columns.all.end(), {"seed", "repeats", "findings"});
  return columns;
}

Json number_or_null(double number)
{
  return std::isfinite(number) ? Json(number) : Json(nullptr);
}

BenchRow on_device(Backend backend)
{
  return {{"backend", to_text(backend)}, {"device", device_name(backend)}};
}

std::string device_name(Backend backend)
{
  for (DeviceInfo const& device : list_devices()) {
    if (device.backend == backend) { return device.name; }
  }
  return "";
}

void require_right(std::string_view what, std::uint64_t right, std::uint64_t all)
{
  if (right == all) { return; }
  throw Error(fmt::format("Wrong answers: {} of {} {} are right. Please report this with the command that you ran.",
                          right, all, what));
}

}  // namespace slotscape
