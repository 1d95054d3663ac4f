#include "app/table_scene/setup.hpp"

#include "app/keys/file_keys.hpp"
#include "app/keys/key_text.hpp"
#include "app/keys/keys_json.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/small_keys.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/probe_sequence.hpp"

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

bool read_keys_only(JsonNode const& node, FamilyInfo const& family)
{
  bool const keys_only = !node.flag();
  if (keys_only && !family.keys_alone) {
    node.fail(tr("{} cannot store keys without values; {} can", family.name, families_with_sets()));
  }
  return keys_only;
}

/// Sets the deletion that the family supports; rejects a document that says otherwise.
void fit_deletion(JsonNode const& node, TableSettings& table)
{
  FamilyInfo const& family = family_info(table.family);
  bool const is_strict = node.source().losses == nullptr;
  auto const deletion = node.find("deletion");
  if (is_strict && deletion && family.deletes_two_ways && !can_erase_by(family, table.deletion)) {
    deletion->fail(tr("{} cannot move keys back; use 'tombstone_reuse' instead", family.name));
  }
  fit_deletion(table, family);
}

/// A set always leaves reusable tombstones and has no values to combine; a document that says otherwise is rejected.
void fit_set(JsonNode const& node, TableSettings& table)
{
  if (!table.keys_only) { return; }
  bool const is_strict = node.source().losses == nullptr;
  auto const deletion = node.find("deletion");
  if (is_strict && deletion && table.deletion != Deletion::tombstone_reuse) {
    deletion->fail(
        "a key without a value leaves a tombstone when it is erased; leave this field out, or set it to "
        "'tombstone_reuse'");
  }
  auto const combine = node.find("combine");
  if (is_strict && combine && table.combine != Combine::replace) {
    combine->fail("keys without values have nothing to combine; leave this field out, or set it to 'replace'");
  }
  set_values(table, false);
}

/// If the document gives no number of slots: takes the default, or the next number that this many shards support.
void fit_slots(JsonNode const& node, TableSettings& table)
{
  if (node.find("slots")) { return; }
  table.slots = suitable_slots(slot_counts_of(family_info(table.family), table), table.slots, table.shards);
}

Setting<TableSettings> slots_setting()
{
  Setting<TableSettings> setting = whole_setting({.name = "slots",
                                                  .label = "Slots",
                                                  .what = "places for keys, or heads of chains",
                                                  .note = "some families need a power of two or a prime"},
                                                 &TableSettings::slots, min_slots, max_slots, Scale::log);
  setting.field.read = [](JsonNode const& node, TableSettings& table) { table.slots = read_slots(node, table); };
  return setting;
}

Setting<TableSettings> key_bits_setting()
{
  Setting<TableSettings> setting = listed_setting({.name = "key_bits",
                                                   .label = "Key bits",
                                                   .what = "width of keys and of values",
                                                   .hint = "Width of keys and of values; 32 is faster.",
                                                   .note = "64 where the family has it"},
                                                  &TableSettings::key_bits, key_widths);
  setting.field.read = [any = setting.field.read](JsonNode const& node, TableSettings& table) {
    FamilyInfo const& family = family_info(table.family);
    if (family.wide) { return any(node, table); }
    std::string const why = fmt::format("{} has no wider keys", family.name);
    table.key_bits = static_cast<int>(node.choice(std::span(key_widths).first(1), why));
  };
  return setting;
}

/// Whether the table is a set.
Setting<TableSettings> values_setting()
{
  return {{.name = "values",
           .label = "Values",
           .what = "whether keys have some",
           .hint = "Without values, the table is a set and takes half the memory. An erased key leaves a tombstone "
                   "that any key may replace, because there is no value to mark it as erased.",
           .note = "without, it is a [set](families.md#settings-and-parameters), where the family has them; "
                   "`deletion` and `combine` then have one choice, and values in steps are ignored"},
          {SettingRange::Kind::choice,
           0.0,
           1.0,
           Scale::linear,
           {"true", "false"},
           {translatable("yes"), translatable("no")}},
          {"values",
           [](JsonNode const& node, TableSettings& table) {
             table.keys_only = read_keys_only(node, family_info(table.family));
           },
           [](TableSettings const& table, std::filesystem::path const&) { return Json(!table.keys_only); }},
          [](TableSettings const& table) { return table.keys_only ? 1.0 : 0.0; },
          [](TableSettings& table, double value) { set_values(table, value == 0.0); }};
}

bool is_sharded(TableSettings const& table)
{
  return table.shards != 1;
}

bool has_devices(TableSettings const& table)
{
  return is_sharded(table) && table.devices == ShardDevices::each;
}

Setting<TableSettings> shards_setting()
{
  return saved_only_if(
      is_sharded,
      whole_setting(
          {.name = "shards",
           .label = "Shards",
           .what = "equal tables that share its keys and its `slots`, each for a device of its own",
           .hint =
               "Divides the table into equal shards, each on its own device. A separate hash assigns keys to shards.",
           .note = "see [tables in shards](sharded-tables.md)",
           .standard = "1"},
          &TableSettings::shards, 1, max_shards));
}

Setting<TableSettings> keys_start_setting()
{
  return saved_only_if(
      [](TableSettings const& table) { return is_sharded(table) && !has_devices(table); },
      choice_setting({.name = "keys_start",
                      .label = "Keys start",
                      .what = "of a table in shards, where the keys of a batch are before they go to their shards",
                      .hint = "Where the keys of a batch are before they go to their shards: an equal part on each "
                              "device, or all on the first one. This decides how many bytes cross each link.",
                      .standard = "`spread`"},
                     &TableSettings::keys_start, "start of keys"));
}

Setting<TableSettings> devices_setting()
{
  return saved_only_if(
      is_sharded,
      choice_setting({.name = "devices",
                      .label = "Devices",
                      .what = "whether the shards of a table are all on the first device, or each on one of its own",
                      .hint = "All shards on the first device, or each on the next one, if the program may use several "
                              "GPUs (--device 0,1). If there are fewer GPUs than shards, some shards share one. The "
                              "keys of a batch then start on the first device, and are actually sent.",
                      .note = "`slotscape --device 0,1` says which devices there are",
                      .standard = "`one`"},
                     &TableSettings::devices, "choice of devices"));
}

Setting<TableSettings> memory_setting()
{
  return saved_only_if(
      [](TableSettings const& table) { return table.memory != TableMemory::device; },
      choice_setting({.name = "memory",
                      .label = "Memory",
                      .what = "of a table on a GPU, whose memory it lies in",
                      .hint = "The GPU's own memory, or pinned memory of the host, which is larger: then each access "
                              "to a slot crosses the bus. The data for drawing the table stays on the GPU.",
                      .note = "in the host's it is used [in place](larger-than-memory.md#in-place)",
                      .standard = "`device`"},
                     &TableSettings::memory, "memory"));
}

}  // namespace

template <>
std::span<EnumName<Unlike> const> enum_names()
{
  static constexpr EnumName<Unlike> names[]{
      {Unlike::hash, "hash", "its hash"},
      {Unlike::crowded_hash, "crowded_hash", "its hash (which crowds these keys)"},
      {Unlike::probing, "probing", "its probing"},
      {Unlike::deletion, "deletion", "its deletion"},
  };
  return names;
}

Findings HandedOver::findings() const
{
  Findings all = of_keys;
  add_findings(all, of_tables);
  return all;
}

/// Valid values of the others depend on the family and the shards, which `read_table` reads first.
template <>
std::span<Setting<TableSettings> const> settings_of()
{
  using Table = TableSettings;
  static auto const settings = std::to_array<Setting<Table>>({
      {{.name = "family", .label = "Family", .what = "a [family](families.md)"},
       {},
       field("family", &Table::family, read_family, [](std::string const& name) { return name; })},
      slots_setting(),
      choice_setting(
          {.name = "deletion",
           .label = "Deletion",
           .what = "whose key may take the slot of an erased one",
           .note = "with `tombstone_reuse` the next one that comes by, as in textbooks, with `empty_value` "
                   "only the same one, with `shift` (linear probing, Robin Hood hashing) the keys behind it move back"},
          &Table::deletion, "deletion mode"),
      hash_setting({.name = "hash",
                    .label = "Hash",
                    .what = "hash of the table",
                    .hint = "Maps each key to its home slot. Murmur3 and xxHash mix all bits of a key. Fibonacci "
                            "multiply-shift and identity are weak: regular keys get regular homes.",
                    .note = "see [hash functions](hash-functions.md)"},
                   &Table::hash),
      key_bits_setting(),
      choice_setting(
          {.name = "combine",
           .label = "Repeats",
           .what = "what inserting a key that is there makes of its value",
           .hint = "How inserting a present key changes its value. To count keys, add the values: new keys of the "
                   "stream then have the value 1. Sums stop at the largest value that the table can hold. Unless "
                   "values are replaced, the inserts, finds and erases of a batch run one kind at a time."},
          &Table::combine, "way to combine values"),
      values_setting(),
      shards_setting(),
      keys_start_setting(),
      devices_setting(),
      memory_setting(),
  });
  return settings;
}

namespace {

/// The fields of a table, including the parameters of the family.
std::vector<Field<TableSettings>> fields_of_table(FamilyInfo const& family)
{
  std::vector<Field<TableSettings>> fields = fields_of_settings(settings_of<TableSettings>());
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

/// Reads the fields that decide which numbers of slots a table supports.
void read_what_slots_depend_on(JsonNode const& node, TableSettings& table)
{
  for (std::string_view const name : {"family", "shards"}) {
    if (auto const found = node.find(name)) { setting_named<TableSettings>(name).field.read(*found, table); }
  }
  for (Parameter const& parameter : family_info(table.family).parameters) {
    if (auto const given = node.find(parameter.name)) {
      set_parameter(table, parameter, given->choice(parameter.choices));
    }
  }
}

using Setup = TableSetup;

void read_drive(JsonNode const& node, Setup& set_up)
{
  DriveSettings& drive = set_up.settings.drive;
  read_fields(node, drive);
  check_shares(node, drive.insert, drive.find, drive.erase);
}

constexpr double slow_rate = 1.0;        // operations a second
constexpr std::uint64_t slow_batch = 1;  // operations per batch

/// Defaults for a document that does not say how many operations run: slow enough to follow in a small table; in a
/// larger one, a single key press must not fill or empty it.
void fit_drive(JsonNode const& node, Setup& set_up)
{
  constexpr std::uint64_t batches_a_table = 8;
  auto const given = node.find("drive");
  auto const says = [&](std::string_view name) { return given && given->find(name); };
  TableSettings const& table = set_up.settings.table;
  DriveSettings& drive = set_up.settings.drive;
  if (auto const load = given ? given->find("target_load") : std::nullopt) {
    load->number(0.0, family_info(table.family).guarantees(table).max_load);
  }
  bool const is_small = holds_small_keys(table);
  if (is_small && !says("rate")) { drive.rate = slow_rate; }
  if (says("batch")) { return; }
  drive.batch = is_small ? slow_batch : std::min(table.slots / batches_a_table, drive.batch);
}

/// Whether the keys of a step come from the stream of new keys.
bool draws_keys(Action const& step)
{
  return std::holds_alternative<BatchRequest>(step) || std::holds_alternative<FillTo>(step) ||
         std::holds_alternative<SetKeys>(step);
}

template <class Read, class Write>
Field<Setup> setup_field(std::string_view name, Read read, Write write)
{
  return {name, [=](JsonNode const& node, Setup& set_up) { read(node, set_up); },
          [=](Setup const& set_up, std::filesystem::path const& folder) -> Json { return write(set_up, folder); }};
}

Setting<Setup> table_setting()
{
  return other_setting("the table, for the scene with one [table](#table)",
                       setup_field(
                           "table",
                           [](JsonNode const& node, Setup& set_up) { set_up.settings.table = read_table(node); },
                           [](Setup const& set_up, auto const&) { return table_json(set_up.settings.table); }),
                       "as there");
}

Setting<Setup> seed_setting()
{
  return setting_of_part<Setup>(
      whole_setting({.name = "seed",
                     .what = "where all random keys come from",
                     .note = "the same seed and steps give the same keys, inserted and erased, in the window and "
                             "headless; in tables of up to 65,536 slots on a CPU, where steps run in order on one "
                             "thread, they give the same table. `repeatable` in the "
                             "[statistics](manual/table.md#statistics) says whether that is so"},
                    &TableSceneSettings::seed),
      [](auto& set_up) -> auto& { return set_up.settings; });
}

Setting<Setup> keys_setting()
{
  return other_setting("the stream of new [keys](#keys) that inserts draw from",
                       setup_field(
                           "keys",
                           [](JsonNode const& node, Setup& set_up) {
                             set_up.settings.keys = read_key_settings(node, set_up.settings.keys);
                           },
                           [](Setup const& set_up, auto const& folder) {
                             return key_settings_json(set_up.settings.keys, folder);
                           }));
}

Setting<Setup> drive_setting()
{
  return other_setting("the continuous mix and the batches of the window: [drive](#drive)",
                       setup_field("drive", read_drive, [](Setup const& set_up, auto const& folder) {
                         return object_of_fields(folder, set_up.settings.drive);
                       }));
}

Setting<Setup> view_setting()
{
  return other_setting(
      "colours, layout and camera of the slot map: [view](#view)",
      setup_field(
          "view", [](JsonNode const& node, Setup& set_up) { read_fields(node, set_up.settings.view, set_up.camera); },
          [](Setup const& set_up, auto const& folder) {
            return object_of_fields(folder, set_up.settings.view, set_up.camera);
          }));
}

/// Read last, because they depend on the other fields.
Setting<Setup> steps_setting()
{
  return saved_only_if([](Setup const& set_up) { return !set_up.steps.empty() || set_up.step_mode; },
                       other_setting("what is done to the table, in order: [steps](#steps)",
                                     setup_field(
                                         "steps", [](auto const&, auto const&) {}, steps_json)));
}

}  // namespace

template <>
std::span<Setting<TableSetup> const> settings_of()
{
  static auto const settings = std::to_array<Setting<Setup>>({
      table_setting(),
      seed_setting(),
      keys_setting(),
      drive_setting(),
      view_setting(),
      flag_setting({.name = "whole_batches",
                    .what = "each batch of the steps runs in one piece, also in the window, which otherwise runs long "
                            "ones in parts, of the same keys",
                    .note = "`true` in what `Ctrl+D` writes"},
                   &Setup::whole_batches),
      steps_setting(),
  });
  return settings;
}

namespace {

void check_fields(JsonNode const& node, bool compared)
{
  std::vector<std::string_view> names;
  add_names(fields_of<Setup>(), names);
  if (compared) { add_names(fields_of<CompareSetup>(), names); }
  node.expect_fields(names);
}

/// Whether the document gives the key width of a table.
bool says_width(JsonNode const& node)
{
  auto const says = [](JsonNode const& table) { return table.find("key_bits").has_value(); };
  auto const table = node.find("table");
  auto const tables = node.find("tables");
  bool const one = table && says(*table);
  return one || (tables && tables->is_list() && std::ranges::any_of(tables->elements(), says));
}

/// Makes tables as wide as the keys of a file, which are shown with their sign. Saved settings may say otherwise,
/// because the file may have changed since.
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
      keys.fail(tr("they need 64 bits, and {} stores 32-bit keys only; choose another family", family.name));
    }
    bool const is_fixed = says_width(node) && node.source().losses == nullptr;
    if (is_fixed) {
      keys.fail("they need 64 bits, but the table has 32-bit keys; leave out \"key_bits\", or set it to 64");
    }
    table.key_bits = bits;
  };
  widen(settings.table);
  for (TableSettings& table : compared) { widen(table); }
}

}  // namespace

std::uint64_t read_slots(JsonNode const& node, TableSettings const& table)
{
  FamilyInfo const& family = family_info(table.family);
  SlotCounts const counts = slot_counts_of(family, table);
  std::uint64_t const slots = node.whole_number(min_slots, max_slots);
  if (suits(counts, slots, table.shards)) { return slots; }
  std::string right = allowed_slot_counts(counts, slots, table.shards);
  if (is_sharded(table)) { right += fmt::format(", in {} shards", table.shards); }
  if (auto const any = choice_for_any_slots(family, table)) {
    auto const& [parameter, choice] = *any;
    right += fmt::format("; or any number, if the table has \"{}\": {}", parameter->name, parameter->choices[choice]);
    if (!parameter->choice_names.empty()) { right += fmt::format(" ({})", parameter->choice_names[choice]); }
  }
  node.fail_with_value(tr("it must be {}", right));
}

void follow_size(DriveSettings& drive, std::uint64_t slots_before, std::uint64_t slots)
{
  bool const was_small = slots_before <= max_small_key;
  bool const is_small = slots <= max_small_key;
  if (was_small == is_small) { return; }
  if (is_small) {
    drive.rate = slow_rate;
    drive.batch = slow_batch;
    drive.full_speed = false;
  } else {
    static DriveSettings const usual;
    if (drive.rate == slow_rate) { drive.rate = usual.rate; }
    if (drive.batch == slow_batch) { drive.batch = usual.batch; }
  }
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
  read_what_slots_depend_on(node, table);
  read_object<TableSettings>(node, fields_of_table(family_info(table.family)), table);
  fit_slots(node, table);
  for (std::string_view const name : {"keys_start", "devices"}) {
    auto const given = node.find(name);
    if (given && !is_sharded(table)) { given->fail("only a table in shards has this field; give \"shards\", too"); }
  }
  if (auto const start = node.find("keys_start");
      start && table.keys_start == KeysStart::spread && has_devices(table)) {
    start->fail("where each shard has a device of its own, keys start on the first one; leave this field out");
  }
  fit_set(node, table);
  fit_deletion(node, table);
  return table;
}

Json table_json(TableSettings const& table)
{
  Json json;
  write_fields<TableSettings>(json, {}, fields_of_table(family_info(table.family)), table);
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
  read_known_fields(node, fields_of<Setup>(), set_up);
  TableSceneSettings& settings = set_up.settings;
  if (!compared.empty()) { settings.table = compared.front(); }
  fit_drive(node, set_up);
  bool const may_be_small = holds_small_keys(settings.table) && !node.find("keys");
  auto const steps = node.find("steps");
  if (may_be_small && (!steps || largest_named_key(settings.view.keys_as) != 0)) {
    settings.keys = small_keys(settings.keys);
  }
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
  if (may_be_small && std::ranges::none_of(set_up.steps, draws_keys)) { settings.keys = small_keys(settings.keys); }
  return set_up;
}

Json table_setup_json(TableSetup const& set_up, std::filesystem::path const& folder)
{
  Json json;
  write_fields(json, folder, fields_of<Setup>(), set_up);
  return json;
}

}  // namespace slotscape
