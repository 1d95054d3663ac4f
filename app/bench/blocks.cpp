#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/plot.hpp"
#include "app/bench/row_options.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/simulation/hash_choice.hpp"
#include "gpu/blocks/engine.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

using blocks::Accesses;
using blocks::BlocksSettings;
using blocks::Comparison;
using blocks::Structure;

constexpr std::array<std::string_view, 2> structures{"voxels", "blocks"};
constexpr std::array<std::string_view, 4> stages_of_blocks{"build", "random", "neighbouring", "rays"};

Structure const& structure_of(Comparison const& comparison, std::size_t part)
{
  return part < stages_of_blocks.size() ? comparison.voxels : comparison.blocks;
}

/// The seconds of all stages of both structures.
std::vector<double> seconds_of(Comparison const& comparison)
{
  std::vector<double> seconds;
  for (Structure const* const structure : {&comparison.voxels, &comparison.blocks}) {
    seconds.push_back(structure->seconds);
    for (Accesses const& accesses : structure->patterns) { seconds.push_back(accesses.seconds); }
  }
  return seconds;
}

/// Which structure suits which uses, as sentences. `ratios`: how many times as fast blocks are, for each pattern.
std::string advice_on_uses(std::array<double, blocks::pattern_names.size()> const& ratios)
{
  constexpr std::array<std::string_view, blocks::pattern_names.size()> uses{"random accesses", "accesses to neighbours",
                                                                            "rays"};
  constexpr double least_difference = 1.05;  // a smaller ratio may be due to chance
  std::vector<std::string> for_blocks;
  std::vector<std::string> for_voxels;
  std::vector<std::string> for_both;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    double const times = std::max(ratios.at(i), 1.0 / ratios.at(i));
    if (times < least_difference) {
      for_both.emplace_back(uses.at(i));
    } else {
      (ratios.at(i) > 1.0 ? for_blocks : for_voxels)
          .push_back(fmt::format("{} ({:.2g} times as fast)", uses.at(i), times));
    }
  }
  std::string text;
  if (!for_blocks.empty()) { text += fmt::format(" Blocks suit {}.", listed(for_blocks, "and")); }
  if (!for_voxels.empty()) { text += fmt::format(" Voxels suit {}.", listed(for_voxels, "and")); }
  if (!for_both.empty()) { text += fmt::format(" Both are equally fast for {}.", listed(for_both, "and")); }
  return text;
}

using Points = std::shared_ptr<std::vector<neighbours::Point> const>;

class BlocksBench final : public CaseBench {
public:
  BlocksBench(Backend backend, Points points, BlocksSettings const& settings)
      : engine_(blocks::make_blocks_engine(backend)), points_(std::move(points)), settings_(settings)
  {
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    settings_.seed = seed;
    try {
      comparison_ = engine_->compare(*points_, settings_, progress);
    } catch (Cancelled const&) {
      return std::nullopt;
    }
    seconds_.push_back(seconds_of(comparison_));
    return seconds_.back();
  }

  BenchRow facts(std::size_t part, double median) const override
  {
    Structure const& structure = structure_of(comparison_, part);
    std::size_t const stage = part % stages_of_blocks.size();
    BenchRow row{{"entries", structure.entries},
                 {"slots", structure.slots},
                 {"bytes", structure.bytes()},
                 {"bytes_per_voxel",
                  static_cast<double>(structure.bytes()) / static_cast<double>(comparison_.voxels.entries)}};
    if (stage == 0) {
      row.update(BenchRow{{"mvoxels", millions_a_second(static_cast<double>(comparison_.voxels.entries), median)}});
      return row;
    }
    Accesses const& accesses = structure.patterns.at(stage - 1);
    auto const lookups = static_cast<double>(accesses.lookups);
    row.update(BenchRow{{"voxels_read", accesses.voxels},
                        {"found", accesses.found},
                        {"lookups", accesses.lookups},
                        {"slots_per_lookup", number_or_null(static_cast<double>(accesses.slots) / lookups)},
                        {"mvoxels", millions_a_second(static_cast<double>(accesses.voxels), median)}});
    return row;
  }

  /// Adds a summary to the last row: which structure suits which use.
  Findings findings(std::size_t part) const override
  {
    if (part + 1 != structures.size() * stages_of_blocks.size()) { return {}; }
    auto const seconds = [&](std::size_t at) {
      std::vector<double> all;
      for (std::vector<double> const& of_repeat : seconds_) { all.push_back(of_repeat[at]); }
      return median_of(std::move(all)).median;
    };
    std::array<double, blocks::pattern_names.size()> ratios{};
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      ratios.at(i) = seconds(1 + i) / seconds(stages_of_blocks.size() + 1 + i);
    }
    double const memory =
        static_cast<double>(comparison_.blocks.bytes()) / static_cast<double>(comparison_.voxels.bytes());
    return {fmt::format("For this cloud, blocks take {:.2g} times the memory of voxels.{}", memory,
                        advice_on_uses(ratios))};
  }

private:
  std::unique_ptr<blocks::BlocksEngine> engine_;
  Points points_;
  BlocksSettings settings_;
  Comparison comparison_;
  std::vector<std::vector<double>> seconds_;
};

/// The same point cloud as voxels and as masked blocks of 8³ voxels.
class BlocksMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "blocks"; }
  std::string_view help() const override { return "a cloud as a table of voxels, and as one of blocks with masks"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("CLOUD", cloud_, "a point cloud, a model or a built-in shape: torus_knot");
    command.add_option("--points", samples_, fmt::format("points sampled on a shape or mesh: {}", grouped(samples_)))
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, spatial::max_points));
    command
        .add_option("--voxels", typed_voxels_,
                    "sides of voxels in the units of the file: a 128th and a 512th of the longest side of its box")
        ->type_name("LIST");
    command.add_option("--load", typed_loads_, "load factors of the tables, 0.05 to 0.95: 0.5")->type_name("LIST");
    command.add_option("--hash", typed_hash_, "hash function: murmur3")->type_name("HASH");
    command.add_option("--accesses", typed_accesses_, "voxels asked for in random order, and around others: 1000000")
        ->type_name("N");
    command.add_option("--rays", typed_rays_, "rays that are followed to the first voxel: 20000")->type_name("N");
  }

  void interpret() override
  {
    loads_ = read_loads(typed_loads_, {0.5}, blocks::max_load_factor);
    HashChoice hash = settings_.hash;
    read_hash_option("--hash", typed_hash_, hash);
    if (!hash.is_compiled_in()) {
      throw Error(
          "--hash: blocks are measured without formulas and reductions; choose a function alone, such as murmur3.");
    }
    settings_.hash = hash.kind;
    if (!typed_accesses_.empty()) {
      settings_.accesses = read_count("--accesses", typed_accesses_, 1, blocks::max_accesses);
    }
    if (!typed_rays_.empty()) { settings_.rays = read_count("--rays", typed_rays_, 1, blocks::max_accesses); }
    load();
    voxels_ =
        read_list<double>("--voxels", typed_voxels_, {width_ / 128.0, width_ / 512.0}, [](std::string const& word) {
          double side = 0.0;
          read_number("--voxels", word, clouds::min_voxel, clouds::max_voxel, side);
          return side;
        });
  }

  BenchColumns columns() const override
  {
    return columns_of({"cloud", "points", "voxel", "load", "hash", "structure", "access"},
                      {"entries", "slots", "bytes", "bytes_per_voxel", "voxels_read", "found", "lookups",
                       "slots_per_lookup", "mvoxels"},
                      {"cloud", "points", "slots", "bytes", "hash"});
  }

  Findings findings() const override { return notes_; }

  std::string_view plot_help() const override
  {
    return "draw memory and rates over the side of a voxel: OUT.png or OUT.svg";
  }
  void draw(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows) const override
  {
    draw_blocks_bench(look, drawing, size, rows);
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<BenchCase> cases;
    for (double const voxel : voxels_) {
      for (double const load : loads_) { cases.push_back(case_of(backend, voxel, load)); }
    }
    return cases;
  }

private:
  void load()
  {
    clouds::PointCloud const cloud = clouds::open_cloud(cloud_, {.points = samples_}, {});
    for (std::string const& note : cloud.notes) { notes_.push_back(fmt::format("{}: {}", cloud_, note)); }
    clouds::Box const box = clouds::box_of(cloud);
    width_ = clouds::width_of(box);
    std::vector<neighbours::Point> points(cloud.positions.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      clouds::Vector const at = clouds::to_vector(cloud.original(i) - box.low);
      points[i] = {at.x, at.y, at.z};
    }
    points_ = std::make_shared<std::vector<neighbours::Point> const>(std::move(points));
  }

  BenchCase case_of(Backend backend, double voxel, double load) const
  {
    BenchCase row;
    row.what = fmt::format("voxels of {:.4g}, α {:.2f}", voxel, load);
    row.identity = on_device(backend);
    row.identity.update(BenchRow{{"cloud", cloud_},
                                 {"points", points_->size()},
                                 {"voxel", voxel},
                                 {"load", load},
                                 {"hash", to_text(settings_.hash)}});
    for (std::string_view const structure : structures) {
      for (std::string_view const stage : stages_of_blocks) {
        row.parts.push_back({{"structure", structure}, {"access", stage}});
      }
    }
    row.work = static_cast<double>(points_->size());
    BlocksSettings settings = settings_;
    settings.voxel = static_cast<float>(voxel);
    settings.load_factor = load;
    row.make = [backend, settings, points = points_] {
      return std::make_unique<BlocksBench>(backend, points, settings);
    };
    return row;
  }

  // options, as typed
  std::string cloud_ = "torus_knot";
  std::string typed_voxels_;
  std::string typed_loads_;
  std::string typed_hash_;
  std::string typed_accesses_;
  std::string typed_rays_;
  std::uint64_t samples_ = 1'000'000;

  BlocksSettings settings_;
  std::vector<double> voxels_;
  std::vector<double> loads_;
  Points points_;
  double width_ = 0.0;
  Findings notes_;
};

}  // namespace

std::unique_ptr<Measurement> make_blocks_measurement()
{
  return std::make_unique<BlocksMeasurement>();
}

}  // namespace slotscape
