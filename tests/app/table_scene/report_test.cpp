#include "app/table_scene/report.hpp"

#include "app/base/files.hpp"
#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace slotscape::report_tests {
namespace {

using nlohmann::json;
using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

RunReport example()
{
  RunReport report;
  report.backend = "cpu";
  report.device = "A \"CPU\", quick";
  report.present = "host";
  report.table.slots = 16;
  report.memory_bytes = 128;
  report.statistics.slots = 16;
  report.statistics.live = 4;
  report.statistics.tombstones = 2;
  report.statistics.probe_length = {4, 0.75, 2, {2, 1, 1}, 0};
  report.statistics.hit_accesses = {4, 1.75, 3, {0, 2, 1, 1}, 0};
  report.statistics.clusters = {3, 2.0, 3, {0, 1, 1, 1}, 0};
  report.statistics.rebuilds = 7;
  report.repeatable = false;
  ActionReport insert{.op = "insert", .count = 6, .outcomes = {}, .seconds = 2e-6, .load_factor = 0.25};
  insert.settings = report.table;
  insert.rebuilds = 2;
  insert.outcomes[Outcome::inserted] = 5;
  insert.outcomes[Outcome::rejected] = 1;
  report.operations.push_back(insert);
  for (int i = 1; i <= 200; ++i) { report.frames.frame_seconds.push_back(1e-3 * i); }
  report.frames.analyse_seconds = {0.002, 0.001};
  return report;
}

json written(RunReport const& report)
{
  return json::parse(format_json(statistics_of({report}).json));
}

/// The tables by their names.
std::map<std::string, std::string> tables_of(RunReport const& report)
{
  std::map<std::string, std::string> tables;
  for (auto const& [name, content] : statistics_of({report}).tables) { tables[name.string()] = content; }
  return tables;
}

std::vector<std::string> names_in(json const& object)
{
  std::vector<std::string> names;
  for (auto const& [name, value] : object.items()) { names.push_back(name); }
  return names;
}

TEST(Report, SaysWhatShardsDid)
{
  RunReport report = example();
  report.shards.emplace();
  report.shards->shards = {{.live = 3, .operations = 10, .latest = 1}, {.live = 1, .operations = 30, .latest = 1}};
  report.shards->bytes.devices = 2;
  report.shards->bytes.at(0, 0) = 100;
  report.shards->bytes.at(0, 1) = 7;
  report.shards->bytes.at(1, 0) = 5;
  report.shards->seconds = {.partition = 0.5, .exchange = 0.0, .table = 2.0};
  json const shards = written(report)["shards"];
  EXPECT_EQ(shards["keys_imbalance"], 1.5);
  EXPECT_EQ(shards["operations_imbalance"], 1.5);
  EXPECT_EQ(shards["bytes_crossing"], 12);
  EXPECT_EQ(shards["bytes_of_busiest_link"], 7);
  EXPECT_EQ(shards["bytes"], json::parse("[[100, 7], [5, 0]]"));
  EXPECT_EQ(shards["seconds"]["table"], 2.0);
  EXPECT_EQ(shards["each"][1]["operations"], 30);
  EXPECT_EQ(tables_of(report)["shards.csv"], "shard,live,operations,latest,bytes_in\n0,3,10,1,5\n1,1,30,1,7\n");
  EXPECT_FALSE(written(example()).contains("shards"));
}

TEST(Report, HasExactlyTheFields)
{
  json const stats = written(example());
  EXPECT_THAT(names_in(stats), UnorderedElementsAre("backend", "device", "present", "table", "probe_length", "accesses",
                                                    "clusters", "operations", "frames", "analysis", "present_cpu"));
  EXPECT_THAT(names_in(stats["table"]),
              UnorderedElementsAre("family", "slots", "deletion", "hash", "key_bits", "combine", "values", "parameters",
                                   "live", "tombstones", "links", "empty", "load_factor", "effective_load", "bytes",
                                   "filled_by", "refused", "rebuilds", "repeatable", "bytes_per_key"));
  EXPECT_THAT(names_in(stats["probe_length"]),
              UnorderedElementsAre("name", "unit", "count", "mean", "p99", "max", "histogram"));
  EXPECT_THAT(names_in(stats["accesses"]), UnorderedElementsAre("hits", "misses"));
  for (json const& each : {stats["clusters"], stats["accesses"]["hits"]}) {
    EXPECT_THAT(names_in(each), UnorderedElementsAre("count", "mean", "p99", "max", "histogram"));
  }
  EXPECT_THAT(names_in(stats["accesses"]["misses"]), UnorderedElementsAre("count", "mean", "p99", "max", "histogram",
                                                                          "wanted", "exact", "stopped_at", "note"));
  EXPECT_THAT(names_in(stats["operations"][0]),
              UnorderedElementsAre("op", "family", "slots", "count", "succeeded", "outcomes", "seconds", "mops",
                                   "load_factor", "rebuilds"));
  EXPECT_THAT(names_in(stats["operations"][0]["outcomes"]),
              UnorderedElementsAre("inserted", "updated", "found", "missing", "erased", "rejected", "full"));
  for (char const* times : {"frames", "analysis", "present_cpu"}) {
    EXPECT_THAT(names_in(stats[times]), UnorderedElementsAre("count", "median_ms", "p99_ms"));
  }
}

TEST(Report, HasTheNumbers)
{
  json const stats = written(example());
  EXPECT_EQ(stats["device"], "A \"CPU\", quick");
  EXPECT_EQ(stats["table"]["deletion"], "empty_value");
  EXPECT_EQ(stats["table"]["empty"], 10);
  EXPECT_DOUBLE_EQ(stats["table"]["load_factor"], 0.25);
  EXPECT_DOUBLE_EQ(stats["table"]["effective_load"], 0.375);
  EXPECT_EQ(stats["probe_length"]["histogram"], json({2, 1, 1}));
  EXPECT_EQ(stats["probe_length"]["name"], family_info("linear_probing").measure.name);
  EXPECT_EQ(stats["accesses"]["hits"]["p99"], 3);
  EXPECT_EQ(stats["accesses"]["misses"]["count"], 0);
  EXPECT_EQ(stats["table"]["key_bits"], 32);
  EXPECT_EQ(stats["clusters"]["count"], 3);
  EXPECT_EQ(stats["operations"][0]["outcomes"]["inserted"], 5);
  EXPECT_DOUBLE_EQ(stats["operations"][0]["mops"], 2.5) << "one of six was rejected";
  EXPECT_EQ(stats["operations"][0]["succeeded"], 5);
  EXPECT_EQ(stats["table"]["bytes"], 128);
  EXPECT_EQ(stats["table"]["rebuilds"], 7);
  EXPECT_EQ(stats["table"]["repeatable"], false);
  EXPECT_EQ(stats["operations"][0]["rebuilds"], 2);
  EXPECT_DOUBLE_EQ(stats["table"]["bytes_per_key"], 32.0);
  EXPECT_TRUE(stats["accesses"]["misses"]["stopped_at"].is_null());
  EXPECT_EQ(stats["frames"]["count"], 200);
  EXPECT_DOUBLE_EQ(stats["frames"]["median_ms"], 100.5);
  EXPECT_DOUBLE_EQ(stats["frames"]["p99_ms"], 198.0);
  EXPECT_DOUBLE_EQ(stats["analysis"]["median_ms"], 1.5);
  EXPECT_DOUBLE_EQ(stats["analysis"]["p99_ms"], 2.0);
  EXPECT_EQ(stats["present_cpu"], json({{"count", 0}, {"median_ms", nullptr}, {"p99_ms", nullptr}}));
}

TEST(Report, CountsTheKeysThatTheTableHasRefusedWithItsPresentSettings)
{
  RunReport report = example();
  ActionReport refusing = report.operations.front();
  refusing.outcomes[Outcome::full] = 3;
  refusing.settings.parameters["neighbourhood"] = 8;
  report.operations.push_back(refusing);
  EXPECT_EQ(written(report)["table"]["refused"], 0) << "that was another table";
  report.table.parameters["neighbourhood"] = 8;
  report.operations.push_back(refusing);
  EXPECT_EQ(written(report)["table"]["refused"], 6);
}

TEST(Report, NeverWritesANumberThatIsNone)
{
  RunReport report = example();
  report.statistics.probe_length.mean = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of<Error>([&] { written(report); }), HasSubstr("probe_length.mean"));
}

TEST(Report, RefusesACutHistogram)
{
  RunReport report = example();
  report.statistics.clusters.beyond = 1;
  EXPECT_THAT(message_of<Error>([&] { written(report); }), HasSubstr("complete histograms"));
}

TEST(Report, WritesTables)
{
  auto const tables = tables_of(example());
  EXPECT_EQ(tables.at("probe_length.csv"), "probe_length,keys\n0,2\n1,1\n2,1\n");
  EXPECT_EQ(tables.at("clusters.csv"), "cluster_length,clusters\n0,0\n1,1\n2,1\n3,1\n");
  EXPECT_EQ(tables.at("operations.csv"),
            "op,family,slots,count,succeeded,inserted,updated,found,missing,erased,rejected,full,seconds,mops,"
            "load_factor\n"
            "insert,linear_probing,16,6,5,5,0,0,0,0,1,0,2e-06,2.5,0.25\n");
  EXPECT_EQ(tables.at("throughput.csv"), "op,load_factor,mops,mops_low,mops_high,runs\n");
  EXPECT_THAT(tables.at("table.csv"),
              AllOf(HasSubstr("backend,device,present,family,slots,deletion,hash,key_bits,combine,parameters,live"),
                    HasSubstr(
                        "cpu,\"A \"\"CPU\"\", quick\",host,linear_probing,16,empty_value,murmur3,32,replace,,4,2,0,10,"
                        "0.25,0.375,128,32,"),
                    HasSubstr(",0.75,2,2,1.75,3,3,,,,,3,2,3,7\n")));
  EXPECT_EQ(tables.at("hit_accesses.csv"), "accesses,keys\n0,0\n1,2\n2,1\n3,1\n");
  EXPECT_FALSE(tables.contains("groups.csv"));
  EXPECT_THAT(tables.at("frames.csv"),
              AllOf(HasSubstr("frame,frame_ms,analysis_ms,present_cpu_ms\n0,1,2,\n1,2,1,\n2,3,,\n")));
}

/// Commas that are not in a quoted cell.
std::size_t separators_in(std::string const& csv)
{
  std::size_t count = 0;
  bool quoted = false;
  for (char const one : csv) {
    if (one == '"') { quoted = !quoted; }
    if (one == ',' && !quoted) { ++count; }
  }
  return count;
}

TEST(Report, HasAsManyCellsAsTheHeaderNames)
{
  for (std::string const& name : family_names()) {
    RunReport report = example();
    report.device = "CPU";
    report.table.family = name;
    auto const tables = tables_of(report);
    std::string const csv = tables.at("table.csv");
    std::size_t const end = csv.find('\n');
    EXPECT_EQ(separators_in(csv.substr(0, end)), separators_in(csv.substr(end))) << csv;
    EXPECT_EQ(tables.contains("clusters.csv"), family_info(name).clusters);
  }
}

TEST(Report, WritesWhatAFamilyCountsBesides)
{
  RunReport report = example();
  report.statistics.groups = {2, 1.0, 2, {1, 0, 1}, 0};
  report.statistics.moves = {1, 1.0, 1, {0, 1}, 0};
  json const stats = written(report);
  EXPECT_EQ(stats["groups"]["histogram"], json({1, 0, 1}));
  EXPECT_EQ(stats["moves"]["max"], 1);
  auto const tables = tables_of(report);
  EXPECT_EQ(tables.at("groups.csv"), "size,groups\n0,1\n1,0\n2,1\n");
  EXPECT_EQ(tables.at("moves.csv"), "moves,insertions\n0,0\n1,1\n");
}

/// A lookup of nothing takes no 0 accesses.
TEST(Report, WhatWasNotMeasuredIsUnknown)
{
  RunReport report = example();
  report.statistics = {};
  report.statistics.slots = 16;
  report.operations[0].count = 0;
  report.operations[0].seconds = 0.0;
  json const stats = written(report);
  json const unknown{{"mean", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  for (json each : {stats["accesses"]["hits"], stats["accesses"]["misses"], stats["probe_length"], stats["clusters"]}) {
    EXPECT_EQ(each["count"], 0);
    for (auto const& [name, value] : unknown.items()) { EXPECT_EQ(each[name], value) << name; }
  }
  EXPECT_TRUE(stats["operations"][0]["mops"].is_null());
  auto const tables = tables_of(report);
  EXPECT_THAT(tables.at("table.csv"), HasSubstr(",slots from home,,,,,,,,,,,0,,,0\n"));
  EXPECT_THAT(tables.at("operations.csv"), HasSubstr(",0,,0.25\n"));
}

TEST(Report, SaysHowFarMissesWereCounted)
{
  RunReport report = example();
  EXPECT_EQ(remark_on_misses(report.statistics), "");
  report.statistics.miss_accesses = {640, 65'536.0, 65'536, {0}, 0};
  report.statistics.miss_sample = {16'384, 65'536};
  json const misses = written(report)["accesses"]["misses"];
  EXPECT_EQ(misses["wanted"], 16'384);
  EXPECT_EQ(misses["stopped_at"], 65'536);
  EXPECT_EQ(misses["note"], "sampled: 640 of 16,384 absent keys; too long, stopped at 65,536 accesses");
}

TEST(Report, MarksMissesThatAreSampled)
{
  Statistics statistics;
  EXPECT_EQ(mark_of_misses(statistics), "") << "there are none";
  statistics.slots = 16;
  statistics.miss_accesses = {16, 1.9375, 4, {0}, 0};
  statistics.miss_sample = {16, 0, true};
  EXPECT_EQ(mark_of_misses(statistics), "");
  EXPECT_EQ(remark_on_misses(statistics), "exact: over all 16 home slots");
  EXPECT_EQ(mark_of_miss_p99(statistics), "");
  statistics.slots = 15;
  EXPECT_EQ(remark_on_misses(statistics), "exact: over all 16 values of the hash") << "a key for each, as are counted";
  statistics.miss_sample.of_each_home = false;
  EXPECT_EQ(mark_of_misses(statistics), "~");
  EXPECT_EQ(mark_of_miss_p99(statistics), "~");
  EXPECT_EQ(remark_on_misses(statistics), "sampled: 16 absent keys");
  statistics.miss_sample.stopped_at = 4;
  EXPECT_EQ(mark_of_misses(statistics), "> ");
}

TEST(Report, HasOneTableOfComparedOnesAndTheirSpeedOverLoad)
{
  RunReport first = example();
  first.device = "CPU";
  ActionReport run{.op = "find", .count = 1'000'000, .outcomes = {}, .seconds = 0.1, .load_factor = 0.5};
  run.outcomes[Outcome::found] = 1'000'000;
  first.throughput.add(run);
  RunReport second = first;
  second.table.family = "robin_hood";
  std::map<std::string, std::string> tables;
  for (auto const& [name, content] : statistics_of({first, second}).tables) { tables[name.string()] = content; }
  std::string const& joint = tables.at("tables.csv");
  EXPECT_EQ(std::ranges::count(joint, '\n'), 3);
  EXPECT_THAT(joint, AllOf(HasSubstr("table,backend,device"), HasSubstr("\n1,cpu,CPU,host,linear_probing"),
                           HasSubstr("\n2,cpu,CPU,host,robin_hood")));
  EXPECT_EQ(tables.at("table-2/throughput.csv"),
            "op,load_factor,mops,mops_low,mops_high,runs\nfind,0.5025,10,10,10,1\n");
}

TEST(Report, LeavesNothingButTheFile)
{
  TemporaryFolder const folder;
  folder.write("stats.json", "old");
  check_writable(folder / "stats.json");
  EXPECT_EQ(content_of(folder / "stats.json"), "old");
  write_text_file(folder / "stats.json", "new");
  std::filesystem::directory_iterator const entries(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(Report, NoFileIsBothReadAndWritten)
{
  TemporaryFolder const folder;
  auto const input = folder.write("keys.txt", "1 2 3");
  auto const output = folder.write("old.json", "{}");
  std::filesystem::create_symlink(input, folder / "link.txt");
  std::filesystem::create_hard_link(input, folder / "hard.txt");
  EXPECT_EQ(read_input_file(folder / "link.txt"), "1 2 3");
  for (auto const& name :
       {input, folder / "link.txt", folder / "hard.txt", folder / "../" / folder.path().filename() / "keys.txt"}) {
    EXPECT_THAT(message_of<Error>([&] { claim_output(name); }), HasSubstr("would be overwritten; choose another path"))
        << name;
    EXPECT_THROW(refuse_input(name), Error) << name;
  }
  EXPECT_NO_THROW(claim_output(folder / "new.json"));
  EXPECT_NO_THROW(claim_output(output));
  EXPECT_THAT(message_of<Error>([&] { read_input_file(output); }), HasSubstr("give the output another path"));
  EXPECT_EQ(content_of(input), "1 2 3");
}

TEST(Report, SaysWhyAPathCannotBeWritten)
{
  TemporaryFolder const folder;
  EXPECT_THAT(message_of<Error>([&] { check_writable("-"); }), HasSubstr("use /dev/stdout for standard output"));
  folder.write("file", "");
  EXPECT_THAT(message_of<Error>([&] { check_writable(folder / "none/stats.json"); }), HasSubstr("there is no folder"));
  EXPECT_THAT(message_of<Error>([&] { check_writable(folder / "file/stats.json"); }), HasSubstr("cannot be written"));
  EXPECT_THAT(message_of<Error>([&] { check_writable(folder.path()); }), HasSubstr("it is a folder"));
  EXPECT_THAT(message_of<Error>([&] { check_writable_folder(folder / "file"); }), HasSubstr("cannot be written"));
  EXPECT_THAT(message_of<Error>([&] { check_writable_folder(folder / "file/csv"); }), HasSubstr("cannot be written"));
  EXPECT_NO_THROW(check_writable("/dev/null"));
  EXPECT_NO_THROW(write_text_file("/dev/null", "new"));
}

}  // namespace
}  // namespace slotscape::report_tests
