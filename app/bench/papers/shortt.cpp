#include "app/base/text.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/papers/paper_measurement.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace slotscape {
namespace {

using bench::Timed;

constexpr std::array loads{0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95};
constexpr int smallest_power = 15;      ///< smallest number of items, as a power of two
constexpr int largest_mean_power = 20;  ///< largest tables that his means cover
constexpr int largest_power = 27;       ///< largest of all his tables
constexpr int load_power = 20;          ///< size of the tables whose load factors he compares
constexpr double other_items = 0x1p24;  ///< used for numbers printed without a size
constexpr double other_load = 0.80;

constexpr bench::TimedMask insert_and_search = bench::mask_of(Timed::insert) | bench::mask_of(Timed::find_hit);

/// A table with items / load slots. For slabs, this counts only the base slabs: a fifteenth of their slots are links,
/// and the pool comes on top.
bench::TableCase table_with(std::string const& family, double items, double load)
{
  FamilyInfo const& info = family_info(family);
  bench::TableCase subject{{.family = family}, 0.5, {}, 0};
  double slots = items / load;
  if (family == "slab") { slots *= 16.0 / 15.0 * (100.0 + parameter_of(info, subject.table, "pool")) / 100.0; }
  subject.table.slots = static_cast<std::uint64_t>(std::ceil(slots));
  subject.load_factor = items / static_cast<double>(subject.table.slots);
  return subject;
}

/// Billions of operations per second.
struct Rates {
  double insert;
  double search;
};

/// Makes the table for each run, so that many tables need not exist at once.
std::optional<Rates> rates_of(Backend backend, bench::TableCase const& subject, std::uint64_t seed,
                              Progress const& progress)
{
  std::unique_ptr<bench::TableBench> const table = bench::make_table_bench(backend, subject);
  auto const round = table->run(seed, insert_and_search, progress);
  if (!round) { return std::nullopt; }
  auto const rate = [&](Timed timed) {
    bench::TimedRun const& run = *(*round)[static_cast<std::size_t>(timed)];
    return 1e-9 * static_cast<double>(run.count) / std::max(run.seconds, 1e-12);
  };
  return Rates{rate(Timed::insert), rate(Timed::find_hit)};
}

/// The percentage by which the largest value exceeds the smallest.
double spread_of(std::vector<double> const& values)
{
  auto const [low, high] = std::ranges::minmax(values);
  return 100.0 * (high - low) / low;
}

/// Rates of several tables of one family, one after another.
using Tables = std::vector<bench::TableCase>;
std::optional<std::vector<Rates>> rates_of(Backend backend, Tables const& tables, std::uint64_t seed,
                                           Progress const& progress)
{
  std::vector<Rates> all;
  for (bench::TableCase const& subject : tables) {
    auto const rates = rates_of(backend, subject, seed, progress);
    if (!rates) { return std::nullopt; }
    all.push_back(*rates);
  }
  return all;
}

std::vector<double> column(std::vector<Rates> const& rates, double Rates::*which)
{
  std::vector<double> values(rates.size());
  std::ranges::transform(rates, values.begin(), [=](Rates const& one) { return one.*which; });
  return values;
}

/// The family in a quantity such as "slab: insert", which names a family and an operation.
std::string family_in(PrintedNumber const& printed)
{
  return std::string(printed.quantity.substr(0, printed.quantity.find(':')));
}
bool is_insertion(PrintedNumber const& printed)
{
  return printed.quantity.ends_with("insert");
}

class ShorttMeasurement final : public PaperMeasurement {
public:
  ShorttMeasurement() : PaperMeasurement(shortt_2020()) {}

protected:
  std::vector<Experiment> experiments(Backend backend) const override
  {
    std::vector<Experiment> all;
    for (PrintedNumber const& printed : numbers_of(paper(), "rate")) {
      all.push_back(rate(backend, printed, printed.keys, printed.load, ""));
    }
    for (PrintedNumber const& printed : numbers_of(paper(), "mean_rate")) { all.push_back(mean(backend, printed)); }
    int const less = smaller_by(backend);
    all.push_back(spread(backend, "slab_by_load", load_power - less, load_power - less));
    int const most = backend == Backend::cuda ? largest_power : largest_mean_power;
    all.push_back(spread(backend, "slab_by_size", smallest_power - less, most - less));
    for (PrintedNumber const& printed : numbers_of(paper(), "others")) {
      all.push_back(rate(backend, printed, other_items, other_load,
                         "the table names no size, load or device: these are of other papers"));
    }
    return all;
  }

private:
  /// By how many powers of two our tables are smaller than his.
  int smaller_by(Backend backend) const
  {
    double const his = std::ldexp(1.0, load_power);
    return static_cast<int>(std::lround(std::log2(his / static_cast<double>(scaled(backend, his)))));
  }

  Experiment rate(Backend backend, PrintedNumber const& printed, double items, double load,
                  std::string const& note) const
  {
    std::string const family = family_in(printed);
    double const here = static_cast<double>(scaled(backend, items));
    bench::TableCase const subject = table_with(family, here, load);
    Experiment experiment;
    experiment.what =
        fmt::format("{}, {} items, α {:.2f}", printed.quantity, grouped(static_cast<std::uint64_t>(here)), load);
    experiment.compared.push_back({&printed, family, here, load, note});
    experiment.work = here;
    experiment.make = [=, inserts = is_insertion(printed)]() -> Experiment::Run {
      return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
        auto const rates = rates_of(backend, subject, seed, progress);
        return rates ? std::optional(std::vector{inserts ? rates->insert : rates->search}) : std::nullopt;
      };
    };
    return experiment;
  }

  /// The mean over all tables of 2^15 to 2^20 items and all load factors.
  Experiment mean(Backend backend, PrintedNumber const& printed) const
  {
    std::string const family = family_in(printed);
    Tables tables;
    int const less = smaller_by(backend);
    for (int power = smallest_power - less; power <= largest_mean_power - less; ++power) {
      for (double const load : loads) { tables.push_back(table_with(family, std::ldexp(1.0, power), load)); }
    }
    Experiment experiment;
    std::string const sizes =
        fmt::format("tables of 2^{} to 2^{} items", smallest_power - less, largest_mean_power - less);
    experiment.what = fmt::format("{}, {}", printed.quantity, sizes);
    experiment.compared.push_back({&printed, family, 0.0, -1.0, fmt::format("mean of 48 {}, α 0.60 to 0.95", sizes)});
    experiment.work = 2.0 * static_cast<double>(loads.size()) * std::ldexp(1.0, largest_mean_power);
    experiment.make = [=]() -> Experiment::Run {
      return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
        auto const rates = rates_of(backend, tables, seed, progress);
        if (!rates) { return std::nullopt; }
        std::vector<double> const searches = column(*rates, &Rates::search);
        return std::vector{std::accumulate(searches.begin(), searches.end(), 0.0) /
                           static_cast<double>(searches.size())};
      };
    };
    return experiment;
  }

  /// The spread of SlabHash's rates: over load factors if there is only one size, otherwise over sizes.
  Experiment spread(Backend backend, std::string_view name, int first_power, int last_power) const
  {
    bool const over_loads = first_power == last_power;
    Tables tables;
    for (int power = first_power; power <= last_power; ++power) {
      for (double const load : loads) {
        if (over_loads || load == loads.front()) { tables.push_back(table_with("slab", std::ldexp(1.0, power), load)); }
      }
    }
    Experiment experiment;
    experiment.what = fmt::format("slab, {} tables of 2^{} to 2^{} items", tables.size(), first_power, last_power);
    for (PrintedNumber const& printed : numbers_of(paper(), name)) {
      experiment.compared.push_back({&printed, "slab", over_loads ? std::ldexp(1.0, first_power) : 0.0,
                                     over_loads ? -1.0 : loads.front(),
                                     fmt::format("2^{} to 2^{} items", first_power, last_power)});
    }
    experiment.work = 2.0 * std::ldexp(1.0, last_power);
    experiment.make = [=]() -> Experiment::Run {
      return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
        auto const rates = rates_of(backend, tables, seed, progress);
        if (!rates) { return std::nullopt; }
        return std::vector{spread_of(column(*rates, &Rates::search)), spread_of(column(*rates, &Rates::insert))};
      };
    };
    return experiment;
  }
};

}  // namespace

std::unique_ptr<Measurement> make_shortt_measurement()
{
  return std::make_unique<ShorttMeasurement>();
}

}  // namespace slotscape
