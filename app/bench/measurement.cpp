#include "app/bench/measurement.hpp"

#include "app/bench/progress.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slotscape {

/// False after Ctrl-C.
bool CaseMeasurement::run_case(BenchCase const& subject, BenchRequest const& request, BenchReport& report,
                               BenchProgress& progress) const
{
  auto const row_of = [&](BenchRow const& part) {
    BenchRow row = subject.identity;
    row.update(part);
    return row;
  };
  bool const missing =
      std::ranges::any_of(subject.parts, [&](BenchRow const& part) { return !report.has(row_of(part)); });
  std::string const obstacle = missing && subject.obstacle ? subject.obstacle() : "";
  if (!obstacle.empty()) { progress.say(fmt::format("skipped {}: {}", subject.what, obstacle)); }
  if (!missing || !obstacle.empty()) {
    progress.skip(subject.work);
    return true;
  }
  progress.begin(subject.what, subject.work);
  std::unique_ptr<CaseBench> const bench = subject.make();
  std::vector<std::vector<double>> samples(subject.parts.size());
  for (int repeat = 0; repeat <= request.repeats; ++repeat) {
    auto const seconds =
        bench->run(request.seed + static_cast<std::uint64_t>(repeat), [&] { return progress.go_on(); });
    if (!seconds) { return false; }
    for (std::size_t part = 0; part < samples.size() && repeat != 0; ++part) {  // the first one only warms up
      samples[part].push_back(seconds->at(part));
    }
  }
  for (std::size_t part = 0; part < samples.size(); ++part) {
    BenchRow row = row_of(subject.parts[part]);
    if (report.has(row)) { continue; }
    MedianOf const times = median_of(samples[part]);
    row[measured().column] = number_or_null(rounded(measured().factor * times.median));
    row["spread"] = number_or_null(rounded(times.spread, 3));
    row.update(bench->facts(part, times.median));
    report.add(std::move(row));
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
  for (auto column = columns.all.begin() + 2; column != columns.all.end(); ++column) {
    if (std::ranges::find(not_shown, *column) == not_shown.end()) { columns.shown.push_back(*column); }
  }
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
