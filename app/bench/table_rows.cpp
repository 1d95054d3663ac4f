#include "app/bench/table_rows.hpp"

#include "app/bench/table_benches.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/rivals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace slotscape {
namespace {

bool ran(TableRow const& row)
{
  return row.ran();
}

/// Whether the memory limit of a single device applies to the row: it does not if shards exchange data.
bool has_limit(TableRow const& row)
{
  bool const exchanges = row.result.shards && row.result.shards->seconds.exchange > 0.0;
  return row.result.limit > 0.0 && !exchanges;
}

Json rate_of(TableRow const& row)
{
  if (row.rate) { return rounded(1e-6 * *row.rate); }
  return row.ran() ? Json(rounded(1e-6 * row.result.rate())) : Json();
}

bool read_rate(Json const& field, TableRow& row)
{
  if (field.is_number()) { row.rate = 1e6 * field.get<double>(); }
  return true;
}

Json share_of_limit(TableRow const& row)
{
  return row.ran() && has_limit(row) ? Json(rounded(100.0 * row.result.rate() / row.result.limit, 4)) : Json();
}

/// Reads the variant of the family that was read before. Rival tables have no variants.
bool read_variant(Json const& field, TableRow& row)
{
  row.identity.variant = field_of(field);
  std::string const& family = row.identity.table.family;
  bool const has_settings = bench::rival_of(family) == nullptr && !row.identity.variant.empty();
  try {
    row.identity.table = table_of_words(has_settings ? fmt::format("{} {}", family, row.identity.variant) : family);
    row.identity.table.slots = 0;  // the slots have a column of their own
    return true;
  } catch (Error const&) {
    return false;
  }
}

/// A figure of the filled table; null if there is no filled table.
template <class Figure>
auto if_filled(Figure figure)
{
  return computed(
      [figure](TableRow const& row) { return row.is_filled() ? Json(figure(row.facts_meanwhile())) : Json(); });
}

/// One of the counts of accesses.
template <class Count, class Written>
auto accesses(Count bench::Accesses::*count, Written written)
{
  return ColumnField{[=](TableRow const& row) {
                       return row.result.accesses ? Json(written((*row.result.accesses).*count)) : Json();
                     },
                     [=](Json const& field, TableRow& row) {
                       if (!field.is_number()) { return true; }
                       if (!row.result.accesses) { row.result.accesses.emplace(); }
                       return read_field(field, (*row.result.accesses).*count);
                     }};
}

/// A figure about the traffic between shards; null for an unsharded table.
template <class Figure>
auto of_shards(Figure figure)
{
  return computed([figure](TableRow const& row) {
    auto const report = row.result.shards_in_time();
    return report ? Json(rounded(figure(*report))) : Json();
  });
}

}  // namespace

std::vector<RowColumn<TableRow>> const& table_identity_columns()
{
  constexpr auto id = ColumnRole::identity;
  static std::vector<RowColumn<TableRow>> const columns{
      {"backend", 0, id, choice_of([](auto& row) -> auto& { return row.identity.backend; })},
      {"device", 1, id, computed([](TableRow const& row) {
         return devices_of_table(row.identity.backend, row.identity.device, row.identity.table);
       })},
      {"family", 2, id, plain_field([](auto& row) -> auto& { return row.identity.table.family; })},
      {"variant", 3, id, ColumnField{[](TableRow const& row) { return row.identity.variant; }, read_variant}},
      {"operation", 4, id, plain_field([](auto& row) -> auto& { return row.operation; })},
      {"keys", 5, id, plain_field([](auto& row) -> auto& { return row.identity.keys; })},
      {"keys_checksum", 24, id, text_if_any([](auto& row) -> auto& { return row.identity.keys_checksum; })},
      {"slots", 6, id, plain_field([](auto& row) -> auto& { return row.identity.table.slots; })},
      {"asked_load", 22, id, Scaled{1.0}.of([](auto& row) -> auto& { return row.identity.asked_load; })},
      {"asked_inserts", 23, id, plain_field([](auto& row) -> auto& { return row.identity.asked_inserts; })},
      {"key_bits", 8, id, plain_field([](auto& row) -> auto& { return row.identity.table.key_bits; })},
      {"batch", 9, id, plain_field([](auto& row) -> auto& { return row.identity.batch; })},
  };
  return columns;
}

std::vector<RowColumn<TableRow>> const& table_figure_columns()
{
  using Report = ShardReport const&;
  constexpr auto figure = ColumnRole::figure;
  auto const number = [](auto value) { return value; };
  auto const live = [](TableRow const& row) {
    return row.is_filled() ? Json(row.facts_meanwhile().live_keys) : Json();
  };
  auto const read_live = [](Json const& field, TableRow& row) { return read_field(field, row.facts.live_keys); };
  static std::vector<RowColumn<TableRow>> const columns{
      {"load_factor", 7, figure, if_filled([](TableFacts const& facts) { return rounded(facts.load_factor()); })},
      {"live_keys", 21, figure, ColumnField{live, read_live}},
      {"count", 10, figure, plain_field([](auto& row) -> auto& { return row.result.count; })},
      {"median_ms", 11, figure, Scaled{1e3, 5, ran}.of([](auto& row) -> auto& { return row.result.seconds; })},
      {"spread", 12, figure, Scaled{1.0, 3, ran}.of([](auto& row) -> auto& { return row.result.spread; })},
      {"mops", 13, figure, ColumnField{rate_of, read_rate}},
      {"bytes_per_key", 14, figure, if_filled([](TableFacts const& facts) { return rounded(facts.bytes_per_key()); })},
      {"accesses_mean", 15, figure, accesses(&bench::Accesses::mean, [](double mean) { return rounded(mean); })},
      {"accesses_p99", 16, figure, accesses(&bench::Accesses::p99, number)},
      {"accesses_max", 17, figure, accesses(&bench::Accesses::max, number)},
      {"failed", 18, figure, plain_field([](auto& row) -> auto& { return row.result.failed; })},
      {"limit_mops", 19, figure, Scaled{1e-6, 5, has_limit}.of([](auto& row) -> auto& { return row.result.limit; })},
      {"percent_of_limit", 20, figure, computed(share_of_limit)},
      {"imbalance", 25, figure, of_shards([](Report report) { return report.imbalance(&ShardWork::operations); })},
      {"exchange_mb", 26, figure,
       of_shards([](Report report) { return 1e-6 * static_cast<double>(report.bytes.crossing()); })},
      {"link_mb", 27, figure,
       of_shards([](Report report) { return 1e-6 * static_cast<double>(report.bytes.busiest()); })},
      {"partition_ms", 28, figure, of_shards([](Report report) { return 1e3 * report.seconds.partition; })},
      {"exchange_ms", 29, figure, of_shards([](Report report) { return 1e3 * report.seconds.exchange; })},
      {"table_ms", 30, figure, of_shards([](Report report) { return 1e3 * report.seconds.table; })},
      {"findings", 31, figure,
       computed([](TableRow const& row) { return fmt::format("{}", fmt::join(row.findings, " ")); })},
  };
  return columns;
}

TableFacts facts_of(bench::TableBench const& table)
{
  return {table.live(), table.table().slots, table.memory_bytes()};
}

TableFacts TableRow::facts_meanwhile() const
{
  TableFacts all = facts;
  if (result.keys && is_filled()) { all.live_keys = *result.keys; }
  return all;
}

std::string devices_of_table(Backend backend, std::string const& device, TableSettings const& table)
{
  std::uint32_t const devices = std::min(device_count(backend), table.shards);
  bool const several = table.devices == ShardDevices::each && devices > 1;
  return several ? fmt::format("{} × {}", devices, device) : device;
}

std::string words_of_mix(bench::MixShares const& shares)
{
  return fmt::format("insert {:g} hit {:g} miss {:g} erase {:g}", shares.insert, shares.hit, shares.miss, shares.erase);
}

}  // namespace slotscape
