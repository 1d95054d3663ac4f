#include "app/bench/limits.hpp"
#include "app/bench/progress.hpp"
#include "app/bench/table_benches.hpp"
#include "app/keys/key_words.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using test::content_of;
using test::message_of;
using test::parse;
using test::TemporaryFolder;
using test::Words;
using test::wrong_in;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A small measurement of linear probing, written as CSV.
bool measure(TableBenchSettings const& settings, BenchFiles const& files)
{
  BenchReport report(bench_tables_columns(), bench_tables_identity(), {"operation", "mops"}, files);
  BenchProgress progress(work_of(Backend::cpu, settings));
  bool const whole = run_table_benches(Backend::cpu, settings, report, progress);
  report.finish();
  return whole;
}

TableBenchSettings small_settings()
{
  TableBenchSettings settings;
  settings.families = {"linear_probing"};
  settings.slots = {4096};
  settings.loads = {0.5};
  settings.repeats = 3;
  return settings;
}

std::vector<std::string> lines_of(std::filesystem::path const& file)
{
  std::istringstream text(content_of(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) { lines.push_back(line); }
  return lines;
}

TEST(Bench, HasTheColumnsThatScriptsRelyOn)
{
  TemporaryFolder const folder;
  EXPECT_TRUE(measure(small_settings(), {.csv = folder / "rows.csv", .json = folder / "rows.json"}));
  std::vector<std::string> const lines = lines_of(folder / "rows.csv");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(
      lines[0],
      "backend,device,family,variant,operation,keys,slots,load_factor,key_bits,batch,count,median_ms,spread,mops,"
      "bytes_per_key,accesses_mean,accesses_p99,accesses_max,failed,limit_mops,percent_of_limit,live_keys,asked_load,"
      "asked_inserts,keys_checksum,imbalance,exchange_mb,link_mb,partition_ms,exchange_ms,table_ms,findings,mix,max_"
      "batches,"
      "seed,repeats");
  std::vector<std::string> operations;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<std::string> const fields = split_csv(lines[i]);
    ASSERT_EQ(fields.size(), 36u);
    operations.push_back(fields[4]);
    EXPECT_EQ(fields[0], "cpu");
    EXPECT_EQ(fields[2], "linear_probing");
    EXPECT_EQ(fields[6], "4096");
    EXPECT_EQ(fields[9], "2048");
    EXPECT_EQ(fields[10], "2048");
    double const milliseconds = std::stod(fields[11]);
    double const mops = std::stod(fields[13]);
    EXPECT_NEAR(mops, 2048.0 / milliseconds / 1e3, 0.001 * mops);
    EXPECT_DOUBLE_EQ(std::stod(fields[14]), 16.0);  // 8 bytes a slot, half of which hold a key
    EXPECT_EQ(fields[18], "0");
    EXPECT_EQ(fields[21], "2048");
    EXPECT_EQ(fields[24], "") << "of shards, there are none";
    EXPECT_EQ(fields[30], "");
    EXPECT_NEAR(std::stod(fields[20]), 100.0 * mops / std::stod(fields[19]), 0.002 * std::stod(fields[20]));
  }
  EXPECT_THAT(operations, ElementsAre("insert", "find_hit", "find_miss", "erase"));
  Json const document = parse_json(content_of(folder / "rows.json"), "rows.json");
  ASSERT_EQ(document.at("rows").size(), 4u);
  EXPECT_TRUE(document.at("rows").at(0).at("accesses_mean").is_null());
  EXPECT_GE(document.at("rows").at(1).at("accesses_mean").get<double>(), 1.0);
}

TEST(Bench, ResumesWithWhatIsMissing)
{
  TemporaryFolder const folder;
  auto const csv = folder / "rows.csv";
  measure(small_settings(), {.csv = csv});
  std::vector<std::string> const whole = lines_of(csv);
  std::string part = whole[0] + "\n" + whole[1] + "\n" + whole[2] + "\n" + whole[3].substr(0, 40);  // as if cut off
  folder.write("rows.csv", part);

  TableBenchSettings more = small_settings();
  more.loads = {0.5, 0.25};
  EXPECT_TRUE(measure(more, {.csv = csv, .resume = true}));
  std::vector<std::string> const lines = lines_of(csv);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[1], whole[1]);  // kept, not measured again
  EXPECT_EQ(lines[2], whole[2]);
  EXPECT_THAT(lines[3], HasSubstr("find_miss"));
  EXPECT_THAT(lines[4], HasSubstr("erase"));
  EXPECT_THAT(lines[5], HasSubstr("insert"));
}

TEST(Bench, ResumesNoOtherMixSeedOrBatches)
{
  TableBenchSettings first = small_settings();
  first.operations = bench::mask_of(bench::Timed::mixed) | bench::mask_of(bench::Timed::find_hit);
  first.mix = {1.0, 0.0, 0.0, 0.0};
  TableBenchSettings other_mix = first;
  other_mix.mix = {0.0, 1.0, 0.0, 0.0};
  TableBenchSettings other_seed = first;
  other_seed.seed = 2;
  TableBenchSettings fewer_batches = first;
  fewer_batches.max_batches = 1;
  using Added = std::vector<std::string>;
  for (auto const& [settings, added] :
       {std::pair{first, Added{}}, std::pair{other_mix, Added{"mixed"}},
        std::pair{other_seed, Added{"find_hit", "mixed"}}, std::pair{fewer_batches, Added{"find_hit", "mixed"}}}) {
    TemporaryFolder const folder;
    auto const csv = folder / "rows.csv";
    measure(first, {.csv = csv});
    measure(settings, {.csv = csv, .resume = true});
    std::vector<std::string> const lines = lines_of(csv);
    std::vector<std::string> operations;
    for (std::size_t i = 3; i < lines.size(); ++i) { operations.push_back(split_csv(lines[i])[4]); }
    EXPECT_EQ(operations, added);
  }
}

TEST(Bench, MeasuresAgainWhatAnEarlierRunGaveUp)
{
  TemporaryFolder const folder;
  auto const csv = folder / "rows.csv";
  measure(small_settings(), {.csv = csv});
  std::string text;
  for (std::string const& line : lines_of(csv)) {
    std::vector<std::string> fields = split_csv(line);
    if (fields[4] == "find_hit") { fields[10] = fields[11] = fields[12] = fields[13] = ""; }
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  folder.write("rows.csv", text);
  EXPECT_TRUE(measure(small_settings(), {.csv = csv, .resume = true}));
  std::vector<std::string> const lines = lines_of(csv);
  ASSERT_EQ(lines.size(), 5u);
  for (std::size_t i = 1; i < lines.size(); ++i) { EXPECT_NE(split_csv(lines[i])[11], "") << lines[i]; }
}

TEST(Bench, RefusesToResumeAnotherMeasurement)
{
  TemporaryFolder const folder;
  auto const csv = folder.write("rows.csv", "backend,device,bytes\n");
  EXPECT_THAT(message_of<Error>([&] { measure(small_settings(), {.csv = csv, .resume = true}); }),
              HasSubstr("has other columns than this measurement"));
  EXPECT_EQ(content_of(csv), "backend,device,bytes\n");
  EXPECT_THAT(message_of<Error>([&] { measure(small_settings(), {.resume = true}); }), HasSubstr("--csv"));
}

TEST(Bench, LeavesOutWhatAFamilyCannotHold)
{
  TemporaryFolder const folder;
  TableBenchSettings settings = small_settings();
  settings.families = {"two_level_cuckoo", "linear_probing"};
  settings.loads = {0.95};
  settings.key_bits = {64};
  EXPECT_TRUE(measure(settings, {.csv = folder / "rows.csv"}));
  std::vector<std::string> const lines = lines_of(folder / "rows.csv");
  ASSERT_EQ(lines.size(), 5u);
  for (std::size_t i = 1; i < lines.size(); ++i) { EXPECT_THAT(lines[i], HasSubstr("linear_probing")); }
}

TEST(Bench, MeasuresEachVariantOfAFamily)
{
  TemporaryFolder const folder;
  TableBenchSettings settings = small_settings();
  settings.families = {"cuckoo"};
  settings.variants = true;
  settings.operations = bench::mask_of(bench::Timed::insert);
  settings.loads = {0.25};
  EXPECT_TRUE(measure(settings, {.csv = folder / "rows.csv"}));
  std::vector<std::string> variants;
  for (std::string const& line : lines_of(folder / "rows.csv")) { variants.push_back(split_csv(line)[3]); }
  EXPECT_THAT(variants, ::testing::Contains(""));
  EXPECT_THAT(variants, ::testing::Contains("functions=3"));
  EXPECT_THAT(variants, ::testing::Contains("bucket=16"));
}

TEST(Bench, MeasuresRivalsBesideFamilies)
{
  TemporaryFolder const folder;
  TableBenchSettings settings = small_settings();
  settings.rivals = true;
  settings.operations = bench::mask_of(bench::Timed::find_hit);
  EXPECT_TRUE(measure(settings, {.csv = folder / "rows.csv"}));
  std::vector<std::string> names;
  for (std::string const& line : lines_of(folder / "rows.csv")) {
    std::vector<std::string> const fields = split_csv(line);
    names.push_back(fields[3].empty() ? fields[2] : fields[2] + ", " + fields[3]);
  }
  EXPECT_THAT(names,
              ::testing::IsSupersetOf({"linear_probing", "std::unordered_map, 1 thread", "tbb::concurrent_hash_map"}));
}

TEST(Bench, MeasuresATableWithParametersOfItsOwn)
{
  TemporaryFolder const folder;
  TableBenchSettings settings = small_settings();
  settings.families = {"cuckoo functions=3 bucket=4"};
  settings.operations = bench::mask_of(bench::Timed::insert);
  EXPECT_TRUE(measure(settings, {.csv = folder / "rows.csv"}));
  EXPECT_EQ(split_csv(lines_of(folder / "rows.csv").at(1))[3], "bucket=4 functions=3");
}

TEST(Bench, MeasuresASetBesideATableAtHalfTheMemory)
{
  TemporaryFolder const folder;
  TableBenchSettings settings = small_settings();
  settings.families = {"linear_probing", "linear_probing values=none"};
  settings.operations = bench::mask_of(bench::Timed::find_hit) | bench::mask_of(bench::Timed::mixed);
  EXPECT_TRUE(measure(settings, {.csv = folder / "rows.csv"}));
  std::vector<std::string> const lines = lines_of(folder / "rows.csv");
  ASSERT_EQ(lines.size(), 5u);
  std::vector<std::string> const header = split_csv(lines[0]);
  auto const bytes = static_cast<std::size_t>(std::ranges::find(header, "bytes_per_key") - header.begin());
  ASSERT_LT(bytes, header.size());
  EXPECT_EQ(split_csv(lines[1])[3], "");
  EXPECT_EQ(split_csv(lines[3])[3], "values=none");
  EXPECT_DOUBLE_EQ(std::stod(split_csv(lines[1])[bytes]), 2.0 * std::stod(split_csv(lines[3])[bytes]));
}

TEST(Bench, ShardsHaveAnImbalanceAndBytesToSend)
{
  TemporaryFolder const folder;
  TableBenchSettings settings = small_settings();
  settings.shards = {1, 4};
  settings.operations = bench::mask_of(bench::Timed::insert) | bench::mask_of(bench::Timed::find_hit);
  EXPECT_TRUE(measure(settings, {.csv = folder / "rows.csv"}));
  std::vector<std::string> const lines = lines_of(folder / "rows.csv");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(split_csv(lines[1])[25], "");
  for (std::size_t const i : {3u, 4u}) {
    std::vector<std::string> const fields = split_csv(lines[i]);
    EXPECT_EQ(fields[3], "shards=4");
    EXPECT_GE(std::stod(fields[25]), 1.0);
    EXPECT_LT(std::stod(fields[25]), 1.2);
    EXPECT_NEAR(std::stod(fields[26]), 0.75 * 2048 * 8e-6, 0.0012) << "a pair there; a key there and a value back";
    EXPECT_EQ(std::stod(fields[29]), 0.0) << "nothing is sent on one device";
    EXPECT_GT(std::stod(fields[28]), 0.0);
    EXPECT_GT(std::stod(fields[30]), 0.0);
    double const median = std::stod(fields[11]);
    EXPECT_NEAR(std::stod(fields[28]) + std::stod(fields[30]), median, 0.01 * median) << "its parts";
  }
  EXPECT_THAT(wrong_in({"bench", "tables", "--shards", "17"}), HasSubstr("--shards"));
}

TEST(Bench, TablesAreReadAsTheyAreWritten)
{
  for (std::string const words : {"linear_probing", "quadratic values=none hash=xxhash", "cuckoo bucket=4 functions=3",
                                  "linear_probing hash=identity", "swiss shards=4 keys_start=one_device",
                                  "double_hashing hash=fibonacci deletion=tombstone_reuse combine=add"}) {
    EXPECT_EQ(words_of_table(table_of_words(words)), words);
  }
  auto const wrong = [](std::string const& words) { return message_of<Error>([&] { table_of_words(words); }); };
  EXPECT_THAT(wrong("cuckoo buckets=4"), HasSubstr("did you mean 'bucket'?"));
  EXPECT_THAT(wrong("cuckoo bucket=5"), HasSubstr("choose bucket from 1, 2, 4, 8, 16"));
  EXPECT_THAT(wrong("cuckoo bucket"), HasSubstr("'' is invalid"));
  EXPECT_NO_THROW(table_of_words("cuckoo values=none"));  // it is left out, and the others run
  EXPECT_THAT(wrong("linear_probing values=none deletion=empty_value"), HasSubstr("tombstone_reuse"));
  EXPECT_THAT(wrong("linear_probing values=some"), HasSubstr("values can be none"));
  EXPECT_THAT(wrong("linear_probing shards=17"), HasSubstr("from 1 to 16"));
  EXPECT_THAT(wrong("linear_probing hash=md5"), HasSubstr("'md5' is unknown"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--families", "cuckoo bucket=5"}), HasSubstr("bucket"));
}

TEST(Bench, WordsOfListsAreNamedAndSuggested)
{
  for (char const* const what : {"tables", "join", "updates", "frame", "sparse"}) {
    EXPECT_THAT(wrong_in({"bench", what, "--families", "cukoo"}),
                HasSubstr("--families: 'cukoo' is unknown; did you mean 'cuckoo'? Choose from: "))
        << what;
  }
  EXPECT_THAT(wrong_in({"bench", "tables", "--families", "absl::flat_hash_mop"}),
              HasSubstr("mean 'absl::flat_hash_map'?"));
  EXPECT_THAT(wrong_in({"bench", "join", "--families", "absl::flat_hash_map"}), HasSubstr("is unknown; "))
      << "a method";
  EXPECT_THAT(wrong_in({"bench", "tables", "--ops", "find"}),
              AllOf(HasSubstr("Choose from: insert"), Not(HasSubstr("probe"))));
  EXPECT_THAT(wrong_in({"bench", "tables", "--keys", "zip"}), AllOf(HasSubstr("'zipf'"), Not(HasSubstr(", file"))));
}

TEST(Bench, KeysAreReadAsTheyAreWritten)
{
  for (std::string const words :
       {"uniform", "strided stride=8", "clustered length=64", "zipf exponent=1.2 keys=5000"}) {
    EXPECT_EQ(words_of_keys(keys_of_words(words)), words);
  }
  auto const wrong = [](std::string const& words) { return message_of<Error>([&] { keys_of_words(words); }); };
  EXPECT_THAT(wrong("zipf exponant=2"), HasSubstr("did you mean 'exponent'?"));
  EXPECT_THAT(wrong("uniform stride=2"), HasSubstr("has no settings"));
  EXPECT_THAT(wrong("strided stride"), HasSubstr("give 'stride' a number"));
  EXPECT_THAT(wrong("zipf keys=0"), HasSubstr("keys"));
}

TEST(Bench, ReplacesKeysAtConstantLoad)
{
  TemporaryFolder const folder;
  TableBenchSettings settings = small_settings();
  settings.at_load = true;
  EXPECT_TRUE(measure(settings, {.csv = folder / "rows.csv"}));
  std::vector<std::string> operations;
  for (std::string const& line : lines_of(folder / "rows.csv")) { operations.push_back(split_csv(line)[4]); }
  EXPECT_THAT(operations, ElementsAre("operation", "insert_at_load", "find_hit", "find_miss", "erase_at_load"));
}

TEST(Bench, WritesWhatMemoryCanDo)
{
  TemporaryFolder const folder;
  BenchReport report(limit_columns(), limit_identity(), {"bytes", "read_8"}, {.csv = folder / "limits.csv"});
  std::vector<std::uint64_t> const sizes{1u << 16, 1u << 18};
  BenchProgress progress(2.0);
  EXPECT_TRUE(run_limit_bench(Backend::cpu, sizes, 1, report, progress));
  std::vector<std::string> const lines = lines_of(folder / "limits.csv");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(split_csv(lines[1])[2], "65536");
  for (std::string const& field : split_csv(lines[2])) { EXPECT_FALSE(field.empty()); }
}

TEST(Bench, ReadsItsCommandLine)
{
  Options const options =
      parse({"bench", "tables", "--families", "linear_probing,cuckoo", "--slots", "2^12,5000", "--load", "0.5,0.9",
             "--ops", "insert,mixed", "--keys", "zipf", "--key-bits", "32,64", "--backend", "cpu", "--seed", "7"})
          .value();
  EXPECT_EQ(options.verb, Verb::bench);
  EXPECT_EQ(options.backend, BackendChoice::cpu);
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(parse({"bench", "limits", "--bytes", "2^20"}).value().verb, Verb::bench);
}

TEST(Bench, SaysWhatIsWrongInItsCommandLine)
{
  EXPECT_THAT(wrong_in({"bench"}), HasSubstr("slotscape bench tables"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--families", "linear_probin"}), HasSubstr("linear_probing"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--families", "absl"}), HasSubstr("absl::flat_hash_map"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--slots", "3"}), HasSubstr("--slots"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--load", "8.5"}), HasSubstr("--load"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--load", "0.5,,0.8"}), HasSubstr("empty item"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--ops", "inserts"}), HasSubstr("did you mean 'insert'"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--keys", "nowhere.txt"}), HasSubstr("there is no file 'nowhere.txt'"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--key-bits", "16"}), HasSubstr("32, 64"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--repeats", "0"}), HasSubstr("--repeats"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--mix", "1,2"}), HasSubstr("--mix"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--mix", "0,0,0,0"}), HasSubstr("--mix"));
  EXPECT_THAT(wrong_in({"bench", "table"}), HasSubstr("unexpected argument 'table'"));
  EXPECT_THAT(wrong_in({"bench", "tables", "more"}), HasSubstr("bench tables --help"));
  EXPECT_THAT(wrong_in({"bench", "tables", "--csv", ""}), HasSubstr("--csv"));
}

TEST(Csv, IsReadAsItIsWritten)
{
  EXPECT_THAT(split_csv("a,\"b, c\",,\"say \"\"so\"\"\""), ElementsAre("a", "b, c", "", "say \"so\""));
  EXPECT_THAT(split_csv(""), ElementsAre(""));
}

TEST(Median, IsThatOfTheMiddle)
{
  MedianOf const odd = median_of({5.0, 1.0, 3.0, 2.0, 4.0});
  EXPECT_DOUBLE_EQ(odd.median, 3.0);
  EXPECT_DOUBLE_EQ(odd.spread, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(median_of({1.0, 2.0}).median, 1.5);
  EXPECT_DOUBLE_EQ(median_of({}).median, 0.0);
  EXPECT_DOUBLE_EQ(rounded(123456.0), 123460.0);
  EXPECT_DOUBLE_EQ(rounded(0.00123456, 3), 0.00123);
}

TEST(BenchReport, ReplacesRowsOfAnEarlierRun)
{
  TemporaryFolder const folder;
  std::filesystem::path const csv = folder / "rows.csv";
  {
    BenchReport report({"table", "rate"}, {"table"}, {}, {.csv = csv});
    report.add({{"table", "a"}, {"rate", 1}});
    report.add({{"table", "b"}, {"rate", 2}});
  }
  BenchReport report({"table", "rate"}, {"table"}, {}, {.csv = csv, .resume = true});
  report.replace({{{"table", "a"}, {"rate", 3}}});
  EXPECT_EQ(report.rows().size(), 2u);
  EXPECT_EQ(content_of(csv), "table,rate\nb,2\na,3\n");
}

}  // namespace
}  // namespace slotscape
