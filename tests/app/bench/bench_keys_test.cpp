#include "app/bench/measurement.hpp"
#include "app/bench/plot.hpp"
#include "app/bench/progress.hpp"
#include "app/export/drawing_file.hpp"
#include "app/keys/key_words.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/pacing.hpp"
#include "tests/app/support/bench_rows.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>
#include <thread>

namespace slotscape::bench_keys_tests {
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
using ::testing::IsEmpty;
using ::testing::Not;

/// A file of 2000 numbers, 300 of which differ.
std::string file_with_repeats(TemporaryFolder const& folder)
{
  std::string text;
  for (int i = 0; i < 2000; ++i) { text += std::to_string(7 * (i * i % 601 % 300) + 1) + '\n'; }
  return folder.write("orders.txt", text);
}

std::uint64_t different_in(std::string const& file)
{
  std::istringstream text(test::content_of(file));
  std::set<std::string> lines;
  for (std::string line; std::getline(text, line);) { lines.insert(line); }
  return lines.size();
}

TEST(BenchKeys, RowsAreOfLiveKeys)
{
  TemporaryFolder const folder;
  std::string const file = file_with_repeats(folder);
  auto const different = static_cast<double>(different_in(file));
  ASSERT_LT(different, 500.0);
  for (char const* const family : {"linear_probing", "cuckoo", "hash_graph"}) {
    auto const rows = bench_rows({"tables", "--families", family, "--slots", "4096", "--load", "0.03,0.8,0.9", "--keys",
                                  file.c_str(), "--ops", "insert,find_hit"});
    ASSERT_EQ(rows.size(), 4u) << "at 0.9, the same keys would fill the table as at 0.8";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Fields const& row = rows[i];
      double const slots = std::stod(row.at("slots"));
      double const live = i < 2 ? std::round(0.03 * slots) : different;
      EXPECT_EQ(std::stod(row.at("live_keys")), live) << family;
      EXPECT_NEAR(std::stod(row.at("load_factor")), live / slots, 1e-5) << family;
      EXPECT_GE(std::stod(row.at("bytes_per_key")), 7.99 * slots / live) << family;
      EXPECT_EQ(row.at("asked_load"), i < 2 ? "0.03" : "0.8");
      if (i < 2) {
        EXPECT_THAT(row.at("findings"), IsEmpty());
      } else {
        EXPECT_THAT(row.at("findings"), HasSubstr("orders.txt has only " + row.at("live_keys") + " distinct keys"));
      }
    }
  }
}

TEST(BenchKeys, ALoadIsReachedByDrawing)
{
  auto const rows = bench_rows({"tables", "--families", "linear_probing,two_level_cuckoo", "--slots", "4096", "--load",
                                "0.25,0.5", "--keys", "zipf", "--ops", "insert"});
  ASSERT_EQ(rows.size(), 4u);
  for (Fields const& row : rows) {
    EXPECT_DOUBLE_EQ(std::stod(row.at("load_factor")), std::stod(row.at("asked_load")));
    EXPECT_GT(std::stod(row.at("count")), 1.2 * std::stod(row.at("live_keys"))) << "some keys come again";
    EXPECT_THAT(row.at("findings"), IsEmpty());
  }
}

TEST(BenchKeys, SaysWhyDrawingDoesNotReachTheLoad)
{
  auto const few = bench_rows({"tables", "--families", "linear_probing", "--slots", "4096", "--load", "0.5", "--keys",
                               "zipf keys=100", "--ops", "insert"});
  EXPECT_THAT(column_of(few, "findings"), ElementsAre(HasSubstr("there are only 100 distinct keys, so the load factor "
                                                                "is 0.0244 instead of 0.5")));
  auto const steep = bench_rows({"tables", "--families", "linear_probing", "--slots", "4096", "--load", "0.5", "--keys",
                                 "zipf exponent=4", "--ops", "insert"});
  EXPECT_THAT(column_of(steep, "findings"), ElementsAre(HasSubstr("65,536 draws brought only ")));
  EXPECT_LT(std::stod(steep[0].at("load_factor")), 0.02);
}

TEST(BenchKeys, InsertionsSayHowFullTheTableGets)
{
  TemporaryFolder const folder;
  std::string const file = file_with_repeats(folder);
  auto const rows = bench_rows({"tables", "--families", "linear_probing,cuckoo", "--slots", "1024", "--inserts", "2000",
                                "--keys", file.c_str(), "--ops", "insert"});
  ASSERT_EQ(rows.size(), 2u);
  for (Fields const& row : rows) {
    EXPECT_EQ(row.at("asked_inserts"), "2000");
    EXPECT_EQ(row.at("asked_load"), "");
    EXPECT_EQ(row.at("live_keys"), std::to_string(different_in(file)));
    EXPECT_EQ(row.at("count"), "2000");
  }
  EXPECT_THAT(wrong_in({"bench", "tables", "--inserts", "2000", "--load", "0.7,0.9"}),
              HasSubstr("--inserts and --load both say how full the table gets"));
  auto const distinct = bench_rows({"tables", "--families", "linear_probing", "--slots", "1024", "--inserts", "700"});
  EXPECT_THAT(column_of(distinct, "load_factor"), Each("0.68359"));
}

/// A file of the same name and length, with other keys.
TEST(BenchKeys, OptionsThatWouldDoNothingAreRefused)
{
  using test::Words;
  for (Words const& words :
       {Words{"bench", "tables", "--column", "id"}, Words{"bench", "tables", "--keys", "uniform", "--as-text"},
        Words{"bench", "groupby", "--empty", "refuse"},
        Words{"bench", "join", "--keys", "strided", "--column", "id"}}) {
    EXPECT_THAT(wrong_in(words), HasSubstr("says how a key file is read")) << words[1];
  }
  EXPECT_THAT(wrong_in({"bench", "tables", "--mix", "1,0,0,0"}), HasSubstr("--ops mixed"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--devices", "each"}), HasSubstr("add --shards"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--keys-start", "one_device", "--shards", "1"}), HasSubstr("add --shards"));
}

TEST(BenchKeys, AFileThatCannotReachTheLoadIsInsertedToItsEnd)
{
  TemporaryFolder const folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) { text += i < 400 ? std::to_string(i % 40) + '\n' : "7\n"; }
  std::string const file = folder.write("sevens.txt", text);
  auto const inserts = [&](char const* load) {
    return bench_rows({"tables", "--families", "linear_probing", "--slots", "64", "--load", load, "--keys",
                       file.c_str(), "--ops", "insert"})
        .front()
        .at("count");
  };
  EXPECT_EQ(inserts("0.9"), "1000");
  EXPECT_EQ(inserts("0.5"), "32") << "the load is reached";
}

TEST(BenchKeys, ResumingKnowsTheKeysOfAFile)
{
  TemporaryFolder const folder;
  auto const write = [&](std::string const& name, int factor) {
    std::string text;
    for (int i = 1; i <= 300; ++i) { text += std::to_string(factor * i) + '\n'; }
    return folder.write(name, text);
  };
  std::string const keys = write("keys.txt", 3);
  std::string const probe = write("probe.txt", 5);
  for (test::Words words :
       {test::Words{"tables", "--families", "linear_probing", "--slots", "1024", "--inserts", "300", "--ops", "insert"},
        test::Words{"groupby", "--methods", "hash"},
        test::Words{"join", "--kinds", "inner", "--methods", "hash", "--probe-keys", probe.c_str()}}) {
    SCOPED_TRACE(words.front());
    std::filesystem::path const csv = folder / fmt::format("{}.csv", words.front());
    words.insert(words.end(), {"--keys", keys.c_str()});
    write("keys.txt", 3);
    write("probe.txt", 5);
    std::size_t const first = bench_rows(words, csv).size();
    words.push_back("--resume");
    std::vector<Fields> const again = bench_rows(words, csv);
    EXPECT_EQ(again.size(), first) << "nothing is measured again";
    write("keys.txt", 4);
    std::vector<Fields> const others = bench_rows(words, csv);
    ASSERT_EQ(others.size(), 2 * first);
    EXPECT_NE(others.front().at("keys_checksum"), others.back().at("keys_checksum"));
    EXPECT_EQ(others.front().at("keys"), others.back().at("keys"));
    if (words.front() != std::string("join")) { continue; }
    write("probe.txt", 6);
    EXPECT_EQ(bench_rows(words, csv).size(), 3 * first) << "another probe side";
  }
}

TEST(BenchKeys, TheOrderOfKeysCounts)
{
  TemporaryFolder const folder;
  auto const sum = [&](char const* name, char const* text) {
    return keys_checksum(with_key_file({}, folder.write(name, text)));
  };
  EXPECT_EQ(sum("a.txt", "1\n2\n3\n"), sum("b.txt", "1\n2\n3\n"));
  EXPECT_NE(sum("a.txt", "1\n2\n3\n"), sum("a.txt", "1\n3\n2\n"));
  EXPECT_NE(sum("a.txt", "1\n2\n3\n"), sum("a.txt", "1\n2\n"));
  EXPECT_EQ(keys_checksum(KeySettings{}), "");
}

/// Both sides' readers are heard, and the width is that of the wider side.
TEST(BenchKeys, JoinsSayWhatWasNoticedOfBothFiles)
{
  TemporaryFolder const folder;
  std::string const keys = folder.write("orders.csv", "order,customer\n1,7\n2,\n3,8\n");
  std::string const probe = folder.write("customers.csv", "id,n\n7,1\n-3,2\n");
  auto const rows = bench_rows({"join", "--keys", keys.c_str(), "--column", "customer", "--probe-keys", probe.c_str(),
                                "--probe-column", "id", "--kinds", "inner", "--methods", "hash"});
  ASSERT_FALSE(rows.empty());
  EXPECT_THAT(column_of(rows, "key_bits"), Each("64"));
  EXPECT_THAT(column_of(rows, "findings"), Each(HasSubstr("orders.csv: 1 empty cell")));
  EXPECT_THAT(column_of(rows, "findings"), Each(HasSubstr("customers.csv: 1 key is negative")));
  EXPECT_THAT(wrong_in({"bench", "join", "--keys", keys.c_str(), "--column", "customer", "--probe-keys", probe.c_str(),
                        "--probe-column", "id", "--key-bits", "32"}),
              HasSubstr("--key-bits 64"));
}

/// A row without a key matches nothing, and SQL would keep it in a left or an anti join.
TEST(BenchKeys, LeftAndAntiJoinsSayThatRowsAreMissing)
{
  TemporaryFolder const folder;
  std::string const keys = folder.write("customers.csv", "id,n\n7,1\n9,2\n");
  std::string const probe = folder.write("orders.csv", "order,customer\n1,7\n2,\n3,8\n4,\n");
  auto const findings = [&](char const* kinds) {
    return column_of(bench_rows({"join", "--keys", keys.c_str(), "--column", "id", "--probe-keys", probe.c_str(),
                                 "--probe-column", "customer", "--kinds", kinds, "--methods", "hash"}),
                     "findings");
  };
  for (char const* kind : {"left", "anti"}) {
    EXPECT_THAT(findings(kind), Each(HasSubstr("Left and anti joins omit the 2 probe rows that were left out")));
  }
  EXPECT_THAT(findings("inner,semi"), Each(Not(HasSubstr("SQL"))));
}

TEST(BenchKeys, AFamilyThatCannotBeASetDoesNotStopTheOthers)
{
  auto const rows = bench_rows({"tables", "--families", "robin_hood values=none,linear_probing values=none", "--slots",
                                "1024", "--load", "0.5", "--ops", "find_hit"});
  EXPECT_THAT(column_of(rows, "family"), ElementsAre("linear_probing"));
}

TEST(BenchKeys, LoadsAndSlotsThatComeToTheSameAreMeasuredOnce)
{
  auto const loads = bench_rows(
      {"tables", "--families", "linear_probing", "--slots", "16", "--load", "0.01,0.02,0.06,0.5", "--ops", "insert"});
  EXPECT_THAT(column_of(loads, "load_factor"), ElementsAre("0.0625", "0.5"));
  auto const slots =
      bench_rows({"tables", "--families", "quadratic", "--slots", "1000,1024", "--load", "0.5", "--ops", "insert"});
  EXPECT_THAT(column_of(slots, "slots"), ElementsAre("1024"));
}

TEST(BenchKeys, FramesAndUpdatesHaveTheLoadOfTheirTable)
{
  auto const frames = bench_rows({"frame", "--families", "two_level_cuckoo", "--slots", "5000", "--load", "0.33"});
  double const slots = std::stod(frames.at(0).at("table_bytes")) / 8.0;
  EXPECT_NEAR(std::stod(frames[0].at("load_factor")), std::round(0.33 * slots) / slots, 1e-5);
  auto const updates = bench_rows({"updates", "--families", "linear_probing", "--slots", "20", "--load", "0.33"});
  EXPECT_THAT(column_of(updates, "load_factor"), Each("0.35"));  // 7 of 20
  EXPECT_THAT(column_of(updates, "live_keys"), Each("7"));
  EXPECT_THAT(column_of(updates, "asked_load"), Each("0.33"));
}

/// Its mix needs keys that the file does not have: the other rows are of the whole table all the same.
TEST(BenchKeys, AFileThatIsUsedUpFillsTheTableAsTheRowsSay)
{
  TemporaryFolder const folder;
  std::string keys;
  for (int i = 0; i < 1000; ++i) { keys += fmt::format("{}\n", 17 * i + 1); }
  auto const rows = bench_rows({"tables", "--families", "linear_probing", "--slots", "2000", "--load", "0.5", "--ops",
                                "insert,find_hit,mixed", "--keys", folder.write("keys.txt", keys).c_str()});
  ASSERT_THAT(column_of(rows, "operation"), ElementsAre("insert", "find_hit", "mixed"));
  for (std::size_t const whole : {0, 1}) {
    EXPECT_EQ(rows[whole].at("count"), "1000");
    EXPECT_EQ(rows[whole].at("live_keys"), "1000");
    EXPECT_EQ(rows[whole].at("findings"), "");
  }
  double const live = std::stod(rows[2].at("live_keys"));
  EXPECT_LT(live, 1000.0);
  EXPECT_NEAR(std::stod(rows[2].at("load_factor")), live / 2000.0, 1e-4);
  EXPECT_NEAR(std::stod(rows[2].at("bytes_per_key")), 16000.0 / live, 0.01);
  EXPECT_THAT(rows[2].at("findings"), HasSubstr("instead of 1,000: the file has no more keys to insert"));
}

TEST(BenchKeys, JoinsWithoutRowsOfTheBuildSideTakeRepeatedKeys)
{
  TemporaryFolder const folder;
  auto const keys = folder.write("keys.txt", "5\n5\n7\n9\n");
  auto const joined = [&](char const* kinds) {
    return bench_rows({"join", "--families", "swiss", "--kinds", kinds, "--keys", keys.c_str(), "--probe-keys",
                       keys.c_str(), "--load", "0.5"});
  };
  auto const rows = joined("semi");
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().at("results"), "4");
  EXPECT_EQ(rows.front().at("skew"), "") << "nothing is drawn";
  EXPECT_THAT(message_of<Error>([&] { joined("inner"); }), HasSubstr("Nothing was measured"));
}

/// More rows than before make it no other case.
TEST(BenchKeys, RowsOfAFileThatHasChangedAreCounted)
{
  BenchReport report({"build_rows", "keys_checksum", "ms"}, {"build_rows", "keys_checksum"}, {}, {});
  EXPECT_EQ(report.of_other_keys(), 0u);
  TemporaryFolder const folder;
  auto const csv = folder.write("rows.csv", "build_rows,keys_checksum,ms\n4,0xa,1\n2,0xb,1\n9,,1\n");
  BenchReport resumed({"build_rows", "keys_checksum", "ms"}, {"build_rows", "keys_checksum"}, {},
                      {.csv = csv, .resume = true});
  resumed.add({{"build_rows", 5}, {"keys_checksum", "0xb"}, {"ms", 1}});
  EXPECT_EQ(resumed.of_other_keys(), 1u) << "of 0xa, with 4 rows; those of 0xb are a part of the same keys";
  resumed.add({{"build_rows", 10}, {"keys_checksum", nullptr}, {"ms", 1}});
  EXPECT_EQ(resumed.of_other_keys(), 1u) << "patterns are told apart by their rows";
}

/// Each of these reads a large part of the table.
TEST(BenchBounds, RowsSayWhatWasLeftOut)
{
  TemporaryFolder const folder;
  auto const rows =
      bench_rows({"tables", "--families", "linear_probing", "--hash", "identity", "--keys", "sequential", "--slots",
                  "1278751", "--load", "0.82", "--max-seconds", "0.5", "--plot", (folder / "plot.svg").c_str()});
  ASSERT_THAT(column_of(rows, "operation"), ElementsAre("insert", "find_hit", "find_miss", "erase"));
  EXPECT_EQ(rows[0].at("count"), "1048576");
  EXPECT_THAT(rows[1].at("findings"), IsEmpty());
  EXPECT_LT(std::stod(rows[2].at("count")), 1e6);
  EXPECT_THAT(rows[2].at("findings"), HasSubstr("of 1,048,576 operations: all would take about"));
  EXPECT_GT(std::stod(rows[2].at("mops")), 0.0);

  auto const full = bench_rows({"tables", "--families", "linear_probing", "--keys", "one_home", "--slots", "2^20",
                                "--load", "0.5", "--max-seconds", "0.4", "--plot", (folder / "plot.svg").c_str()});
  ASSERT_EQ(full.size(), 4u);
  EXPECT_THAT(column_of(full, "mops"), Each(""));
  EXPECT_THAT(column_of(full, "load_factor"), Each(""));
  EXPECT_THAT(column_of(full, "findings"), Each(HasSubstr("inserting 524288 keys would take about")));
  EXPECT_THAT(wrong_in({"bench", "tables", "--max-seconds", "0"}), HasSubstr("--max-seconds"));
}

TEST(BenchBounds, AMixOrReplacementThatTakesTooLongSaysSo)
{
  auto const rows = bench_rows({"tables", "--families", "linear_probing", "--hash", "identity", "--keys", "sequential",
                                "--slots", "1278751", "--load", "0.82", "--max-seconds", "0.5", "--ops",
                                "insert,mixed,erase", "--mix", "0,0,1,0"});
  ASSERT_THAT(column_of(rows, "operation"), ElementsAre("insert", "mixed", "erase"));
  EXPECT_EQ(rows[1].at("mops"), "");
  EXPECT_THAT(rows[1].at("findings"), HasSubstr("given up: all would take about"));
  EXPECT_THAT(rows[2].at("findings"), HasSubstr("the mix before it was given up"));
}

TEST(BenchBounds, RivalsThatNeedSpreadKeysAreSkippedWithoutThem)
{
  for (char const* const hash : {"identity", "fibonacci"}) {
    auto const rows =
        bench_rows({"tables", "--families", "libcuckoo::cuckoohash_map,std::unordered_map", "--slots", "4096", "--load",
                    "0.6", "--hash", hash, "--keys", "strided stride=4096", "--ops", "insert"});
    EXPECT_THAT(column_of(rows, "family"), ElementsAre("std::unordered_map"));
  }
}

/// A case that never comes to an end.
class Endless final : public CaseBench {
public:
  std::optional<std::vector<double>> run(std::uint64_t, Progress const& progress) override
  {
    while (!progress.cancelled()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
    return std::nullopt;
  }
  BenchRow facts(std::size_t, double) const override { return {{"fact", 1}}; }
};

class EndlessMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "endless"; }
  std::string_view help() const override { return "for tests"; }
  void add_options(CLI::App&) override {}
  void interpret() override {}
  BenchColumns columns() const override { return columns_of({"case"}, {"fact"}); }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    BenchCase subject;
    subject.what = "an endless case";
    subject.identity = on_device(backend);
    subject.parts = {{{"case", "one"}}, {{"case", "two"}}};
    subject.make = [] { return std::make_unique<Endless>(); };
    return {subject};
  }
};

TEST(BenchBounds, EveryCaseHasOne)
{
  TemporaryFolder const folder;
  EndlessMeasurement const measurement;
  BenchColumns const columns = measurement.columns();
  BenchReport report(columns.all, columns.identity, columns.shown, {.csv = folder / "rows.csv"});
  BenchProgress progress(1.0);
  EXPECT_TRUE(measurement.run({.repeats = 3, .max_seconds = 0.2}, report, progress));
  auto const rows = test::rows_in(folder / "rows.csv");
  EXPECT_THAT(column_of(rows, "case"), ElementsAre("one", "two"));
  EXPECT_THAT(column_of(rows, "median_ms"), Each(""));
  EXPECT_THAT(column_of(rows, "fact"), Each(""));
  EXPECT_THAT(column_of(rows, "findings"), Each(HasSubstr("an endless case: given up after")));
}

TEST(BenchBounds, TimesAreWrittenInUnitsThatFit)
{
  EXPECT_EQ(bench::duration_text(0.0), "0.1 s");
  EXPECT_EQ(bench::duration_text(0.2), "0.2 s");
  EXPECT_EQ(bench::duration_text(1.949), "1.9 s");
  EXPECT_EQ(bench::duration_text(1.96), "2 s");
  EXPECT_EQ(bench::duration_text(59.7), "60 s");
  EXPECT_EQ(bench::duration_text(540.0), "9 min");
  EXPECT_EQ(bench::duration_text(3.2 * 3600), "3 h");
  EXPECT_EQ(bench::duration_text(86400.0 * 12), "12 days");
}

/// Safe loads are about those that keys can reach.
TEST(BenchKeys, ALoadThatTheKeysCannotReachSkipsNothing)
{
  TemporaryFolder const folder;
  std::string keys;
  for (int key = 1; key <= 640; ++key) { keys += std::to_string(7 * key) + "\n"; }
  std::filesystem::path const file = folder.write("few.txt", keys);
  auto const rows = bench_rows({"tables", "--families", "hopscotch", "--keys", file.c_str(), "--slots", "1024,2048",
                                "--load", "0.9", "--ops", "insert"});
  EXPECT_THAT(column_of(rows, "load_factor"), ElementsAre("0.625", "0.3125"));
  EXPECT_THAT(column_of(rows, "findings"), Each(HasSubstr("instead of 0.9")));
}

}  // namespace
}  // namespace slotscape::bench_keys_tests
