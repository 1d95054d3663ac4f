#include "app/bench/measurement.hpp"
#include "app/bench/papers/printed_numbers.hpp"
#include "app/bench/progress.hpp"
#include "gpu/bench/join_bench.hpp"
#include "tests/app/support/bench_rows.hpp"

#include <gmock/gmock.h>

namespace slotscape::bench_cases_tests {
namespace {

using test::bench_rows;
using test::column_of;
using test::Fields;
using test::message_of;
using test::TemporaryFolder;
using test::wrong_in;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A case whose first part takes as many milliseconds as its repeat has been run before.
class Counting final : public CaseBench {
public:
  explicit Counting(int& runs) : runs_(runs) {}
  std::optional<std::vector<double>> run(std::uint64_t, Progress const& progress) override
  {
    if (progress.cancelled()) { return std::nullopt; }
    double const seconds = 1e-3 * runs_++;
    return std::vector{seconds, 0.5};
  }
  BenchRow facts(std::size_t part, double seconds) const override
  {
    return {{"fact", part == 0 ? rounded(1e3 * seconds) : 7.0}};
  }

private:
  int& runs_;
};

class CountingMeasurement final : public CaseMeasurement {
public:
  explicit CountingMeasurement(int& runs) : runs_(runs) {}
  std::string_view name() const override { return "counting"; }
  std::string_view help() const override { return "for tests"; }
  void add_options(CLI::App&) override {}
  void interpret() override {}
  BenchColumns columns() const override { return columns_of({"case", "part"}, {"fact"}); }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<BenchCase> cases;
    for (char const* const name : {"one", "impossible", "two"}) {
      BenchCase& subject = cases.emplace_back();
      subject.identity = on_device(backend);
      subject.identity["case"] = name;
      subject.parts = {{{"part", "first"}}, {{"part", "second"}}};
      subject.obstacle = [=] { return std::string(name) == "impossible" ? "it is" : ""; };
      subject.make = [this] {
        runs_ = 0;
        return std::make_unique<Counting>(runs_);
      };
    }
    return cases;
  }

private:
  int& runs_;
};

std::vector<Fields> measured_rows(CountingMeasurement const& measurement, std::filesystem::path const& csv, bool resume)
{
  BenchColumns const columns = measurement.columns();
  BenchReport report(columns.all, columns.identity, columns.shown, {.csv = csv, .resume = resume});
  BenchProgress progress(measurement.work(Backend::cpu));
  EXPECT_TRUE(measurement.run({.repeats = 3}, report, progress));
  return test::rows_in(csv);
}

TEST(BenchCases, GiveARowForEachPart)
{
  TemporaryFolder const folder;
  int runs = 0;
  std::vector<Fields> const rows = measured_rows(CountingMeasurement(runs), folder / "rows.csv", false);
  EXPECT_THAT(column_of(rows, "case"), ElementsAre("one", "one", "two", "two"));
  EXPECT_THAT(column_of(rows, "part"), ElementsAre("first", "second", "first", "second"));
  EXPECT_THAT(column_of(rows, "median_ms"), ElementsAre("2.0", "500.0", "2.0", "500.0"));  // of 1, 2 and 3
  EXPECT_THAT(column_of(rows, "spread"), ElementsAre("0.5", "0.0", "0.5", "0.0"));
  EXPECT_THAT(column_of(rows, "fact"), ElementsAre("2.0", "7.0", "2.0", "7.0"));
}

TEST(BenchCases, ResumeWithThePartsThatAreMissing)
{
  TemporaryFolder const folder;
  int runs = 0;
  CountingMeasurement const measurement(runs);
  measured_rows(measurement, folder / "rows.csv", false);
  std::istringstream text(test::content_of(folder / "rows.csv"));
  std::string kept;
  for (int line = 0; line < 4; ++line) {
    std::string words;
    std::getline(text, words);
    kept += words + "\n";
  }
  folder.write("rows.csv", kept);
  runs = -1;
  std::vector<Fields> const rows = measured_rows(measurement, folder / "rows.csv", true);
  EXPECT_EQ(runs, 4);  // only the second case was run again
  EXPECT_THAT(column_of(rows, "case"), ElementsAre("one", "one", "two", "two"));
  EXPECT_THAT(column_of(rows, "part"), ElementsAre("first", "second", "first", "second"));
}

TEST(BenchCases, AWrongAnswerNamesHowManyAreRight)
{
  EXPECT_EQ(message_of<Error>([] { require_right("voxels", 3, 3); }), "nothing was thrown");
  EXPECT_THAT(message_of<Error>([] { require_right("voxels", 2, 3); }), HasSubstr("2 of 3 voxels are right"));
}

TEST(BenchFrame, MeasuresEveryPictureAgainstAPlainRead)
{
  std::vector<Fields> const rows = bench_rows({"frame", "--slots", "2^12", "--load", "0.5", "--variants"});
  EXPECT_EQ(rows.size(), 8u);  // four colourings in two layouts
  EXPECT_THAT(column_of(rows, "color_by"), ::testing::Contains("cluster_length"));
  EXPECT_THAT(column_of(rows, "layout"), ::testing::Contains("hilbert"));
  EXPECT_THAT(column_of(rows, "table_bytes"), Each("32768"));
  for (Fields const& row : rows) {
    double const share = 100.0 * std::stod(row.at("read_ms")) / std::stod(row.at("median_ms"));
    EXPECT_NEAR(std::stod(row.at("percent_of_limit")), share, 0.01 * share);
  }
}

TEST(BenchFrame, LeavesOutWhatAFamilyCannotShowOrHold)
{
  std::vector<Fields> const rows = bench_rows({"frame", "--families", "two_level_cuckoo", "--slots", "5000", "--load",
                                               "0.5,0.95", "--colors", "state,cluster_length"});
  EXPECT_THAT(column_of(rows, "color_by"), ElementsAre("state"));
  EXPECT_THAT(column_of(rows, "load_factor"), ElementsAre("0.5"));
}

TEST(BenchFrame, SaysWhatIsWrongInItsCommandLine)
{
  EXPECT_THAT(wrong_in({"bench", "frame", "--colors", "stat"}), HasSubstr("did you mean 'state'"));
  EXPECT_THAT(wrong_in({"bench", "frame", "--layouts", "columns"}), HasSubstr("hilbert"));
  EXPECT_THAT(wrong_in({"bench", "frame", "--families", "std::unordered_map"}), HasSubstr("--families"));
  EXPECT_THAT(wrong_in({"bench", "frame", "--threads", "0"}), HasSubstr("--threads"));
}

TEST(BenchUpdates, MeasuresTheSecondHalfAndNewValues)
{
  std::vector<Fields> const rows =
      bench_rows({"updates", "--families", "linear_probing,two_level_cuckoo", "--slots", "4096", "--load", "0.5,0.9"});
  EXPECT_THAT(column_of(rows, "operation"),
              ElementsAre("second_half", "update", "second_half", "update", "second_half", "update"));
  // Two-level cuckoo has buckets of 576 slots: 4608 in all, and none at 0.9.
  EXPECT_THAT(column_of(rows, "count"), ElementsAre("1024", "2048", "1843", "3686", "1152", "2304"));
}

TEST(BenchSpatial, MeasuresEachStageAndWholeFrames)
{
  std::vector<Fields> const rows =
      bench_rows({"spatial", "--families", "linear_probing", "--points", "5000", "--grid", "32"});
  std::vector<std::string> const stages = column_of(rows, "stage");
  EXPECT_THAT(stages, ::testing::IsSupersetOf({"voxelise", "build", "intersect", "classify", "select", "all"}));
  for (Fields const& row : rows) {
    EXPECT_GT(std::stod(row.at("median_ms")), 0.0) << row.at("stage");
    if (row.at("stage") == "whole_frame") { continue; }
    EXPECT_GT(std::stoi(row.at("voxels")), 1000);
    EXPECT_LT(std::stod(row.at("misjudged")), 0.01);
  }
}

TEST(BenchSpatial, SkipsGridsThatKeysCannotNumber)
{
  test::Words const too_fine{"spatial", "--families", "two_level_cuckoo", "--points", "100", "--grid", "2048"};
  EXPECT_THAT([&] { bench_rows(too_fine); }, testing::ThrowsMessage<Error>(HasSubstr("Nothing was measured")));
  EXPECT_THAT(wrong_in({"bench", "spatial", "--families", "cuckoo"}), HasSubstr("two_level_cuckoo"));
  EXPECT_THAT(wrong_in({"bench", "spatial", "--grid", "8"}), HasSubstr("--grid"));
}

TEST(BenchMultiValue, MeasuresBuildsAndLookUps)
{
  std::vector<Fields> const rows =
      bench_rows({"multivalue", "--pairs", "2^14", "--values", "8,half", "--key-bits", "64", "--constructions",
                  "count_scan_scatter,two_level_cuckoo,cub_sort"});
  EXPECT_EQ(rows.size(), 14u);  // 64-bit keys, without a GPU: one construction
  EXPECT_THAT(column_of(rows, "construction"), Each("count_scan_scatter"));
  EXPECT_THAT(column_of(rows, "values"), ::testing::Contains("half"));
  double const both = std::stod(rows[0].at("median_ms")) + std::stod(rows[1].at("median_ms"));
  EXPECT_NEAR(std::stod(rows[2].at("median_ms")), both, 0.001 * both);
  EXPECT_THAT(wrong_in({"bench", "multivalue", "--values", "0"}), HasSubstr("--values"));
}

TEST(BenchJoin, MeasuresBuildAndProbeForEveryMethod)
{
  std::vector<Fields> const rows = bench_rows({"join", "--build", "20000", "--probe", "10000", "--kinds", "left,anti",
                                               "--rows-per-key", "2", "--hit", "0", "--skew", "half", "--rivals"});
  auto const built_in =
      static_cast<std::size_t>(std::ranges::count(bench::row_rivals(), true, &bench::Rival::built_in));
  EXPECT_EQ(rows.size(), std::size_t{6} * (built_in + 2));
  EXPECT_THAT(column_of(rows, "results"), Each("10000"));  // none hits
  EXPECT_THAT(column_of(rows, "method"), ::testing::IsSupersetOf({"hash", "sort", "tbb::concurrent_hash_map"}));
  double const both = std::stod(rows[0].at("median_ms")) + std::stod(rows[1].at("median_ms"));
  EXPECT_NEAR(std::stod(rows[2].at("median_ms")), both, 0.001 * both);
  EXPECT_NEAR(std::stod(rows[2].at("mrows")), 30.0 / both, 0.01 * 30.0 / both);
  EXPECT_THAT(wrong_in({"bench", "join", "--kinds", "outer"}), HasSubstr("inner"));
  EXPECT_THAT(wrong_in({"bench", "join", "--hit", "2"}), HasSubstr("--hit"));
  EXPECT_THAT(wrong_in({"bench", "join", "--skew", "9"}), HasSubstr("--skew"));
}

TEST(BenchJoin, TakesKeysFromAFile)
{
  TemporaryFolder const folder;
  std::string text = "user,item\n";
  for (int row = 0; row < 600; ++row) { text += fmt::format("{},{}\n", 7 * (row % 200), row); }
  folder.write("rows.csv", text);
  std::string const file = (folder / "rows.csv").string();
  std::vector<Fields> const joined = bench_rows({"join", "--keys", file.c_str(), "--column", "user", "--kinds", "inner",
                                                 "--hit", "1", "--skew", "0", "--methods", "hash"});
  EXPECT_THAT(column_of(joined, "build_rows"), Each("600"));
  EXPECT_THAT(column_of(joined, "results"), Each("1800"));  // three rows a key
  std::vector<Fields> const both =
      bench_rows({"join", "--keys", file.c_str(), "--column", "user", "--probe-keys", file.c_str(), "--probe-column",
                  "item", "--kinds", "inner,anti", "--methods", "hash"});
  EXPECT_THAT(column_of(both, "probe_rows"), Each("600"));
  EXPECT_THAT(column_of(both, "results"), ::testing::IsSupersetOf({"258", "514"}));  // 86 multiples of 7 below 600
  EXPECT_THAT(wrong_in({"bench", "join", "--probe-keys", file.c_str(), "--probe-column", "item"}), HasSubstr("--keys"));
  std::vector<Fields> const groups = bench_rows({"groupby", "--keys", file.c_str(), "--column", "user"});
  EXPECT_THAT(column_of(groups, "results"), ElementsAre("200"));
  EXPECT_THAT(wrong_in({"bench", "join", "--keys", "zipf"}), HasSubstr("--skew"));
  EXPECT_THAT(wrong_in({"bench", "groupby", "--keys", file.c_str(), "--column", "user", "--groups", "5"}),
              HasSubstr("--groups"));
}

TEST(BenchJoin, JoinsWithTablesOfFamilies)
{
  std::vector<Fields> const rows =
      bench_rows({"join", "--build", "3000", "--probe", "5000", "--kinds", "inner,semi", "--rows-per-key", "1",
                  "--skew", "0", "--families", "linear_probing,cuckoo bucket=4", "--load", "0.4,0.8"});
  EXPECT_EQ(rows.size(), 2u * 2 * 2 * 3);
  EXPECT_THAT(column_of(rows, "method"), ::testing::IsSupersetOf({"linear_probing", "cuckoo bucket=4"}));
  EXPECT_THAT(column_of(rows, "method"), ::testing::Not(::testing::Contains("hash")));
  EXPECT_THAT(column_of(rows, "load"), ::testing::IsSupersetOf({"0.4", "0.8"}));
  EXPECT_THAT(wrong_in({"bench", "join", "--families", "lineer_probing"}), HasSubstr("linear_probing"));
  EXPECT_THAT(wrong_in({"bench", "join", "--load", "2"}), HasSubstr("--load"));
  EXPECT_THAT(wrong_in({"bench", "join", "--probe-column", "id"}), HasSubstr("--probe-keys"));
}

TEST(BenchGroupBy, MeasuresEveryMethod)
{
  std::vector<Fields> const rows = bench_rows({"groupby", "--rows", "30000", "--groups", "1,500", "--skew", "0,half",
                                               "--key-bits", "64", "--methods", "hash,tbb::concurrent_unordered_map"});
  EXPECT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows.front().at("results"), "1");
  EXPECT_EQ(rows.back().at("results"), "500");
  for (Fields const& row : rows) {
    double const rate = 30.0 / std::stod(row.at("median_ms"));
    EXPECT_NEAR(std::stod(row.at("mrows")), rate, 0.01 * rate);
  }
  EXPECT_THAT(wrong_in({"bench", "groupby", "--methods", "sort"}), HasSubstr("hash"));
}

TEST(BenchSparse, MeasuresTablesAndKernelMaps)
{
  std::vector<Fields> const rows =
      bench_rows({"sparse", "--families", "linear_probing", "--sites", "5000", "--searches", "each,shared"});
  EXPECT_THAT(column_of(rows, "stage"),
              ElementsAre("outputs", "table", "kernel_map", "all", "outputs", "table", "kernel_map", "all"));
  EXPECT_EQ(rows.front().at("pairs"), rows.back().at("pairs"));
  EXPECT_THAT(wrong_in({"bench", "sparse", "--searches", "half"}), HasSubstr("symmetric"));
}

TEST(BenchBlocks, ComparesVoxelsAndBlocks)
{
  std::vector<Fields> const rows =
      bench_rows({"blocks", "sphere", "--points", "20000", "--voxels", "0.02", "--accesses", "5000", "--rays", "200"});
  ASSERT_EQ(rows.size(), 8u);
  for (std::size_t i = 0; i != 4; ++i) {
    EXPECT_EQ(rows[i].at("structure"), "voxels");
    EXPECT_EQ(rows[4 + i].at("structure"), "blocks");
    EXPECT_EQ(rows[i].at("access"), rows[4 + i].at("access"));
    EXPECT_EQ(rows[i].at("found"), rows[4 + i].at("found"));
    EXPECT_GT(std::stod(rows[i].at("entries")), std::stod(rows[4 + i].at("entries")));
  }
  EXPECT_EQ(rows[1].at("voxels_read"), "5000");
  EXPECT_GT(std::stod(rows[2].at("lookups")), 2.0 * std::stod(rows[6].at("lookups")));
  for (std::string_view const said : {"times the memory of voxels", "random accesses", "neighbours", "rays"}) {
    EXPECT_THAT(rows[7].at("findings"), HasSubstr(said));
  }
  EXPECT_THAT(wrong_in({"bench", "blocks", "spere"}), HasSubstr("sphere"));
  EXPECT_THAT(wrong_in({"bench", "blocks", "sphere", "--load", "0.97"}), HasSubstr("--load"));
  EXPECT_THAT(wrong_in({"bench", "blocks", "sphere", "--voxels", "0"}), HasSubstr("--voxels"));
  for (char const* const hash : {"formula", "formula: 3*k", "murmur3/modulo", "murmur3,identity"}) {
    EXPECT_THAT(wrong_in({"bench", "blocks", "sphere", "--hash", hash}), HasSubstr("--hash")) << hash;
  }
}

TEST(BenchMatch, MeasuresStages)
{
  std::vector<Fields> const rows = bench_rows({"match", "--methods", "follow", "--query-bases", "128"});
  EXPECT_EQ(rows.size(), 8u);
  EXPECT_THAT(column_of(rows, "found"), Each("1.0"));
  EXPECT_THAT(wrong_in({"bench", "match", "--methods", "guessing"}), HasSubstr("sorting"));
}

TEST(BenchPapers, PutEveryPrintedNumberBesideOurs)
{
  std::vector<Fields> const rows = bench_rows({"farrell", "--scale", "0.0001"});
  EXPECT_EQ(rows.size(), farrell_2020().numbers.size());
  Fields const& last_batch = rows.at(4 + 30);
  EXPECT_EQ(last_batch.at("experiment"), "insert_at_load");
  EXPECT_EQ(last_batch.at("printed"), "240.204636");
  EXPECT_EQ(last_batch.at("load_factor"), "0.9375");
  double const scale = std::stod(last_batch.at("scale"));
  EXPECT_NEAR(std::stod(last_batch.at("keys")), scale * 4194304.0, 1.0);
  double const times = 240.204636 * scale / std::stod(last_batch.at("ours"));
  EXPECT_NEAR(std::stod(last_batch.at("times_as_fast")), times, 0.01 * times);
  for (Fields const& row : rows) {
    if (row.at("experiment") != "probe_length" || row.at("quantity") != "mean") { continue; }
    double const expected = std::stod(row.at("load_factor")) < 0.6 ? 0.492 : 10.4;  // Knuth's formula, for random keys
    EXPECT_NEAR(std::stod(row.at("ours")), expected, 0.35 * expected);              // the table is small
    EXPECT_EQ(row.at("times_as_fast"), "");
  }
}

TEST(BenchPapers, NameWhatIsNotAvailable)
{
  for (auto const& measurement : all_measurements({})) {
    bool const of_paper = measurement->name() == "alcantara" || measurement->name() == "shortt";
    EXPECT_EQ(!measurement->remarks().empty(), of_paper || measurement->name() == "farrell");
    if (of_paper) {
      EXPECT_THAT(measurement->remarks(), ::testing::Contains(HasSubstr("not available, a picture without numbers")));
    }
  }
  EXPECT_THAT(wrong_in({"bench", "shortt", "--scale", "2"}), HasSubstr("--scale"));
}

TEST(BenchPapers, HaveExperimentsForAllThatTheyPrint)
{
  for (PrintedPaper const* const paper : {&farrell_2020(), &alcantara_2009(), &shortt_2020()}) {
    std::size_t grouped = 0;
    std::string_view last;
    for (PrintedNumber const& number : paper->numbers) {
      if (number.experiment != last) { grouped += numbers_of(*paper, number.experiment).size(); }
      last = number.experiment;
      EXPECT_GT(number.value, 0.0);
      EXPECT_FALSE(number.source.empty());
    }
    EXPECT_EQ(grouped, paper->numbers.size()) << "the numbers of an experiment stand together";
  }
}

}  // namespace
}  // namespace slotscape::bench_cases_tests
