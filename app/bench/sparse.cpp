#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "gpu/base/random.hpp"
#include "gpu/execution/parallel.hpp"
#include "gpu/sparse/engine.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace slotscape {
namespace {

using namespace sparse;

constexpr std::int32_t thickness = 3;  ///< thickness of the shell
constexpr std::int32_t max_shift = 8;  ///< of the shell, so that each repeat has different keys
constexpr int sampled_outputs = 200;

/// The sites of a spherical shell, sized to have approximately `wanted` sites.
class Shell {
public:
  explicit Shell(std::uint64_t wanted)
      : radius_(std::sqrt(static_cast<double>(wanted) / (4.0 * std::numbers::pi * thickness))),
        middle_(static_cast<std::int32_t>(std::ceil(radius_)) + thickness)
  {
    for (std::int32_t x = 0; x < side(); ++x) {
      for (std::int32_t y = 0; y < side(); ++y) { add_column(x, y); }
    }
    Kernel const kernel;
    pairs_ = exec::tbb::parallel_reduce(
        exec::tbb::blocked_range<std::size_t>(0, sites_.size()), std::uint64_t{0},
        [&](auto const& range, std::uint64_t sum) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) {
            for (std::uint32_t offset = 0; offset < kernel.offsets(); ++offset) {
              sum += has(kernel.input(sites_[i], offset)) ? 1 : 0;
            }
          }
          return sum;
        },
        std::plus<>());
  }

  std::int32_t side() const { return 2 * middle_ + 1; }
  bool has(Site const& site) const
  {
    double const across = std::hypot(site.x - middle_, site.y - middle_);
    return std::abs(std::hypot(across, site.z - middle_) - radius_) <= 0.5 * thickness;
  }
  std::vector<Site> const& sites() const { return sites_; }
  std::uint64_t pairs() const { return pairs_; }  ///< number of pairs for a 3 x 3 x 3 kernel

private:
  /// Adds the sites of one column, skipping the hollow interior.
  void add_column(std::int32_t x, std::int32_t y)
  {
    double const across = std::hypot(x - middle_, y - middle_);
    auto const half_chord = [=](double radius) { return std::sqrt(std::max(0.0, radius * radius - across * across)); };
    auto const outer = static_cast<std::int32_t>(std::ceil(half_chord(radius_ + thickness)));
    auto const inner = static_cast<std::int32_t>(std::floor(half_chord(std::max(0.0, radius_ - thickness))));
    for (std::int32_t z = std::max(0, middle_ - outer); z <= std::min(side() - 1, middle_ + outer); ++z) {
      if (z > middle_ - inner && z < middle_ + inner) { z = middle_ + inner; }
      if (has({0, x, y, z})) { sites_.push_back({0, x, y, z}); }
    }
  }

  double radius_;
  std::int32_t middle_;
  std::vector<Site> sites_;
  std::uint64_t pairs_ = 0;
};

Site moved(Site site, Site by)
{
  return {site.batch, site.x + by.x, site.y + by.y, site.z + by.z};
}

class SparseBench final : public CaseBench {
public:
  SparseBench(Backend backend, SparseSettings settings, std::uint64_t wanted)
      : shell_(wanted), engine_(make_sparse_engine(backend)), settings_(std::move(settings))
  {
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    auto const any = [&](int axis) {
      return static_cast<std::int32_t>(random_below(seed, static_cast<std::uint64_t>(axis), max_shift));
    };
    Site const shift{0, any(0), any(1), any(2)};
    std::vector<Site> sites = shell_.sites();
    for (Site& site : sites) { site = moved(site, shift); }
    std::int32_t const side = shell_.side() + max_shift;
    engine_->set_sites(sites, {1, side, side, side});
    auto const found = engine_->update(settings_, progress);
    if (!found) { return std::nullopt; }
    last_ = *found;
    require_right("sites", last_.sites, sites.size());
    require_right("pairs of the kernel map", last_.pairs, shell_.pairs());
    check_rows(seed, shift);
    std::vector<double> seconds(last_.stage_seconds.begin(), last_.stage_seconds.end());
    seconds.push_back(std::accumulate(seconds.begin(), seconds.end(), 0.0));
    return seconds;
  }

  BenchRow facts(std::size_t, double) const override
  {
    return {{"rows", last_.sites}, {"pairs", last_.pairs}, {"lookups", last_.lookups}};
  }

private:
  /// Checks that each neighbour of sampled outputs is the site that the kernel reads there, or none if there is no
  /// site.
  void check_rows(std::uint64_t seed, Site shift)
  {
    auto const& inputs = engine_->inputs();
    auto const& outputs = engine_->outputs();
    Kernel const& kernel = engine_->kernel();
    std::uint64_t right = 0;
    std::uint64_t all = 0;
    for (int i = 0; i < sampled_outputs; ++i) {
      std::uint32_t const output = random_below(seed, 100 + static_cast<std::uint64_t>(i), outputs.size());
      std::vector<std::uint32_t> const rows = engine_->neighbours(output);
      for (std::uint32_t offset = 0; offset < kernel.offsets(); ++offset, ++all) {
        Site const wanted = kernel.input(outputs[output], offset);
        bool const there = shell_.has(moved(wanted, {0, -shift.x, -shift.y, -shift.z}));
        std::uint32_t const row = rows[offset];
        right += there ? (row != no_row && inputs[row] == wanted) : row == no_row;
      }
    }
    require_right("neighbours", right, all);
  }

  Shell shell_;
  std::unique_ptr<SparseEngine> engine_;
  SparseSettings settings_;
  SparseSnapshot last_;
};

constexpr std::array<std::string_view, 3> searches{"each", "symmetric", "shared"};

/// Tables and kernel maps of submanifold convolutions, 3 x 3 x 3.
class SparseMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "sparse"; }
  std::string_view help() const override { return "tables and kernel maps of sparse convolution, by sites"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--families", typed_families_, "linear_probing,two_level_cuckoo,segmented_cuckoo,cuckoo: all")
        ->type_name("LIST");
    command.add_option("--searches", typed_searches_, "each,symmetric,shared: each,symmetric")->type_name("LIST");
    command.add_option("--sites", typed_sites_, "active sites: 100000,1000000 and, on a GPU, 10000000")
        ->type_name("LIST");
  }

  void interpret() override
  {
    std::vector<std::string> const known(table_families.begin(), table_families.end());
    families_ = read_names("--families", typed_families_, known, known);
    searches_ = read_names("--searches", typed_searches_, {"each", "symmetric"}, {searches.begin(), searches.end()});
    sites_ = read_counts("--sites", typed_sites_, {}, 100, max_sites);
  }

  BenchColumns columns() const override
  {
    return columns_of({"family", "search", "sites", "stage"}, {"rows", "pairs", "lookups"});
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<std::uint64_t> usual{100'000, 1'000'000};
    if (backend == Backend::cuda) { usual.push_back(10'000'000); }
    std::vector<BenchCase> cases;
    for (std::uint64_t const sites : sites_.empty() ? usual : sites_) {
      for (std::string const& family : families_) {
        for (std::string const& search : searches_) {
          auto const number = std::ranges::find(searches, search) - searches.begin();
          SparseSettings const settings{.family = family, .search = static_cast<Search>(number)};
          BenchCase& row = cases.emplace_back();
          row.what = fmt::format("{}, {}, {} sites", family, search, grouped(sites));
          row.identity = on_device(backend);
          row.identity.update(BenchRow{{"family", family}, {"search", search}, {"sites", sites}});
          for (char const* const stage : {"outputs", "table", "kernel_map", "all"}) {
            row.parts.push_back({{"stage", stage}});
          }
          row.work = static_cast<double>(sites);
          row.make = [=] { return std::make_unique<SparseBench>(backend, settings, sites); };
        }
      }
    }
    return cases;
  }

private:
  // options, as typed
  std::string typed_families_;
  std::string typed_searches_;
  std::string typed_sites_;

  std::vector<std::string> families_;
  std::vector<std::string> searches_;
  std::vector<std::uint64_t> sites_;  ///< empty: the default numbers
};

}  // namespace

std::unique_ptr<Measurement> make_sparse_measurement()
{
  return std::make_unique<SparseMeasurement>();
}

}  // namespace slotscape
