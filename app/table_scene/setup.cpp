#include "app/table_scene/setup.hpp"

#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_map/key_text.hpp"
#include "app/table_scene/key_settings.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

std::string read_family(JsonNode const& node)
{
  std::vector<std::string> const families = family_names();
  std::vector<std::string_view> const names(families.begin(), families.end());
  return families[node.one_of(names, "table family")];
}

int read_key_bits(JsonNode const& node, FamilyInfo const& family)
{
  constexpr std::array<std::uint32_t, 2> widths{32, 64};
  if (family.wide) { return static_cast<int>(node.choice(widths)); }
  return static_cast<int>(node.choice(std::span(widths).first(1), fmt::format("{} has no wider keys", family.name)));
}

bool read_keys_only(JsonNode const& node, FamilyInfo const& family)
{
  bool const keys_only = !node.flag();
  if (keys_only && !family.keys_alone) {
    node.fail(
        fmt::format("{} stores keys with values only; keys alone are stored by {}", family.name, families_with_sets()));
  }
  return keys_only;
}

/// A set erases in one way, and combines nothing: what the document says otherwise is refused.
void fit_set(JsonNode const& node, TableSettings& table)
{
  if (!table.keys_only) { return; }
  bool const is_strict = node.source().losses == nullptr;
  auto const deletion = node.find("deletion");
  if (is_strict && deletion && table.deletion != Deletion::tombstone_reuse) {
    deletion->fail(
        "a key without a value leaves a tombstone when it is erased; leave it out, or make it 'tombstone_reuse'");
  }
  auto const combine = node.find("combine");
  if (is_strict && combine && table.combine != Combine::replace) {
    combine->fail("keys without values have none to combine; leave it out, or make it 'replace'");
  }
  set_values(table, false);
}

std::uint32_t read_shards(JsonNode const& node)
{
  return static_cast<std::uint32_t>(node.whole_number(1, max_shards));
}

/// Without a number of slots, the usual one, or the next one that so many shards can have.
void fit_slots(JsonNode const& node, TableSettings& table)
{
  if (node.find("slots")) { return; }
  table.slots = suitable_slots(family_info(table.family).slot_counts, table.slots, table.shards);
}

/// The fields of every family. The valid values of `slots` and `key_bits` depend on it, and on the number of shards.
std::vector<Field<TableSettings>> common_fields(FamilyInfo const& family, std::uint32_t shards)
{
  using Table = TableSettings;
  auto const same = [](auto value) { return value; };
  return {
      field("family", &Table::family, read_family, [](std::string const& name) { return name; }),
      field(
          "slots", &Table::slots, [&family, shards](JsonNode const& node) { return read_slots(node, family, shards); },
          same),
      choice("deletion", &Table::deletion, "deletion mode"),
      choice("hash", &Table::hash, "hash"),
      field(
          "key_bits", &Table::key_bits, [&](JsonNode const& node) { return read_key_bits(node, family); }, same),
      choice("combine", &Table::combine, "way to combine values"),
      field(
          "values", &Table::keys_only, [&](JsonNode const& node) { return read_keys_only(node, family); },
          [](bool keys_only) { return !keys_only; }),
      {"shards", [](JsonNode const& node, Table& table) { table.shards = read_shards(node); },
       [](Table const& table, auto const&) { return table.shards == 1 ? Json() : Json(table.shards); }},
      {"keys_start",
       [](JsonNode const& node, Table& table) { table.keys_start = node.one_of<KeysStart>("start of keys"); },
       [](Table const& table, auto const&) { return table.shards == 1 ? Json() : Json(to_text(table.keys_start)); }},
  };
}

std::vector<Field<TableSettings>> fields_of_table(FamilyInfo const& family, std::uint32_t shards)
{
  std::vector<Field<TableSettings>> fields = common_fields(family, shards);
  for (Parameter const& parameter : family.parameters) {
    fields.push_back({parameter.name,
                      [&](JsonNode const& node, TableSettings& table) {
                        set_parameter(table, parameter, node.choice(parameter.choices));
                      },
                      [&](TableSettings const& table, std::filesystem::path const&) -> Json {
                        return parameter_of(family, table, parameter.name);
                      }});
  }
  return fields;
}

using Setup = TableSetup;

void read_drive(JsonNode const& node, Setup& set_up)
{
  DriveSettings& drive = set_up.settings.drive;
  read_fields(node, drive);
  check_shares(node, drive.insert, drive.find, drive.erase);
}

/// Where the document does not say how large a batch is, one press of a key does not fill or empty the table.
void fit_batch(JsonNode const& node, Setup& set_up)
{
  constexpr std::uint64_t batches_a_table = 8;
  auto const drive = node.find("drive");
  if (drive && drive->find("batch")) { return; }
  std::uint64_t& batch = set_up.settings.drive.batch;
  batch = std::clamp<std::uint64_t>(set_up.settings.table.slots / batches_a_table, 1, batch);
}

/// Turns `write` into a `Field::write`.
auto write_by(auto write)
{
  return [=](Setup const& set_up, std::filesystem::path const& folder) -> Json { return write(set_up, folder); };
}

std::span<Field<Setup> const> setup_fields()
{
  static auto const fields = std::to_array<Field<Setup>>({
      {"table", [](JsonNode const& node, Setup& set_up) { set_up.settings.table = read_table(node); },
       write_by([](Setup const& set_up, auto const&) { return table_json(set_up.settings.table); })},
      {"seed", [](JsonNode const& node, Setup& set_up) { set_up.settings.seed = node.whole_number(); },
       write_by([](Setup const& set_up, auto const&) { return set_up.settings.seed; })},
      {"keys",
       [](JsonNode const& node, Setup& set_up) {
         set_up.settings.keys = read_key_settings(node, set_up.settings.keys);
       },
       write_by(
           [](Setup const& set_up, auto const& folder) { return key_settings_json(set_up.settings.keys, folder); })},
      {"drive", read_drive, write_by([](Setup const& set_up, auto const& folder) {
         return object_of_fields(folder, set_up.settings.drive);
       })},
      {"view", [](JsonNode const& node, Setup& set_up) { read_fields(node, set_up.settings.view, set_up.camera); },
       write_by([](Setup const& set_up, auto const& folder) {
         return object_of_fields(folder, set_up.settings.view, set_up.camera);
       })},
      flag("whole_batches", &Setup::whole_batches),
      {"steps", [](JsonNode const&, Setup&) {},  // read last, because they depend on the other fields
       write_by([](Setup const& set_up, auto const& folder) {
         return set_up.steps.empty() && !set_up.step_mode ? Json() : steps_json(set_up, folder);
       })},
  });
  return fields;
}

void check_fields(JsonNode const& node, bool compared)
{
  std::vector<std::string_view> names;
  add_names(setup_fields(), names);
  if (compared) { names.push_back("tables"); }
  node.expect_fields(names);
}

/// Whether the document says how wide the keys of a table are.
bool says_width(JsonNode const& node)
{
  auto const says = [](JsonNode const& table) { return table.find("key_bits").has_value(); };
  auto const table = node.find("table");
  auto const tables = node.find("tables");
  bool const one = table && says(*table);
  return one || (tables && tables->is_list() && std::ranges::any_of(tables->elements(), says));
}

/// Tables as wide as the keys of a file, which are shown with their sign. Settings that were saved may say otherwise:
/// by now, the file may be another one.
void fit_keys(JsonNode const& node, Setup& set_up, std::span<TableSettings> compared)
{
  TableSceneSettings& settings = set_up.settings;
  auto const view = node.find("view");
  bool const says_style = view && view->find("keys_as");
  if (notes_of(settings.keys).with_sign && !says_style) { settings.view.keys_as = KeyStyle::with_sign; }
  int const bits = key_bits_for(settings.keys);
  JsonNode const keys = node.find("keys").value_or(node);
  auto const widen = [&](TableSettings& table) {
    if (table.key_bits >= bits) { return; }
    FamilyInfo const& family = family_info(table.family);
    if (!family.wide) {
      keys.fail(fmt::format("they need 64 bits, and {} stores 32-bit keys only; choose another family", family.name));
    }
    bool const is_fixed = says_width(node) && node.source().losses == nullptr;
    if (is_fixed) {
      keys.fail("they need 64 bits, and the table has 32-bit keys; leave out \"key_bits\", or make it 64");
    }
    table.key_bits = bits;
  };
  widen(settings.table);
  for (TableSettings& table : compared) { widen(table); }
}

}  // namespace

std::uint64_t read_slots(JsonNode const& node, FamilyInfo const& family, std::uint32_t shards)
{
  std::uint64_t const slots = node.whole_number(min_slots, max_slots);
  if (!suits(family.slot_counts, slots, shards)) {
    std::string const in_shards = shards == 1 ? "" : fmt::format(", in {} shards", shards);
    node.fail_with_value(
        fmt::format("it must be {}{}", allowed_slot_counts(family.slot_counts, slots, shards), in_shards));
  }
  return slots;
}

TableSettings usual_table()
{
  TableSettings table;
  table.deletion = Deletion::tombstone_reuse;
  return table;
}

TableSettings read_table(JsonNode const& node)
{
  TableSettings table = usual_table();
  auto const family = node.find("family");
  std::string const name = family ? read_family(*family) : table.family;
  auto const shards = node.find("shards");
  read_object<TableSettings>(node, fields_of_table(family_info(name), shards ? read_shards(*shards) : 1), table);
  fit_slots(node, table);
  if (auto const start = node.find("keys_start"); start && table.shards == 1) {
    start->fail("only a table in shards has it; give \"shards\", too");
  }
  fit_set(node, table);
  return table;
}

Json table_json(TableSettings const& table)
{
  Json json;
  write_fields<TableSettings>(json, {}, fields_of_table(family_info(table.family), table.shards), table);
  return json;
}

bool alike(TableSetup const& left, TableSetup const& right)
{
  return left.settings == right.settings && left.steps == right.steps && left.step_mode == right.step_mode;
}

TableSetup read_table_setup(JsonNode const& node, std::span<TableSettings> compared)
{
  check_fields(node, !compared.empty());
  TableSetup set_up;
  set_up.settings.table = usual_table();
  read_known_fields(node, setup_fields(), set_up);
  TableSceneSettings& settings = set_up.settings;
  if (!compared.empty()) { settings.table = compared.front(); }
  fit_batch(node, set_up);
  if (max_spoken_key(settings.view.keys_as) != 0 && holds_small_keys(settings.table) && !node.find("keys")) {
    settings.keys = small_keys(settings.keys);
  }
  auto const steps = node.find("steps");
  if (!steps) {
    fit_keys(node, set_up, compared);
    return set_up;
  }
  KeySettings const base = settings.keys;
  if (!node.find("keys")) { settings.keys = first_insert_keys(*steps).value_or(base); }
  fit_keys(node, set_up, compared);
  int key_bits = settings.table.key_bits;
  for (TableSettings const& table : compared) { key_bits = std::min(key_bits, table.key_bits); }
  set_up.steps = read_steps(*steps, settings, base, key_bits);
  set_up.step_mode = read_step_mode(*steps, key_bits);
  return set_up;
}

Json table_setup_json(TableSetup const& set_up, std::filesystem::path const& folder)
{
  Json json;
  write_fields(json, folder, setup_fields(), set_up);
  return json;
}

}  // namespace slotscape
