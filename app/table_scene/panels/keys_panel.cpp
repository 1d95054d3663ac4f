#include "app/base/text.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/key_settings.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

/// A slider over powers of two.
bool power_of_two(Look const& look, char const* id, std::uint32_t& value, int max_log2)
{
  double power = std::bit_width(std::max(value, 1u)) - 1;
  std::string const shown = grouped(value);
  if (!slider(look, id, power, 0.0, max_log2, shown)) { return false; }
  std::uint32_t const chosen = std::uint32_t{1} << std::lround(power);
  return std::exchange(value, chosen) != chosen;
}

/// The distributions, and small keys before those of a file.
bool choose_stream(KeySettings& keys)
{
  constexpr char const* small_label = "1 to 99";
  bool const small = are_small(keys);
  if (!ImGui::BeginCombo("##distribution", small ? small_label : std::string(to_label(keys.distribution)).c_str())) {
    return false;
  }
  bool changed = false;
  for (EnumName<KeyDistribution> const& name : enum_names<KeyDistribution>()) {
    if (name.value == KeyDistribution::file && ImGui::Selectable(small_label, small) && !small) {
      keys = small_keys(std::move(keys));
      changed = true;
    }
    bool const is_present = !small && name.value == keys.distribution;
    if (ImGui::Selectable(std::string(name.label).c_str(), is_present) && !is_present) {
      keys = without_small_keys(std::move(keys));
      keys.distribution = name.value;
      changed = true;
    }
  }
  ImGui::EndCombo();
  return changed;
}

/// As many keys as there are now, but ones that the style has a text for.
void fill_anew(TableState& state)
{
  double const load = state.statistics.load_factor();
  state.act(Clear{});
  state.act(SetKeys{small_keys(state.settings.keys)});
  state.act(FillTo{load});
}

void style_rows(Look const& look, TableState& state)
{
  row_label(look, "Shown as");
  KeyStyle style = state.settings.view.keys_as;
  bool const changed = choose("##keys_as", style);
  hint(look,
       "Keys for humans: in a small table, new keys are numbers from 1 to 99, which can be shown, and typed, as words "
       "or "
       "names. The tables hash the numbers; files and statistics have these, too.");
  if (changed) { show_keys_as(state, style); }
  if (max_spoken_key(style) == 0 || state.statistics.live == 0) { return; }
  if (!holds_small_keys(state.settings.table)) {
    return remark(look, "Most keys of a table this large are in no list: they are shown as numbers.");
  }
  if (ImGui::Button("Fill anew with such keys", {-FLT_MIN, 0.0f})) { fill_anew(state); }
  hint(look,
       "Clears the table and fills it to the same load with keys from 1 to 99. Undo (Ctrl+Z) brings back those "
       "that it holds.");
}

}  // namespace

void show_keys_as(TableState& state, KeyStyle style)
{
  state.settings.view.keys_as = style;
  if (state.steps.on) { return; }  // a new stream would end them
  KeySettings const& keys = state.settings.keys;
  if (max_spoken_key(style) == 0 && are_small(keys)) { return state.act(SetKeys{without_small_keys(keys)}); }
  bool const generated = keys.distribution == KeyDistribution::uniform;
  bool const is_for_people = max_spoken_key(style) != 0 && holds_small_keys(state.settings.table);
  if (is_for_people && generated) { state.act(SetKeys{small_keys(keys)}); }
}

std::string describe_keys(KeySettings const& keys, int key_bits)
{
  if (are_small(keys)) { return "The numbers from 1 to 99 in random order, over and over."; }
  switch (keys.distribution) {
    case KeyDistribution::uniform: return fmt::format("Distinct keys, spread evenly over {} bits.", key_bits);
    case KeyDistribution::sequential: return "Consecutive numbers.";
    case KeyDistribution::strided: return "Numbers a fixed stride apart: the identity hash piles them up.";
    case KeyDistribution::zipf: return "A few keys are very frequent, most are rare.";
    case KeyDistribution::clustered: return "Ranges of consecutive numbers at random places.";
    case KeyDistribution::one_home: return "Every key has the same home slot: the worst case.";
    case KeyDistribution::file: break;
  }
  return keys.file_keys ? fmt::format("{} keys from {}", grouped(keys.file_keys->size()), keys.file_name)
                        : std::string("No file yet: drop one on the window or open it.");
}

bool key_parameter_rows(Look const& look, KeySettings& keys)
{
  switch (keys.distribution) {
    case KeyDistribution::strided: row_label(look, "Stride"); return power_of_two(look, "##stride", keys.stride, 24);
    case KeyDistribution::clustered:
      row_label(look, "Range");
      return power_of_two(look, "##range", keys.cluster_length, 20);
    case KeyDistribution::zipf: {
      row_label(look, "Exponent");
      return slider(look, "##exponent", keys.zipf_exponent, 0.1, 2.5, with_decimals(keys.zipf_exponent, 2));
    }
    case KeyDistribution::file: {
      if (are_small(keys)) { return false; }
      bool const changed = ImGui::Checkbox("Repeat the file", &keys.file_repeats);
      hint(look, "After its last key, inserts begin again at the first one, instead of stopping.");
      return changed;
    }
    default: return false;
  }
}

std::optional<std::string> column_row(Look const& look, KeySettings const& keys)
{
  std::vector<std::string> const& columns = notes_of(keys).columns;
  std::optional<std::string> chosen;
  if (keys.distribution != KeyDistribution::file || columns.size() < 2) { return chosen; }
  row_label(look, "Column");
  if (!ImGui::BeginCombo("##column", keys.file_column.c_str())) { return chosen; }
  for (std::string const& column : columns) {
    if (ImGui::Selectable(column.c_str(), column == keys.file_column)) { chosen = column; }
  }
  ImGui::EndCombo();
  return chosen;
}

void keys_panel(Look const& look, TableState& state)
{
  heading(look, "KEYS");
  KeySettings& keys = state.settings.keys;
  KeySettings wanted = keys;
  row_label(look, "New keys");
  bool changed = choose_stream(wanted);
  hint(look, "The stream that inserts draw from. Changing it restarts the stream; the table keeps its keys.");
  if (auto const column = column_row(look, wanted)) { state.ask(ChooseKeyColumn{*column}); }
  changed = key_parameter_rows(look, wanted) || changed;
  remark(look, describe_keys(wanted, state.settings.table.key_bits));
  bool const needs_file = wanted.distribution == KeyDistribution::file && !wanted.file_keys;
  if (changed && needs_file) {
    state.ask(ChooseKeyFile{});
  } else if (changed) {
    keys = wanted;
    state.act(SetKeys{keys});
  }
  style_rows(look, state);
}

}  // namespace slotscape
