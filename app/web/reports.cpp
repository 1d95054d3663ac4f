#include "app/web/reports.hpp"

#include "app/base/text.hpp"
#include "app/lessons/expression.hpp"
#include "app/lessons/markdown.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_map/shown_color.hpp"
#include "app/table_map/step/words.hpp"
#include "app/table_scene/report.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace slotscape::web {
namespace {

constexpr std::string_view unbroken_space = "\u00a0";
constexpr std::array<std::string_view, 4> style_names{"plain", "strong", "emphasis", "code"};
constexpr std::array<std::string_view, 4> state_names{"empty", "live", "erased", "link"};

std::string hex(Color const& color)
{
  auto const channel = [](float share) { return static_cast<int>(std::lround(share * 255.0f)); };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(color.red), channel(color.green), channel(color.blue));
}

std::string number_text(double number)
{
  return lessons::to_text(lessons::Quantity(number));
}

/// The value that colours a slot, if the view shows one; a tombstone only has that of its cluster.
std::optional<double> coloring_value(Engine& table, ViewSettings const& view, SlotInfo const& slot)
{
  bool const by_cluster = view.color_by == ColorBy::cluster_length && table.family().clusters;
  bool const is_live = slot.state == SlotState::live;
  bool const has_value = is_live || (by_cluster && slot.state == SlotState::tombstone);
  if (!has_value || view.color_by == ColorBy::state || view.color_by == ColorBy::recent) { return std::nullopt; }
  if (by_cluster) { return static_cast<double>(table.cluster(slot.slot).length); }
  bool const by_chain =
      view.color_by == ColorBy::chain_length && has_color(view.color_by, table.family(), table.table());
  return by_chain ? slot.chain_length : slot.probe_length;
}

std::string_view state_of(Engine& table, SlotInfo const& slot)
{
  bool const is_reserved = slot.state == SlotState::tombstone && !slot.has_key && !table.family().moves.name.empty() &&
                           guarantees_of(table.family(), table.table()).erase_frees_slot;
  return is_reserved ? "reserved" : state_names[static_cast<std::size_t>(slot.state)];
}

/// `has_values`: whether to include the values of keys.
Json cell_json(Engine& table, ViewSettings const& view, Statistics const& statistics, SlotInfo const& slot,
               bool has_values)
{
  SlotArrays const arrays = SlotArrays::of(table.table());
  Json cell{{"slot", slot.slot}, {"number", arrays.number(slot.slot)}, {"state", state_of(table, slot)}};
  if (slot.has_key) {
    cell["key"] = key_text(slot.pair.key, view.keys_as);
    cell["home"] = arrays.number(slot.home);
    cell["measure"] = arrays.slots_each() == 0 ? Json(slot.probe_length) : Json(arrays.measured(slot.probe_length));
    if (has_values && slot.state == SlotState::live) { cell["value"] = std::to_string(slot.pair.value); }
  }
  if (auto const value = coloring_value(table, view, slot)) {
    Color const color = palette_color(view.palette, scale_share(view, statistics, table.family().measure.name, *value));
    cell["fill"] = hex(color);
    cell["ink"] = takes_dark_ink(color) ? "#000000" : "#ffffff";
  }
  return cell;
}

std::vector<SlotInfo> all_slots(Engine& table)
{
  std::vector<Slot> numbers(table.places());
  std::iota(numbers.begin(), numbers.end(), Slot{0});
  return table.slots(numbers);
}

Json cells_json(PageTables& tables, std::size_t index, Statistics const& statistics)
{
  Engine& table = tables.engine(index);
  Json cells = Json::array();
  auto const& players = tables.players();
  ViewSettings const& view = tables.settings().view;
  std::vector<SlotInfo> slots = all_slots(table);
  if (!players.empty()) {
    std::ranges::transform(slots, slots.begin(), [&](SlotInfo const& slot) { return players[index].overlaid(slot); });
  }
  auto const is_of_interest = [](SlotInfo const& slot) { return slot.has_key && slot.pair.value != 0; };
  bool const has_values = view.write_values && !table.table().keys_only && std::ranges::any_of(slots, is_of_interest);
  for (SlotInfo const& slot : slots) { cells.push_back(cell_json(table, view, statistics, slot, has_values)); }
  return cells;
}

Json parts_json(TableSettings const& table)
{
  Json parts = Json::array();
  SlotArrays const arrays = SlotArrays::of(table);
  for (TablePart const& part : parts_of(table)) {
    Slot const array = arrays.slots_each() == 0 ? 0 : part.first / arrays.slots_each();
    std::string const title = arrays.slots_each() == 0 ? part.name : part.name + ": " + arrays.function(array);
    parts.push_back({{"name", part.name}, {"title", title}, {"first", part.first}, {"slots", part.slots}});
  }
  return parts;
}

/// The colour of a cell of a large table, computed as in shaders/slot_map.frag.
Color texel_color(Texel const& texel, ViewSettings const& view, Statistics const& statistics, std::string_view measure)
{
  constexpr Color empty = color_of(0xe2e7ed);
  constexpr Color live = color_of(0x155fa0);
  constexpr Color tombstone = color_of(0xb05a00);
  constexpr float full = 65535.0f;
  float const of_live = static_cast<float>(texel.shares & 0xffffu) / full;
  float const of_tombstones = static_cast<float>(texel.shares >> 16) / full;
  auto const mixed = [](Color const& from, Color const& to, float share) {
    return Color{std::lerp(from.red, to.red, share), std::lerp(from.green, to.green, share),
                 std::lerp(from.blue, to.blue, share)};
  };
  if (view.color_by == ColorBy::state || view.color_by == ColorBy::recent) {
    float const rest = std::max(1.0f - of_live, 0.001f);
    return mixed(mixed(empty, tombstone, std::min(of_tombstones / rest, 1.0f)), live, of_live);
  }
  if (texel.value >= 0.0f) { return palette_color(view.palette, scale_share(view, statistics, measure, texel.value)); }
  return mixed(empty, tombstone, tombstone_strength * of_tombstones);
}

Json picture_json(Engine& table, ViewSettings const& view, Statistics const& statistics)
{
  constexpr std::uint32_t widest = 64;
  Grid const grid = Grid::of(table.places(), view.layout);
  PictureRequest request{.layout = view.layout, .color_by = view.color_by, .reduce = view.reduce};
  if (!has_color(request.color_by, table.family(), table.table())) { request.color_by = ColorBy::probe_length; }
  while (grid.columns >> request.level > widest) { ++request.level; }
  std::uint32_t const side = 1u << request.level;
  request.width = (grid.columns + side - 1) / side;
  request.height = (grid.rows + side - 1) / side;
  std::vector<Texel> texels(request.texels());
  table.analyse(request, {texels.data(), texels.size()});
  Json rows = Json::array();
  for (std::uint32_t y = 0; y < request.height; ++y) {
    Json row = Json::array();
    for (std::uint32_t x = 0; x < request.width; ++x) {
      Texel const& texel = texels[y * request.width + x];
      row.push_back(texel.slots == 0 ? "" : hex(texel_color(texel, view, statistics, table.family().measure.name)));
    }
    rows.push_back(std::move(row));
  }
  return {{"slots_per_cell", std::uint64_t{side} * side}, {"rows", std::move(rows)}};
}

Json numbers_json(Engine& table, Statistics const& now)
{
  FamilyInfo const& family = table.family();
  Json numbers = Json::array();
  auto const add = [&](std::string_view name, std::string const& value) { numbers.push_back({name, value}); };
  add(tr("Slots"), grouped(now.slots));
  add(tr("Keys"), grouped(now.live));
  add(tr("Load factor"), number_text(now.load_factor()));
  if (now.tombstones != 0) { add(tr("Tombstones"), grouped(now.tombstones)); }
  if (now.live != 0) {
    add(tr("{}, mean", translated(family.measure.name)), number_text(now.probe_length.mean));
    add(tr("{}, max", translated(family.measure.name)), grouped(now.probe_length.max));
    add(tr("Accesses of a hit, mean"), number_text(now.hit_accesses.mean));
  }
  if (now.miss_accesses.count != 0) {
    add(tr("Accesses of a miss, mean"), std::string(mark_of_misses(now)) + number_text(now.miss_accesses.mean));
  }
  if (family.clusters && now.live != 0) { add(tr("Longest cluster"), grouped(now.clusters.max)); }
  return numbers;
}

Json code_json(StepPlayer const& player, std::vector<CodeLine> const& code)
{
  Json lines = Json::array();
  std::string_view const lit = line_of(player, code);
  for (std::size_t i = 0; i < code.size(); ++i) {
    CodeLine const& line = code[i];
    lines.push_back({{"indent", line.indent},
                     {"text", i == 0 ? signature_of(player) : line.text},
                     {"lit", !line.label.empty() && line.label == lit}});
  }
  return lines;
}

Json slots_json(Step const* step)
{
  Json slots = Json::array();
  for (SlotInfo const& slot : step == nullptr ? std::vector<SlotInfo>() : step->seen) { slots.push_back(slot.slot); }
  return slots;
}

/// The slots of all steps before the current one.
Json path_json(StepPlayer const& player)
{
  Json path = Json::array();
  for (std::size_t i = 0; i + 1 < player.position(); ++i) {
    for (SlotInfo const& slot : player.trace().steps[i].seen) { path.push_back(slot.slot); }
  }
  return path;
}

template <class Value>
Json setting_json(std::string_view name, std::string_view title, Value const& value)
{
  return {{"name", name}, {"title", translated(title)}, {"value", value}, {"choices", Json::array()}};
}

template <class Enum>
Json enum_setting(std::string_view name, std::string_view title, Enum value)
{
  Json setting = setting_json(name, title, to_text(value));
  for (EnumName<Enum> const& each : enum_names<Enum>()) {
    setting["choices"].push_back({to_text(each.value), translated(to_label(each.value))});
  }
  return setting;
}

/// The hashes that are compiled in, and the one in use.
Json shown_hash(HashChoice const& hash)
{
  Json setting = setting_json("hash", translatable("Hash"), to_text(hash));
  for (HashKind const kind : compiled_in_hashes) {
    setting["choices"].push_back({to_text(kind), translated(to_label(kind))});
  }
  if (!hash.is_compiled_in()) { setting["choices"].push_back({to_text(hash), words_of(hash)}); }
  return setting;
}

}  // namespace

Json text_json(std::string_view markdown)
{
  Json blocks = Json::array();
  for (lessons::RichText::Block const& block : lessons::parse_rich_text(markdown).blocks) {
    Json spans = Json::array();
    for (std::size_t i = 0; i < block.words.size(); ++i) {
      lessons::RichText::Word const& word = block.words[i];
      std::string_view const style = style_names[static_cast<std::size_t>(word.style)];
      bool const spaced = i != 0 && word.after_space;
      bool const keeps = spaced && lessons::in_one_formula(block.words[i - 1], word);
      std::string const text = fmt::format("{}{}", !spaced ? "" : keeps ? unbroken_space : " ", word.text);
      if (!spans.empty() && spans.back()[0] == style) {
        spans.back()[1] = spans.back()[1].get<std::string>() + text;
      } else {
        spans.push_back({style, text});
      }
    }
    blocks.push_back({{"item", block.is_item}, {"spans", std::move(spans)}});
  }
  return blocks;
}

Json shown_table(PageTables& tables, std::size_t index)
{
  Engine& table = tables.engine(index);
  ViewSettings const& view = tables.settings().view;
  Statistics const statistics = table.statistics();
  FamilyInfo const& family = table.family();
  Json json{{"title", translated(family.title)}, {"slots", table.table().slots}};
  if (tables.count() > 1) { json["distinction"] = distinction_of(index, tables.tables()); }
  json["measure"] = translated(family.measure.name);
  json["is_distance"] = family.measure.name == FamilyInfo{}.measure.name;
  json["unit"] = translated(family.measure.unit);
  json["writes_homes"] = view.write_homes;
  json["writes_measures"] = view.write_measures;
  json["numbers"] = numbers_json(table, statistics);
  if (table.places() <= max_shown_slots) {
    json["cells"] = cells_json(tables, index, statistics);
    json["parts"] = parts_json(table.table());
  } else {
    json["picture"] = picture_json(table, view, statistics);
  }
  json["steps"] = shown_steps(tables, index);
  return json;
}

Json shown_steps(PageTables& tables, std::size_t index)
{
  if (tables.players().empty()) { return nullptr; }
  StepPlayer const& player = tables.players()[index];
  FamilyInfo const& family = tables.engine(index).family();
  Step const* const present = player.present();
  Json json{{"title", title_of(player)}, {"position", player.position()}, {"count", player.count()}};
  json["kind"] = present == nullptr ? "" : kind_of(*present, player.plain());
  json["text"] = present == nullptr ? title_of(player) : text_of(*present, true);
  json["summary"] = player.at_end() ? player.summary() : "";
  json["costs"] = costs_of(player, family.measure);
  std::vector<CodeLine> const code =
      pseudocode_of(tables.engine(index).table(), player.trace().operation, code_style(tables.settings().view));
  json["variables"] = variables_of(player, code);
  json["seen"] = slots_json(present);
  json["path"] = path_json(player);
  if (present != nullptr && present->after) { json["written"] = present->after->slot; }
  if (present != nullptr && present->moved_from) { json["moved_from"] = *present->moved_from; }
  json["code"] = code_json(player, code);
  return json;
}

Json shown_settings(TableSettings const& table)
{
  FamilyInfo const& family = family_info(table.family);
  Json settings = Json::array();
  Json families = setting_json("family", translatable("Family"), table.family);
  for (std::string const& name : family_names()) {
    bool const fits = family_info(name).wide || table.key_bits == 32;
    if (fits) { families["choices"].push_back({name, translated(family_info(name).title)}); }
  }
  settings.push_back(std::move(families));
  if (family.uses_hash) { settings.push_back(shown_hash(table.hash)); }
  if (std::vector<Deletion> const offered = ways_to_erase(family, table); !offered.empty()) {
    Json deletion = enum_setting("deletion", translatable("Deletion"), table.deletion);
    std::span<EnumName<Deletion> const> const ways = enum_names<Deletion>();
    for (std::size_t way = ways.size(); way-- != 0;) {
      if (std::ranges::count(offered, ways[way].value) == 0) { deletion["choices"].erase(way); }
    }
    settings.push_back(std::move(deletion));
  }
  for (Parameter const& parameter : family.parameters) {
    Json setting =
        setting_json(parameter.name, parameter.title, std::to_string(parameter_of(family, table, parameter.name)));
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
      std::string const number = std::to_string(parameter.choices[i]);
      bool const named = i < parameter.choice_names.size();
      setting["choices"].push_back({number, named ? translated(parameter.choice_names[i]) : number});
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

}  // namespace slotscape::web
