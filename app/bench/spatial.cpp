#include "app/bench/spatial.hpp"

#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/gl/context.hpp"
#include "app/simulation/names.hpp"
#include "gpu/spatial/engine.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr int frames_at_once = 5;
constexpr double usual_side = 128.0;
constexpr double usual_points = 160000.0;  ///< Alcantara et al. 2009, section 6: about this many on a grid of 128^3

/// Frames of the whole program, with drawing and panels.
class WholeFrames final : public CaseBench {
public:
  WholeFrames(TimeFrames time_frames, std::vector<std::string> words)
      : time_frames_(std::move(time_frames)), words_(std::move(words))
  {
  }
  std::optional<std::vector<double>> run(std::uint64_t, Progress const& progress) override
  {
    if (progress.cancelled()) { return std::nullopt; }
    return std::vector{median_of(time_frames_(words_, frames_at_once)).median};
  }
  BenchRow facts(std::size_t, double) const override
  {
    return {{"voxels", nullptr}, {"rounds", nullptr}, {"misjudged", nullptr}};
  }

private:
  TimeFrames time_frames_;
  std::vector<std::string> words_;
};

/// Stages and whole frames for several numbers of points and grids.
class SpatialMeasurement final : public CaseMeasurement {
public:
  explicit SpatialMeasurement(TimeFrames time_frames) : time_frames_(std::move(time_frames)) {}

  std::string_view name() const override { return "spatial"; }
  std::string_view help() const override { return "two models intersected: stages and frames by points and grid"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--families", typed_families_, "two_level_cuckoo,linear_probing: both")->type_name("LIST");
    command.add_option("--points", typed_points_, "points of each model: 40000,160000,1000000")->type_name("LIST");
    command.add_option("--grid", typed_grids_, "voxels along each axis: 128, and as many as the points are dense for")
        ->type_name("LIST");
  }

  void interpret() override
  {
    std::vector<std::string> const both{"two_level_cuckoo", "linear_probing"};
    families_ = read_names("--families", typed_families_, both, both);
    points_ = read_counts("--points", typed_points_, {}, 1, spatial::max_points);
    grids_ = read_counts("--grid", typed_grids_, {}, spatial::min_grid_side, spatial::max_grid_side);
  }

  BenchColumns columns() const override
  {
    return columns_of({"family", "points", "grid", "stage"}, {"voxels", "rounds", "misjudged"});
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<std::uint64_t> usual{40'000, 160'000, 1'000'000};
    if (backend == Backend::cuda) { usual.push_back(10'000'000); }
    std::vector<BenchCase> cases;
    for (std::string const& family : families_) {
      for (std::uint64_t const points : points_.empty() ? usual : points_) {
        for (std::uint32_t const side : grids_for(points)) { add_cases(backend, {family, points, side}, cases); }
      }
    }
    return cases;
  }

private:
  /// A fixed grid, and one with a constant number of points per voxel.
  std::vector<std::uint32_t> grids_for(std::uint64_t points) const
  {
    if (!grids_.empty()) { return {grids_.begin(), grids_.end()}; }
    double const dense = usual_side * std::sqrt(static_cast<double>(points) / usual_points);
    auto const side =
        static_cast<std::uint32_t>(std::clamp<double>(dense, spatial::min_grid_side, spatial::max_narrow_grid_side));
    auto const fixed = static_cast<std::uint32_t>(usual_side);
    return side == fixed ? std::vector{fixed} : std::vector{fixed, side};
  }

  void add_cases(Backend backend, SpatialCase const& subject, std::vector<BenchCase>& cases) const
  {
    BenchCase stages;
    stages.what = fmt::format("{}, {} points, {}³", subject.family, grouped(subject.points), subject.side);
    stages.identity = on_device(backend);
    stages.identity.update(BenchRow{{"family", subject.family}, {"points", subject.points}, {"grid", subject.side}});
    stages.work = static_cast<double>(subject.points);
    stages.obstacle = [=] {
      bool const fits = subject.side <= spatial::max_narrow_grid_side || subject.family == "linear_probing";
      return fits ? "" : fmt::format("a grid of more than {}³ needs linear_probing", spatial::max_narrow_grid_side);
    };
    BenchCase frames = stages;
    for (std::string_view const part : spatial_parts) { stages.parts.push_back({{"stage", part}}); }
    stages.make = [=] { return make_spatial_bench(backend, subject); };
    cases.push_back(std::move(stages));
    if (!time_frames_) { return; }
    frames.what += ", whole frames";
    frames.parts = {{{"stage", "whole_frame"}}};
    frames.obstacle = [fits = frames.obstacle] {
      std::string const why = fits();
      return why.empty() ? why_no_whole_frames() : why;
    };
    frames.make = [=, time_frames = time_frames_] { return make_whole_frames(backend, subject, time_frames); };
    cases.push_back(std::move(frames));
  }

  TimeFrames time_frames_;

  // options, as typed
  std::string typed_families_;
  std::string typed_points_;
  std::string typed_grids_;

  std::vector<std::string> families_;
  std::vector<std::uint64_t> points_;  ///< empty: the default numbers
  std::vector<std::uint64_t> grids_;   ///< empty: as chosen by `grids_for`
};

}  // namespace

std::unique_ptr<CaseBench> make_whole_frames(Backend backend, SpatialCase const& subject, TimeFrames const& time_frames)
{
  std::vector<std::string> const words{"spatial",
                                       "torus",
                                       "sphere",
                                       "--backend",
                                       std::string(to_text(backend)),
                                       "--points",
                                       std::to_string(subject.points),
                                       "--grid",
                                       std::to_string(subject.side),
                                       "--table",
                                       subject.family};
  return std::make_unique<WholeFrames>(time_frames, words);
}

std::string why_no_whole_frames()
{
  try {
    gl::open_offscreen({64, 64});
    return "";
  } catch (Error const& error) {
    return error.what();
  }
}

std::unique_ptr<Measurement> make_spatial_measurement(TimeFrames const& time_frames)
{
  return std::make_unique<SpatialMeasurement>(time_frames);
}

}  // namespace slotscape
