#include "app/table_scene/formats.hpp"

#include "app/keys/keys_json.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/compared.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <algorithm>

namespace slotscape {
namespace {

/// Puts shards on separate devices: one per device, unless the table already has shards.
void spread_over(TableSettings& table, std::vector<int> const& devices)
{
  if (table.shards == 1) { table.shards = std::min(static_cast<std::uint32_t>(devices.size()), max_shards); }
  table.devices = ShardDevices::each;
  table.keys_start = {};
  table.slots = suitable_slots(slot_counts_of(family_info(table.family), table), table.slots, table.shards);
}

/// The part that both formats share; `table` returns the `TableSetup` of a set-up.
SceneEntry format_of(std::string_view name, TableSetup& (*table)(SceneSetup&))
{
  SceneEntry entry;
  entry.name = name;
  entry.check_steps = [table](JsonNode const& steps, SceneSetup set_up) {
    check_steps_of_lesson(steps, table(set_up).settings);
  };
  entry.write_beside = [table](SceneSetup& set_up, std::filesystem::path const& scenario) {
    return write_pairs_beside(table(set_up).steps, scenario);
  };
  entry.set_seed = [table](SceneSetup& set_up, std::uint64_t seed) { table(set_up).settings.seed = seed; };
  return entry;
}

}  // namespace

SceneEntry table_format()
{
  SceneEntry entry =
      format_of("slots", [](SceneSetup& set_up) -> TableSetup& { return std::any_cast<TableSetup&>(set_up); });
  entry.read = [](JsonNode const& node) { return SceneSetup(read_table_setup(node)); };
  entry.reference = [] { return rows_of<TableSetup>(); };
  entry.write = [](SceneSetup const& set_up, std::filesystem::path const& folder) {
    return table_setup_json(std::any_cast<TableSetup const&>(set_up), folder);
  };
  entry.use_devices = [](SceneSetup& set_up, std::vector<int> const& devices) {
    spread_over(std::any_cast<TableSetup&>(set_up).settings.table, devices);
  };
  entry.claims = [](JsonNode const& root) { return !root.find("tables"); };
  entry.settings_at_root = true;
  return entry;
}

SceneEntry compared_format()
{
  SceneEntry entry = format_of("compare", [](SceneSetup& set_up) -> TableSetup& {
    return std::any_cast<CompareSetup&>(set_up).shared;
  });
  entry.read = [](JsonNode const& node) { return SceneSetup(read_compare_setup(node)); };
  entry.reference = [] { return rows_of<CompareSetup>(); };
  entry.write = [](SceneSetup const& set_up, std::filesystem::path const& folder) {
    return compare_setup_json(std::any_cast<CompareSetup const&>(set_up), folder);
  };
  entry.use_devices = [](SceneSetup& set_up, std::vector<int> const& devices) {
    for (TableSettings& table : std::any_cast<CompareSetup&>(set_up).tables) { spread_over(table, devices); }
  };
  entry.claims = [](JsonNode const& root) { return root.find("tables").has_value(); };
  return entry;
}

}  // namespace slotscape
