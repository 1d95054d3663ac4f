#include "app/base/text.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/match.hpp"
#include "app/bench/papers/paper_measurement.hpp"
#include "app/bench/spatial.hpp"
#include "gpu/bench/build_trial.hpp"
#include "gpu/bench/multivalue_bench.hpp"
#include "gpu/tables/two_level_cuckoo_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

using bench::Timed;

constexpr std::uint64_t pairs_of_a_bucket = 409;
constexpr double bytes_of_a_pair = 8.0;
constexpr bench::TimedMask build_and_retrieve = bench::mask_of(Timed::insert) | bench::mask_of(Timed::find_hit);
constexpr std::uint64_t trials_on_gpu = 2500;  ///< builds of one repeat
constexpr std::uint64_t trials_on_cpu = 10;

std::uint64_t buckets_for(std::uint64_t pairs)
{
  return (pairs + pairs_of_a_bucket - 1) / pairs_of_a_bucket;
}

/// Random pairs in the paper's table, or in a sorted array.
bench::TableCase table_of(std::string const& family, std::uint64_t pairs)
{
  bench::TableCase subject{{.family = family, .slots = pairs}, 1.0, {}, 0};
  if (family == "two_level_cuckoo") {
    subject.table.slots = buckets_for(pairs) * two_level::bucket_slots;
    subject.load_factor = static_cast<double>(pairs) / static_cast<double>(subject.table.slots);
  }
  return subject;
}

/// Milliseconds to build the table and to retrieve every key in random order, and its memory relative to the pairs.
Experiment::Run build_and_find(Backend backend, bench::TableCase const& subject)
{
  std::shared_ptr<bench::TableBench> const table = bench::make_table_bench(backend, subject);
  return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
    auto const round = table->run(seed, build_and_retrieve, progress);
    if (!round) { return std::nullopt; }
    auto const time = [&](Timed timed) { return 1e3 * (*round)[static_cast<std::size_t>(timed)]->seconds; };
    double const memory =
        static_cast<double>(table->memory_bytes()) / (bytes_of_a_pair * static_cast<double>(table->live()));
    return std::vector{time(Timed::insert), time(Timed::find_hit), memory};
  };
}

/// The smallest of these sizes from which on build and retrieval are faster than sort and binary search.
Experiment::Run crossover(Backend backend, std::vector<std::uint64_t> const& sizes)
{
  return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
    double from = HUGE_VAL;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      auto const hashed = build_and_find(backend, table_of("two_level_cuckoo", *size))(seed, progress);
      auto const sorted =
          hashed ? build_and_find(backend, table_of("sorted_array", *size))(seed, progress) : std::nullopt;
      if (!sorted) { return std::nullopt; }
      if ((*hashed)[0] + (*hashed)[1] > (*sorted)[0] + (*sorted)[1]) { break; }
      from = static_cast<double>(*size);
    }
    return std::vector{from};
  };
}

/// Builds tables with new keys and new hash functions each time. Restarts are so rare that their times are averaged
/// over all repeats.
Experiment::Run build_trials(Backend backend, std::uint64_t pairs, std::uint64_t trials)
{
  struct Restarted {
    double milliseconds = 0.0;
    double builds = 0.0;
  };
  std::shared_ptr<bench::BuildTrials> const table = bench::make_build_trials(backend, pairs);
  auto const restarted = std::make_shared<Restarted>();
  return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
    double sum = 0.0;
    double rounds = 0.0;
    double restarts = 0.0;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      auto const built = table->run(seed * trials + trial, progress);
      if (!built) { return std::nullopt; }
      sum += 1e3 * built->seconds;
      rounds += built->rounds;
      if (built->restarts == 0) { continue; }
      restarts += 1.0;
      restarted->builds += 1.0;
      restarted->milliseconds += 1e3 * built->seconds;
    }
    auto const count = static_cast<double>(trials);
    double const with_restart = restarted->builds > 0.0 ? restarted->milliseconds / restarted->builds : HUGE_VAL;
    return std::vector{sum / count, with_restart, 100.0 * restarts / count, rounds / count};
  };
}

/// Turns a case bench into an experiment; `pick` computes the values from the seconds of its parts.
template <class Pick>
Experiment::Run run_of(std::unique_ptr<CaseBench> bench, Pick const& pick)
{
  std::shared_ptr<CaseBench> const shared = std::move(bench);
  return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
    auto const seconds = shared->run(seed, progress);
    return seconds ? std::optional(std::vector{pick(*seconds)}) : std::nullopt;
  };
}

class AlcantaraMeasurement final : public PaperMeasurement {
public:
  explicit AlcantaraMeasurement(TimeFrames time_frames)
      : PaperMeasurement(alcantara_2009()), time_frames_(std::move(time_frames))
  {
  }

protected:
  std::vector<Experiment> experiments(Backend backend) const override
  {
    std::vector<Experiment> all;
    add_tables(backend, all);
    add_crossover(backend, all);
    add_perfect_spatial_hash(backend, all);
    add_trials(backend, all);
    add_multivalue(backend, all);
    add_intersection(backend, all);
    add_matching(backend, all);
    return all;
  }

private:
  void add_tables(Backend backend, std::vector<Experiment>& all) const
  {
    for (auto const& [name, family] :
         {std::pair{"random_pairs", "two_level_cuckoo"}, std::pair{"sorted_pairs", "sorted_array"}}) {
      auto const printed = numbers_of(paper(), name);
      std::uint64_t const pairs = scaled(backend, printed.front().keys);
      bench::TableCase const subject = table_of(family, pairs);
      Experiment& one = all.emplace_back();
      one.what = fmt::format("{}, {} pairs", family, grouped(pairs));
      for (PrintedNumber const& number : printed) {
        one.compared.push_back({&number, family, static_cast<double>(pairs), subject.load_factor});
      }
      one.work = static_cast<double>(pairs);
      one.make = [=, count = printed.size()]() -> Experiment::Run {
        Experiment::Run const run = build_and_find(backend, subject);
        return [=](std::uint64_t seed, Progress const& progress) {
          auto values = run(seed, progress);
          if (values) { values->resize(count); }
          return values;
        };
      };
    }
  }

  void add_crossover(Backend backend, std::vector<Experiment>& all) const
  {
    std::vector<std::uint64_t> const sizes{3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000};
    Experiment& one = all.emplace_back();
    one.what = "from how many pairs on hashing beats sorting";
    one.compared.push_back({&numbers_of(paper(), "crossover").front(), "two_level_cuckoo", 0.0, -1.0,
                            "random pairs; of 3,000, 10,000, 30,000 and so on to 1,000,000"});
    one.work = 3e6;
    one.make = [=] { return crossover(backend, sizes); };
  }

  void add_perfect_spatial_hash(Backend backend, std::vector<Experiment>& all) const
  {
    std::uint64_t const pairs = scaled(backend, 1e6);
    bench::TableCase subject = table_of("perfect_hash", pairs);
    subject.table.parameters["variant"] = 2;
    Experiment& one = all.emplace_back();
    one.what = fmt::format("perfect spatial hash of {} pairs", grouped(pairs));
    one.compared.push_back({&numbers_of(paper(), "perfect_spatial_hash").front(), "perfect_hash",
                            static_cast<double>(pairs), 1.0, "built on the device; every slot taken"});
    one.work = static_cast<double>(pairs);
    one.make = [=]() -> Experiment::Run {
      Experiment::Run const run = build_and_find(backend, subject);
      return [=](std::uint64_t seed, Progress const& progress) {
        auto values = run(seed, progress);
        if (values) { values = std::vector{values->back()}; }
        return values;
      };
    };
  }

  void add_trials(Backend backend, std::vector<Experiment>& all) const
  {
    auto printed = numbers_of(paper(), "build_trials");
    std::uint64_t const trials = backend == Backend::cuda ? trials_on_gpu : trials_on_cpu;
    while (!printed.empty()) {
      std::uint64_t const pairs = scaled(backend, printed.front().keys);
      double const load =
          static_cast<double>(pairs) / static_cast<double>(buckets_for(pairs) * two_level::bucket_slots);
      Experiment& one = all.emplace_back();
      one.what = fmt::format("{} builds of {} pairs", trials, grouped(pairs));
      for (; !printed.empty() && (one.compared.empty() || printed.front().keys == one.compared.front().printed->keys);
           printed = printed.subspan(1)) {
        one.compared.push_back({&printed.front(), "two_level_cuckoo", static_cast<double>(pairs), load,
                                fmt::format("{} builds in each repeat; no time where none had a restart", trials)});
      }
      one.work = static_cast<double>(pairs * trials);
      one.make = [=] { return build_trials(backend, pairs, trials); };
    }
  }

  void add_multivalue(Backend backend, std::vector<Experiment>& all) const
  {
    PrintedNumber const& printed = numbers_of(paper(), "multivalue").front();
    using multivalue::Construction;
    for (Construction const construction : {Construction::two_level_cuckoo, Construction::count_scan_scatter}) {
      bench::MultiValueCase subject;
      subject.settings.construction = construction;
      subject.pairs = scaled(backend, printed.keys);
      subject.values = 18;
      std::string const name(multivalue::construction_names[static_cast<std::size_t>(construction)]);
      Experiment& one = all.emplace_back();
      one.what = fmt::format("{}, {} pairs", name, grouped(subject.pairs));
      one.compared.push_back({&printed, name, static_cast<double>(subject.pairs), -1.0,
                              "random keys with 18 values on average; the paper's are of an edge picture"});
      one.work = static_cast<double>(subject.pairs);
      one.make = [=]() -> Experiment::Run {
        std::shared_ptr<bench::MultiValueBench> const table = bench::make_multivalue_bench(backend, subject);
        return [=](std::uint64_t seed, Progress const& progress) -> std::optional<std::vector<double>> {
          auto const run = table->run(seed, progress);
          return run ? std::optional(std::vector{1e3 * run->build_seconds}) : std::nullopt;
        };
      };
    }
  }

  void add_intersection(Backend backend, std::vector<Experiment>& all) const
  {
    auto const printed = numbers_of(paper(), "intersection");
    std::uint64_t const points = scaled(backend, printed.front().keys);
    SpatialCase const subject{"two_level_cuckoo", points, 128};
    Experiment& stages = all.emplace_back();
    stages.what = fmt::format("intersection of two models of {} points", grouped(points));
    stages.compared.push_back(
        {&printed[0], subject.family, static_cast<double>(points), -1.0, "a torus and a ball; 128³ voxels"});
    stages.work = static_cast<double>(points);
    stages.make = [=] {
      return run_of(make_spatial_bench(backend, subject), [](std::vector<double> const& seconds) {
        auto const stage = [&](std::string_view name) {
          return seconds[static_cast<std::size_t>(std::ranges::find(spatial_parts, name) - spatial_parts.begin())];
        };
        return 1e3 * (stage("intersect") + stage("classify"));
      });
    };
    if (!time_frames_) { return; }
    Experiment& frames = all.emplace_back();
    frames.what = "whole frames of that intersection";
    frames.compared.push_back({&printed[1], subject.family, static_cast<double>(points), -1.0,
                               "offscreen, 1600×1000, with panels and slot maps"});
    frames.work = static_cast<double>(points);
    frames.obstacle = why_no_whole_frames;
    frames.make = [=, time_frames = time_frames_] {
      return run_of(make_whole_frames(backend, subject, time_frames),
                    [](std::vector<double> const& seconds) { return 1.0 / seconds.front(); });
    };
  }

  /// Adds the image matches of Table 1, which prints pairs of numbers, by hashing and by sorting, for several sizes.
  void add_matching(Backend backend, std::vector<Experiment>& all) const
  {
    struct Size {
      double items;
      std::uint32_t features;
      std::uint32_t bases;
    };
    constexpr std::array sizes{Size{3e6, 1500, 2000}, Size{4e6, 2000, 2000}, Size{440e3, 600, 734},
                               Size{550e3, 700, 786}};
    for (PrintedNumber const& printed : numbers_of(paper(), "matching")) {
      Size const& size = *std::ranges::find(sizes, printed.keys, &Size::items);
      bool const hashes = printed.quantity == "hashing";
      MatchCase subject;
      subject.settings = large_match(hashes ? matching::Method::hashing : matching::Method::sorting, 256);
      subject.settings.features = size.features;
      subject.settings.bases = size.bases;
      Experiment& one = all.emplace_back();
      one.what =
          fmt::format("matching by {}, {} items", printed.quantity, grouped(static_cast<std::uint64_t>(size.items)));
      double const items = static_cast<double>(size.bases) * (size.features - 2.0);  // without the basis's own features
      one.compared.push_back({&printed, hashes ? "count_scan_scatter" : "sort", items, -1.0,
                              "about so many items, of another picture: a drawn map, turned and scaled"});
      one.work = size.items;
      one.make = [=] {
        return run_of(make_match_bench(backend, subject),
                      [](std::vector<double> const& seconds) { return 1e3 * seconds.back(); });
      };
    }
  }

  TimeFrames time_frames_;
};

}  // namespace

std::unique_ptr<Measurement> make_alcantara_measurement(TimeFrames const& time_frames)
{
  return std::make_unique<AlcantaraMeasurement>(time_frames);
}

}  // namespace slotscape
