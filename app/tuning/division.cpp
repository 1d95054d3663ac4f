#include "app/tuning/division.hpp"

#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

using tuning::Division;

std::vector<std::uint32_t> shards_of_node(JsonNode const& node)
{
  std::vector<std::uint32_t> shards;
  for (JsonNode const& each : node.is_list() ? node.elements() : std::vector{node}) {
    shards.push_back(static_cast<std::uint32_t>(each.whole_number(1, max_shards)));
  }
  if (shards.empty()) { node.fail("it needs at least one number of shards, such as [1, 2]"); }
  return tuning::in_order(std::move(shards));
}

Setting<Division> shards_of_division()
{
  Setting<Division> setting{
      {.name = "shards",
       .label = "Shards",
       .what = "into how many shards tables may be divided",
       .argument = "LIST",
       .hint = "Tables in one piece (1) and tables divided into this many shards are measured side by side, and the "
               "answer says whether dividing pays off.",
       .note = "one number, or several, such as `[1, 2]`, from 1, in one piece, to 16. Then the answer says whether "
               "[dividing](../sharded-tables.md) pays",
       .standard = "`[1]`"},
      {},
      field("shards", &Division::shards, shards_of_node,
            [](std::vector<std::uint32_t> const& shards) { return shards; })};
  setting.type = [](std::string_view option, std::string const& typed, Division& division) {
    division.shards = tuning::in_order(read_list(option, typed, division.shards, [&](std::string const& word) {
      return static_cast<std::uint32_t>(read_count(option, word, 1, max_shards));
    }));
  };
  return saved_only_if([](Division const& division) { return division.divides(); }, setting);
}

Setting<Division> devices_of_division()
{
  return saved_only_if(
      [](Division const& division) { return division.devices != ShardDevices::one; },
      choice_setting({.name = "devices",
                      .label = "Devices",
                      .what = "where shards are",
                      .argument = "WHERE",
                      .hint = "All shards on the first device, or each on the next one, if the program may use several "
                              "GPUs (--device 0,1). If there are fewer GPUs than shards, some shards share one.",
                      .note = "all on `one` device, or `each` on one of its own, of those that `--device` names",
                      .standard = "`one`"},
                     &Division::devices, "choice of devices"));
}

Setting<Division> keys_start_of_division()
{
  Setting<Division> setting =
      choice_setting({.name = "keys_start",
                      .label = "Keys start",
                      .what = "where the keys of a batch are before they go to their shards",
                      .argument = "WHERE",
                      .hint = "Where the keys of a batch are before they go to their shards: an equal part on each "
                              "device, or all on the first one. This decides how many bytes cross each link.",
                      .note =
                          "counted, not sent: where each shard has a device of its own, keys start on the first one",
                      .standard = "`spread`"},
                     &Division::keys_start, "start of keys");
  setting.field.read = [read = setting.field.read](JsonNode const& node, Division& division) {
    read(node, division);
    if (division.devices == ShardDevices::one) { return; }
    if (division.keys_start == KeysStart::spread) {
      node.fail("where each shard has a device of its own, keys start on the first one; leave this field out");
    }
    division.keys_start = {};
  };
  return saved_only_if([](Division const& division) { return division.keys_start != KeysStart::spread; }, setting);
}

}  // namespace

template <>
std::span<Setting<Division> const> settings_of()
{
  static auto const settings = std::to_array({shards_of_division(), devices_of_division(), keys_start_of_division()});
  return settings;
}

}  // namespace slotscape

namespace slotscape::tuning {

TableSettings Division::divided(TableSettings table, std::uint32_t count) const
{
  table.shards = count;
  table.devices = count == 1 ? ShardDevices::one : devices;
  table.keys_start = count == 1 || devices == ShardDevices::each ? KeysStart::spread : keys_start;
  return table;
}

bool Division::has(TableSettings const& table) const
{
  return std::ranges::find(shards, table.shards) != shards.end() && divided(table, table.shards) == table;
}

Division over_devices(Division division, std::uint32_t devices)
{
  if (!division.divides()) { division.shards = in_order({1, std::min(devices, max_shards)}); }
  division.devices = ShardDevices::each;
  division.keys_start = {};
  return division;
}

std::vector<std::uint32_t> in_order(std::vector<std::uint32_t> shards)
{
  std::ranges::sort(shards);
  shards.erase(std::unique(shards.begin(), shards.end()), shards.end());
  return shards;
}

std::string pieces_text(std::uint32_t shards)
{
  return shards == 1 ? std::string(tr("in one piece")) : tr("in {} shards", shards);
}

std::string text_of(Division const& division)
{
  if (!division.divides()) { return ""; }
  std::vector<std::string> counts;
  for (std::uint32_t const count : division.shards) {
    counts.push_back(count == 1 ? std::string("one piece") : fmt::format("{} shards", count));
  }
  bool const each = division.devices == ShardDevices::each;
  return fmt::format("in {}{}", listed(counts), each ? ", each on a device of its own" : "");
}

void validate(Division const& division)
{
  Division const usual{.shards = division.shards};
  if (!division.divides() && division != usual) {
    throw Error(tr("'devices' and 'keys_start' apply only to shards: add 'shards', for example [1, 2]."));
  }
  if (division.devices == ShardDevices::each && division.keys_start != KeysStart::spread) {
    throw Error(tr("Where each shard has a device of its own, keys start on the first one: leave 'keys_start' out."));
  }
}

}  // namespace slotscape::tuning
