#include "app/bench/limits.hpp"

#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/progress.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/memory_bench.hpp"
#include "gpu/bench/pacing.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

using bench::MemoryAccess;

struct Column {
  MemoryAccess access;
  std::string_view name;
};
constexpr std::uint64_t smallest_memory = std::uint64_t{1} << 10;
constexpr std::uint64_t largest_memory = std::uint64_t{1} << 37;
constexpr std::array<Column, bench::memory_access_count> columns{{
    {MemoryAccess::read_8, "read_8"},
    {MemoryAccess::read_16, "read_16"},
    {MemoryAccess::read_32, "read_32"},
    {MemoryAccess::read_64, "read_64"},
    {MemoryAccess::read_128, "read_128"},
    {MemoryAccess::compare_exchange_8, "compare_exchange_8"},
    {MemoryAccess::compare_exchange_16, "compare_exchange_16"},
    {MemoryAccess::store_8, "store_8"},
    {MemoryAccess::stream_read, "stream_read"},
    {MemoryAccess::stream_copy, "stream_copy"},
}};

/// Measures the access rates of memory of each size.
class LimitMeasurement final : public Measurement {
public:
  std::string_view name() const override { return "limits"; }
  std::string_view help() const override
  {
    return "random reads, compare-and-swaps, stores and streams, by size of memory";
  }
  void add_options(CLI::App& command) override
  {
    command.add_option("--bytes", typed_, "sizes of memory in bytes: 2^23,2^30")->type_name("LIST");
  }
  void interpret() override { sizes_ = read_counts("--bytes", typed_, {}, smallest_memory, largest_memory); }
  BenchColumns columns() const override { return {limit_columns(), limit_identity(), limit_columns()}; }
  double work(Backend backend) const override { return static_cast<double>(sizes(backend).size()); }
  bool run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const override
  {
    return run_limit_bench(request.backend, sizes(request.backend), request.repeats, report, progress,
                           request.max_seconds);
  }

private:
  std::vector<std::uint64_t> sizes(Backend backend) const
  {
    return sizes_.empty() ? usual_memory_sizes(backend) : sizes_;
  }

  std::string typed_;
  std::vector<std::uint64_t> sizes_;  ///< empty: the default sizes
};

}  // namespace

std::vector<std::uint64_t> usual_memory_sizes(Backend backend)
{
  std::vector<int> const powers =
      backend == Backend::cuda ? std::vector{20, 23, 25, 27, 30, 32} : std::vector{15, 18, 20, 23, 25, 28};
  std::vector<std::uint64_t> sizes(powers.size());
  std::ranges::transform(powers, sizes.begin(), [](int power) { return std::uint64_t{1} << power; });
  return sizes;
}

std::vector<std::string> limit_columns()
{
  std::vector<std::string> names{"backend", "device", "bytes"};
  for (Column const& column : columns) { names.emplace_back(column.name); }
  return names;
}

std::vector<std::string> limit_identity()
{
  return {"backend", "device", "bytes"};
}

bool run_limit_bench(Backend backend, std::span<std::uint64_t const> sizes, int repeats, BenchReport& report,
                     BenchProgress& progress, double max_seconds)
{
  double const most = (max_seconds > 0.0 ? max_seconds : usual_seconds) * (repeats + 1);
  std::array<MemoryAccess, bench::memory_access_count> wanted{};
  for (std::size_t i = 0; i < columns.size(); ++i) { wanted[i] = columns[i].access; }
  for (std::uint64_t const bytes : sizes) {
    BenchRow row = on_device(backend);
    row["bytes"] = bytes;
    if (report.has(row)) {
      progress.skip(1.0);
      continue;
    }
    progress.begin(bytes_text(bytes), 1.0);
    std::optional<bench::MemoryRates> rates;
    bench::Foresight const clock(0.0);
    try {
      rates = bench::measure_memory(backend, {bytes, repeats, wanted}, Progress([&](Progress const&) {
                                      if (clock.seconds() > most) {
                                        throw bench::GivenUp("its memory is slow", clock.seconds(), most);
                                      }
                                      return progress.go_on();
                                    }));
    } catch (Error const& error) {  // such as too little memory; other sizes may succeed
      progress.say(fmt::format("skipped {}: {}", bytes_text(bytes), error.what()));
      progress.skip(1.0);
      continue;
    }
    if (!rates) { return false; }
    for (Column const& column : columns) {
      row[std::string(column.name)] = rounded(1e-6 * (*rates)[static_cast<std::size_t>(column.access)]);
    }
    report.add(std::move(row));
  }
  return true;
}

std::unique_ptr<Measurement> make_limit_measurement()
{
  return std::make_unique<LimitMeasurement>();
}

}  // namespace slotscape
