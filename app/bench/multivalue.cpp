#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "gpu/bench/multivalue_bench.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

using bench::MultiValueCase;
using multivalue::Construction;

constexpr std::string_view by_cub = "cub_sort";
constexpr std::array<std::string_view, multivalue::stage_count> stages{"partition", "group", "place", "index"};

std::vector<std::string> constructions()
{
  std::vector<std::string> names(multivalue::construction_names.size());
  std::ranges::copy(multivalue::construction_names, names.begin());
  names.emplace_back(by_cub);
  return names;
}

class MultiValueCaseBench final : public CaseBench {
public:
  MultiValueCaseBench(Backend backend, MultiValueCase const& subject)
      : bench_(bench::make_multivalue_bench(backend, subject)), pairs_(subject.pairs)
  {
  }
  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    auto const run = bench_->run(seed, progress);
    if (!run) { return std::nullopt; }
    distinct_ = run->distinct;
    std::vector<double> seconds{run->build_seconds, run->retrieve_seconds, run->build_seconds + run->retrieve_seconds};
    seconds.insert(seconds.end(), run->stage_seconds.begin(), run->stage_seconds.end());
    return seconds;
  }
  BenchRow facts(std::size_t, double seconds) const override
  {
    auto const pairs = static_cast<double>(pairs_);
    return {{"mpairs", number_or_null(rounded(1e-6 * pairs / seconds))},
            {"distinct", distinct_},
            {"bytes_per_pair", rounded(static_cast<double>(bench_->memory_bytes()) / pairs)}};
  }

private:
  std::unique_ptr<bench::MultiValueBench> bench_;
  std::uint64_t pairs_;
  std::uint64_t distinct_ = 0;
};

/// Multi-value tables: built from pairs, and looked up.
class MultiValueMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "multivalue"; }
  std::string_view help() const override { return "keys with several values: tables built from pairs, and looked up"; }

  void add_options(CLI::App& command) override
  {
    command
        .add_option("--constructions", typed_constructions_,
                    "count_scan_scatter,two_level_cuckoo,sort and, on a GPU, cub_sort: all")
        ->type_name("LIST");
    command.add_option("--pairs", typed_pairs_, "numbers of pairs: 2^20 and, on a GPU, 10^8")->type_name("LIST");
    command
        .add_option("--values", typed_values_, "values of a key, on average: 1,2,4,8,32,100,1000; half: see the manual")
        ->type_name("LIST");
    command.add_option("--key-bits", typed_key_bits_, "32, 64 or 32,64")->type_name("LIST");
  }

  void interpret() override
  {
    constructions_ = read_names("--constructions", typed_constructions_, constructions(), constructions());
    pairs_ = read_counts("--pairs", typed_pairs_, {}, 1, multivalue::max_pairs);
    values_ = read_list("--values", typed_values_, std::vector<std::uint64_t>{1, 2, 4, 8, 32, 100, 1000, half},
                        [](std::string const& word) {
                          return word == "half" ? half : read_count("--values", word, 1, multivalue::max_pairs);
                        });
    key_bits_ = read_key_bits(typed_key_bits_);
  }

  BenchColumns columns() const override
  {
    return columns_of({"construction", "key_bits", "pairs", "values", "part"},
                      {"mpairs", "distinct", "bytes_per_pair"});
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<std::uint64_t> usual{1u << 20};
    if (backend == Backend::cuda) { usual.push_back(100'000'000); }
    std::vector<BenchCase> cases;
    for (std::uint64_t const pairs : pairs_.empty() ? usual : pairs_) {
      for (std::uint64_t const values : values_) {
        for (int const bits : key_bits_) {
          for (std::string const& construction : constructions_) {
            cases.push_back(case_of(backend, construction, bits, pairs, values));
          }
        }
      }
    }
    return cases;
  }

private:
  static constexpr std::uint64_t half = 0;  ///< stands for a number of values: every other pair has the same key

  static BenchCase case_of(Backend backend, std::string const& construction, int bits, std::uint64_t pairs,
                           std::uint64_t values)
  {
    MultiValueCase subject;
    subject.by_cub = construction == by_cub;
    auto const& names = multivalue::construction_names;
    auto const number = std::ranges::find(names, construction) - names.begin();
    subject.settings.construction = subject.by_cub ? Construction::sort : static_cast<Construction>(number);
    subject.settings.key_bits = bits;
    subject.pairs = pairs;
    subject.half = values == half;
    subject.values = std::max<std::uint64_t>(1, values);
    std::string const values_text = subject.half ? "half" : std::to_string(values);

    BenchCase row;
    row.what = fmt::format("{}, {}-bit, {} pairs, {} values a key", construction, bits, grouped(pairs), values_text);
    row.identity = on_device(backend);
    row.identity.update(
        BenchRow{{"construction", construction}, {"key_bits", bits}, {"pairs", pairs}, {"values", values_text}});
    for (std::string_view const part : {"build", "retrieve", "both"}) { row.parts.push_back({{"part", part}}); }
    for (std::string_view const stage : stages) {
      if (!subject.by_cub) { row.parts.push_back({{"part", stage}}); }
    }
    row.work = static_cast<double>(pairs);
    row.obstacle = [=]() -> std::string {
      if (subject.by_cub && backend == Backend::cpu) { return "CUB runs on a GPU only"; }
      bool const narrow_only = subject.settings.construction == Construction::two_level_cuckoo;
      return bits == 64 && narrow_only ? "it stores 32-bit keys only" : "";
    };
    row.make = [=] { return std::make_unique<MultiValueCaseBench>(backend, subject); };
    return row;
  }

  // options, as typed
  std::string typed_constructions_;
  std::string typed_pairs_;
  std::string typed_values_;
  std::string typed_key_bits_;

  std::vector<std::string> constructions_;
  std::vector<std::uint64_t> pairs_;  ///< empty: the default numbers
  std::vector<std::uint64_t> values_;
  std::vector<int> key_bits_;
};

}  // namespace

std::unique_ptr<Measurement> make_multivalue_measurement()
{
  return std::make_unique<MultiValueMeasurement>();
}

}  // namespace slotscape
