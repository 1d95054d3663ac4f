#include "app/bench/columns.hpp"
#include "app/bench/table_benches.hpp"
#include "app/bench/table_rows.hpp"
#include "app/simulation/names.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::ElementsAre;

struct Walk {
  std::string who;
  double seconds = 0.0;
  std::optional<std::uint64_t> steps = {};
};
struct WalkWithDog : Walk {
  HashKind dog = HashKind::murmur3;
  bool on_lead = false;
};

std::vector<RowColumn<Walk>> walk_columns()
{
  return {
      {"who", 0, ColumnRole::identity, text_if_any([](auto& row) -> auto& { return row.who; })},
      {"ms", 2, ColumnRole::figure, Scaled{1e3}.of([](auto& row) -> auto& { return row.seconds; })},
      {"steps", 1, ColumnRole::figure, plain_field([](auto& row) -> auto& { return row.steps; })},
      {"twice", 4, ColumnRole::figure, computed([](Walk const& row) { return Json(2 * row.steps.value_or(0)); })},
  };
}

RowColumns<WalkWithDog> walks_with_dogs()
{
  std::vector<RowColumn<WalkWithDog>> const more{
      {"dog", 3, ColumnRole::identity, choice_of([](auto& row) -> auto& { return row.dog; })},
      {"on_lead", 5, ColumnRole::figure, plain_field([](auto& row) -> auto& { return row.on_lead; })},
  };
  return RowColumns<WalkWithDog>(walk_columns(), more);
}

TEST(RowColumns, AreInTheOrderOfTheirPlacesInCsvFilesAndOfTheTableElsewhere)
{
  RowColumns<WalkWithDog> const columns = walks_with_dogs();
  EXPECT_THAT(columns.names(), ElementsAre("who", "steps", "ms", "dog", "twice", "on_lead"));
  EXPECT_THAT(columns.identity(), ElementsAre("who", "dog"));
  EXPECT_EQ(columns.write({{"Ann", 0.0123456789, 7}, HashKind::xxhash, true}).dump(),
            R"({"who":"Ann","ms":12.346,"steps":7,"twice":14,"dog":"xxhash","on_lead":true})");
  EXPECT_EQ(columns.write({}).dump(),
            R"({"who":null,"ms":0.0,"steps":null,"twice":0,"dog":"murmur3","on_lead":false})");
}

TEST(RowColumns, AreReadAsTheyWereWritten)
{
  RowColumns<WalkWithDog> const columns = walks_with_dogs();
  WalkWithDog read;
  EXPECT_TRUE(columns.read(columns.write({{"Ann", 0.25, 7}, HashKind::xxhash, true}), read));
  EXPECT_EQ(read.who, "Ann");
  EXPECT_DOUBLE_EQ(read.seconds, 0.25);
  EXPECT_EQ(read.steps, 7u);
  EXPECT_EQ(read.dog, HashKind::xxhash);
  EXPECT_TRUE(read.on_lead);
}

TEST(RowColumns, WhatIsDamagedStaysAsItIs)
{
  RowColumns<WalkWithDog> const columns = walks_with_dogs();
  BenchRow fields = columns.write({{"Ann", 0.25, 7}, HashKind::xxhash, true});
  fields["ms"] = "soon";
  fields["steps"] = nullptr;
  WalkWithDog read{{"", 1.5, 3}};
  EXPECT_TRUE(columns.read(fields, read)) << "numbers may be missing";
  EXPECT_DOUBLE_EQ(read.seconds, 1.5);
  EXPECT_EQ(read.steps, 3u);
  fields["dog"] = "terrier";
  fields["on_lead"] = false;
  EXPECT_FALSE(columns.read(fields, read)) << "names may not";
  EXPECT_FALSE(read.on_lead) << "the others are read";
}

/// Files of earlier versions go on only with the very columns that they have.
TEST(RowColumns, OfTablesAreTheSameInEveryVersion)
{
  EXPECT_THAT(bench_tables_columns(),
              ElementsAre("backend", "device", "family", "variant", "operation", "keys", "slots", "load_factor",
                          "key_bits", "batch", "count", "median_ms", "spread", "mops", "bytes_per_key", "accesses_mean",
                          "accesses_p99", "accesses_max", "failed", "limit_mops", "percent_of_limit", "live_keys",
                          "asked_load", "asked_inserts", "keys_checksum", "imbalance", "exchange_mb", "link_mb",
                          "partition_ms", "exchange_ms", "table_ms", "findings", "mix", "max_batches", "seed",
                          "repeats"));
  EXPECT_EQ(table_identity_columns().size() + table_figure_columns().size(), table_column_count);
}

TEST(TableRows, HaveFiguresOfTheirKeysAndReadTheirTable)
{
  RowColumns<TableRow> const columns(table_identity_columns(), table_figure_columns());
  TableRow row;
  row.identity.table = table_of_words("cuckoo functions=3");
  row.identity.table.slots = 1000;
  row.identity.variant = variant_of(row.identity.table);
  row.facts = {500, 1000, 8000};
  BenchRow fields = columns.write(row);
  EXPECT_DOUBLE_EQ(fields.at("load_factor").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(fields.at("bytes_per_key").get<double>(), 16.0);
  for (char const* const figure : {"median_ms", "mops", "limit_mops", "accesses_mean", "imbalance"}) {
    EXPECT_TRUE(fields.at(figure).is_null()) << figure << " of an operation that did not run";
  }
  row.result.count = 1000;
  row.result.seconds = 0.5;
  row.result.keys = 250;  // it ran on fewer
  fields = columns.write(row);
  EXPECT_DOUBLE_EQ(fields.at("load_factor").get<double>(), 0.25);
  EXPECT_DOUBLE_EQ(fields.at("mops").get<double>(), 0.002);
  TableRow read;
  EXPECT_TRUE(columns.read(fields, read));
  EXPECT_EQ(read.identity.table, row.identity.table);
  EXPECT_EQ(read.facts.live_keys, 250u);
  EXPECT_DOUBLE_EQ(read.result.seconds, 0.5);
  fields["variant"] = "functions=many";
  EXPECT_FALSE(columns.read(fields, read));
}

}  // namespace
}  // namespace slotscape
