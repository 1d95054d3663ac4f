#include "app/keys/gui.hpp"
#include "app/keys/keys_json.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {
namespace {

/// Refills the table with as many keys as now, but with keys that the style has a text for.
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
  hint(look, std::string(setting_named<ViewSettings>("keys_as").text.hint));
  if (changed) { show_keys_as(state, style); }
  if (largest_named_key(style) == 0 || state.statistics.live == 0) { return; }
  if (!holds_small_keys(state.settings.table)) {
    return remark(look, "The lists are too short for most keys of a table this large: these are shown as numbers.");
  }
  if (text_button("Refill with keys 1–99", {-FLT_MIN, 0.0f})) { fill_anew(state); }
  hint(look,
       "Clears the table and fills it to the same load with keys from 1 to 99. Undo (Ctrl+Z) restores its current "
       "keys.");
}

}  // namespace

void show_keys_as(TableState& state, KeyStyle style)
{
  state.settings.view.keys_as = style;
  if (state.steps.on) { return; }  // a new stream would end the steps
  KeySettings const& keys = state.settings.keys;
  if (largest_named_key(style) == 0 && are_small(keys)) { return state.act(SetKeys{without_small_keys(keys)}); }
  bool const generated = keys.distribution == KeyDistribution::uniform;
  bool const is_for_people = largest_named_key(style) != 0 && holds_small_keys(state.settings.table);
  if (is_for_people && generated) { state.act(SetKeys{small_keys(keys)}); }
}

void keys_panel(Look const& look, TableState& state)
{
  heading(look, "KEYS");
  KeySettings& keys = state.settings.keys;
  KeySettings wanted = keys;
  SettingText const& stream = setting_named<KeySettings>("distribution").text;
  setting_label(look, stream);
  bool changed = choose_stream(wanted);
  hint(look, std::string(stream.hint));
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
