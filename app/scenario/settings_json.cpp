#include "app/scenario/settings_json.hpp"

#include "app/families/parameters.hpp"
#include "app/families/slot_counts.hpp"
#include "app/scenario/json_fields.hpp"
#include "app/scenes/compare/settings.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace slotscape {

namespace {

constexpr double any_size = std::numeric_limits<double>::max();

std::string read_family(JsonNode const& node)
{
  std::vector<std::string> const families = family_names();
  std::vector<std::string_view> const names(families.begin(), families.end());
  return families[node.one_of(names, "family of tables")];
}

int read_key_bits(JsonNode const& node, FamilyInfo const& family)
{
  constexpr std::array<std::uint32_t, 2> widths{32, 64};
  if (family.wide) { return static_cast<int>(node.choice(widths)); }
  return static_cast<int>(
      node.choice(std::span(widths).first(1), fmt::format("there are no wider keys in {}", family.name)));
}

void check_some_share(JsonNode const& node, DriveSettings const& drive)
{
  if (drive.insert + drive.find + drive.erase <= 0.0) {
    node.fail("the shares insert, find and erase are all 0; at least one must be above 0");
  }
}

DriveSettings read_drive(JsonNode const& node)
{
  node.expect_fields({"running", "full_speed", "rate", "insert", "find", "erase", "find_keys", "hit_share", "hold_load",
                      "target_load", "batch", "frame_budget_ms"});
  DriveSettings drive;
  read_field(node, "running", drive.running, flag());
  read_field(node, "full_speed", drive.full_speed, flag());
  read_field(node, "rate", drive.rate, number_in(0.0, 1e12));
  read_field(node, "insert", drive.insert, number_in(0.0, 1e9));
  read_field(node, "find", drive.find, number_in(0.0, 1e9));
  read_field(node, "erase", drive.erase, number_in(0.0, 1e9));
  read_field(node, "find_keys", drive.find_keys, name_of_a<KeyChoice>("choice of keys"));
  read_field(node, "hit_share", drive.hit_share, number_in(0.0, 1.0));
  read_field(node, "hold_load", drive.hold_load, flag());
  read_field(node, "target_load", drive.target_load, number_in(0.0, most_load));
  read_field(node, "batch", drive.batch, [](JsonNode const& batch) { return batch.whole_number(1, most_operations); });
  read_field(node, "frame_budget_ms", drive.frame_budget_ms, number_in(0.1, 1000.0));
  check_some_share(node, drive);
  return drive;
}

void read_center(JsonNode const& node, ViewSettings& view)
{
  std::vector<JsonNode> const center = node.elements();
  if (center.size() != 2) { node.fail("it must be two numbers from 0 to 1: [x, y]"); }
  view.center_x = center[0].number(0.0, 1.0);
  view.center_y = center[1].number(0.0, 1.0);
}

Json drive_json(DriveSettings const& drive)
{
  Json json;
  json["running"] = drive.running;
  json["full_speed"] = drive.full_speed;
  json["rate"] = drive.rate;
  json["insert"] = drive.insert;
  json["find"] = drive.find;
  json["erase"] = drive.erase;
  json["find_keys"] = to_text(drive.find_keys);
  json["hit_share"] = drive.hit_share;
  json["hold_load"] = drive.hold_load;
  json["target_load"] = drive.target_load;
  json["batch"] = drive.batch;
  json["frame_budget_ms"] = drive.frame_budget_ms;
  return json;
}

}  // namespace

ViewSettings read_view_settings(JsonNode const& node)
{
  node.expect_fields(
      {"color_by", "layout", "reduce", "palette", "log_scale", "scale_max", "zoom", "center", "minimap"});
  ViewSettings view;
  read_field(node, "color_by", view.color_by, name_of_a<ColorBy>("way to colour"));
  read_field(node, "layout", view.layout, name_of_a<Layout>("layout"));
  read_field(node, "reduce", view.reduce, name_of_a<Reduce>("way to reduce"));
  read_field(node, "palette", view.palette, name_of_a<Palette>("palette"));
  read_field(node, "log_scale", view.log_scale, flag());
  read_field(node, "scale_max", view.scale_max, number_in(0.0, any_size));
  read_field(node, "zoom", view.zoom, [](JsonNode const& zoom) { return zoom.positive_number(); });
  if (auto const center = node.find("center")) { read_center(*center, view); }
  read_field(node, "minimap", view.show_minimap, flag());
  return view;
}

Json view_settings_json(ViewSettings const& view)
{
  Json json;
  json["color_by"] = to_text(view.color_by);
  json["layout"] = to_text(view.layout);
  json["reduce"] = to_text(view.reduce);
  json["palette"] = to_text(view.palette);
  json["log_scale"] = view.log_scale;
  json["scale_max"] = view.scale_max;
  json["zoom"] = view.zoom;
  json["center"] = {view.center_x, view.center_y};
  json["minimap"] = view.show_minimap;
  return json;
}

std::uint64_t read_slots(JsonNode const& node, FamilyInfo const& family)
{
  if (family.slot_counts == SlotCounts::power_of_two) { return node.power_of_two(min_slots, max_slots); }
  std::uint64_t const slots = node.whole_number(min_slots, max_slots);
  if (!suits(family.slot_counts, slots)) {
    node.fail_with_value("it must be " + what_suits(family.slot_counts, slots));
  }
  return slots;
}

TableSettings read_table(JsonNode const& node)
{
  std::vector<std::string_view> fields{"family", "slots", "deletion", "hash", "key_bits"};
  TableSettings table;
  if (node.is_object()) { read_field(node, "family", table.family, read_family); }
  FamilyInfo const& family = family_info(table.family);
  for (Parameter const& parameter : family.parameters) { fields.push_back(parameter.name); }
  node.expect_fields(fields);
  read_field(node, "slots", table.slots, [&](JsonNode const& slots) { return read_slots(slots, family); });
  read_field(node, "deletion", table.deletion, name_of_a<Deletion>("way to delete"));
  read_field(node, "hash", table.hash, name_of_a<HashKind>("hash"));
  read_field(node, "key_bits", table.key_bits, [&](JsonNode const& bits) { return read_key_bits(bits, family); });
  for (Parameter const& parameter : family.parameters) {
    if (auto const value = node.find(parameter.name)) {
      set_parameter(table, parameter, value->choice(parameter.choices));
    }
  }
  return table;
}

Json table_json(TableSettings const& table)
{
  FamilyInfo const& family = family_info(table.family);
  Json json;
  json["family"] = table.family;
  json["slots"] = table.slots;
  json["deletion"] = to_text(table.deletion);
  json["hash"] = to_text(table.hash);
  json["key_bits"] = table.key_bits;
  for (Parameter const& parameter : family.parameters) {
    json[std::string(parameter.name)] = parameter_of(family, table, parameter.name);
  }
  return json;
}

SlotsSettings read_slots_settings(JsonNode const& root, KeyFiles& files)
{
  SlotsSettings settings;
  read_field(root, "table", settings.table, read_table);
  read_field(root, "seed", settings.seed,
             [](JsonNode const& seed) { return seed.whole_number(0, std::numeric_limits<std::uint64_t>::max()); });
  read_field(root, "keys", settings.keys,
             [&](JsonNode const& keys) { return read_key_settings(keys, settings.keys, files); });
  read_field(root, "drive", settings.drive, read_drive);
  read_field(root, "view", settings.view, read_view_settings);
  return settings;
}

std::vector<TableSettings> read_tables(JsonNode const& root)
{
  std::vector<TableSettings> tables;
  auto const list = root.find("tables");
  if (!list) { return tables; }
  if (root.find("table")) { list->fail("there is a 'table', too; a scenario has one 'table', or 'tables' to compare"); }
  for (JsonNode const& table : list->elements()) { tables.push_back(read_table(table)); }
  if (tables.size() < fewest_compared || tables.size() > most_compared) {
    list->fail(fmt::format("it must be a list of {} to {} tables to compare, not {}", fewest_compared, most_compared,
                           tables.size()));
  }
  auto const other_width = std::ranges::find_if(tables, [&](TableSettings const& table) {
    return table.key_bits != tables.front().key_bits;
  });
  if (other_width != tables.end()) {
    list->fail("the tables have different 'key_bits', so they could not hold the same keys; give all of them the same");
  }
  return tables;
}

void write_tables(Json& root, std::vector<TableSettings> const& tables)
{
  root["tables"] = Json::array();
  for (TableSettings const& table : tables) { root["tables"].push_back(table_json(table)); }
}

void write_slots_settings(Json& root, SlotsSettings const& settings, std::filesystem::path const& folder)
{
  root["table"] = table_json(settings.table);
  root["seed"] = settings.seed;
  root["keys"] = key_settings_json(settings.keys, folder);
  root["drive"] = drive_json(settings.drive);
  root["view"] = view_settings_json(settings.view);
}

}  // namespace slotscape
