#include "app/bench/match.hpp"

#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/pictures/generated.hpp"
#include "app/pictures/transformed.hpp"
#include "gpu/base/random.hpp"
#include "gpu/matching/engine.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>

namespace slotscape {
namespace {

using namespace matching;

constexpr std::string_view follow = "follow";

bool is_right(Similarity const& found, Similarity const& truth, Picture const& query)
{
  pictures::Point const middle{query.width / 2.0, query.height / 2.0};
  pictures::Point const apart = pictures::in_reference(found, middle) - pictures::in_reference(truth, middle);
  return std::abs(std::remainder(found.rotation_degrees - truth.rotation_degrees, 360.0)) <= 1.0 &&
         std::abs(found.scale / truth.scale - 1.0) <= 0.02 && std::hypot(apart.x, apart.y) <= 2.0;
}

class MatchBench final : public CaseBench {
public:
  MatchBench(Backend backend, MatchCase const& subject)
      : engine_(make_match_engine(backend)), subject_(subject), map_(pictures::make_builtin("map-1"))
  {
    if (subject_.follows) { engine_->set_picture(Side::reference, map_); }
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    double const turn = 33.0 + 10.0 * static_cast<double>(seed % 8);
    double const scale = 1.2 - 0.02 * static_cast<double>(seed % 8);
    auto const about = [&](double degrees, double by) {
      return pictures::about_middle(map_, map_.width, map_.height, degrees, by);
    };
    Similarity const onto_map = about(turn, scale);
    Picture const turned = pictures::transformed(map_, onto_map, map_.width, map_.height);
    bool const swaps = !subject_.follows && matches_ % 2 == 1;  // swaps the pictures, so that no table can be reused
    Similarity const truth = swaps ? about(-turn, 1.0 / scale) : onto_map;
    Picture const& query = swaps ? map_ : turned;
    auto const start = std::chrono::steady_clock::now();
    if (!subject_.follows) { engine_->set_picture(Side::reference, swaps ? turned : map_); }
    engine_->set_picture(Side::query, query);
    if (!engine_->match(subject_.settings, progress)) { return std::nullopt; }
    double const all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    MatchSnapshot const& found = engine_->snapshot();
    if (found.found) {
      require_right("matches", is_right(found.candidates.front().transformation, truth, query) ? 1 : 0, 1);
    }
    ++matches_;
    found_ += found.found ? 1 : 0;
    std::vector<double> seconds(found.stage_seconds.begin(), found.stage_seconds.end());
    seconds.push_back(all);
    return seconds;
  }

  BenchRow facts(std::size_t, double) const override
  {
    MatchSnapshot const& last = engine_->snapshot();
    return {{"items", last.items},
            {"votes", last.votes},
            {"found", rounded(static_cast<double>(found_) / static_cast<double>(matches_), 3)}};
  }

private:
  std::unique_ptr<MatchEngine> engine_;
  MatchCase subject_;
  Picture map_;
  std::uint64_t matches_ = 0;
  std::uint64_t found_ = 0;
};

/// Image matching by hashing and by sorting, also while a query is turned by hand.
class MatchMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "match"; }
  std::string_view help() const override
  {
    return "image matching by geometric hashing: stages by hashing and by sorting";
  }

  void add_options(CLI::App& command) override
  {
    command.add_option("--methods", typed_methods_, "hashing,sorting, and follow, as a query is turned by hand: all")
        ->type_name("LIST");
    command.add_option("--query-bases", typed_bases_, "bases of the query: 64,256")->type_name("LIST");
  }

  void interpret() override
  {
    std::vector<std::string> const known{"hashing", "sorting", std::string(follow)};
    methods_ = read_names("--methods", typed_methods_, known, known);
    bases_ = read_counts("--query-bases", typed_bases_, {64, 256}, 1, 512);
  }

  BenchColumns columns() const override
  {
    return columns_of({"method", "query_bases", "stage"}, {"items", "votes", "found"});
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<BenchCase> cases;
    for (std::string const& method : methods_) {
      for (std::uint64_t const bases : bases_) {
        MatchCase subject;
        subject.follows = method == follow;
        auto const count = static_cast<std::uint32_t>(bases);
        if (subject.follows) {
          subject.settings.query_bases = count;
        } else {
          subject.settings = large_match(method == "sorting" ? Method::sorting : Method::hashing, count);
        }
        BenchCase& row = cases.emplace_back();
        row.what = fmt::format("{}, {} bases of the query", method, bases);
        row.identity = on_device(backend);
        row.identity.update(BenchRow{{"method", method}, {"query_bases", bases}});
        for (std::string_view const part : match_parts) { row.parts.push_back({{"stage", part}}); }
        row.make = [=] { return make_match_bench(backend, subject); };
      }
    }
    return cases;
  }

private:
  // options, as typed
  std::string typed_methods_;
  std::string typed_bases_;

  std::vector<std::string> methods_;
  std::vector<std::uint64_t> bases_;
};

}  // namespace

MatchSettings large_match(Method method, std::uint32_t query_bases)
{
  return {.method = method, .features = 1500, .bases = 2000, .query_bases = query_bases, .attempts = 1};
}

std::unique_ptr<CaseBench> make_match_bench(Backend backend, MatchCase const& subject)
{
  return std::make_unique<MatchBench>(backend, subject);
}

std::unique_ptr<Measurement> make_match_measurement()
{
  return std::make_unique<MatchMeasurement>();
}

}  // namespace slotscape
