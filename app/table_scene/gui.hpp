#pragma once

#include "app/scene/facts.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/step/step_state.hpp"
#include "app/table_scene/sizes.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/translation.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slotscape {

class MapView;

/// The areas of the window in the scenes of tables.
struct TableSceneLayout {
  SideLayout sides;
  Rectangle toolbar;
  Rectangle caption;  ///< height 0 outside step mode
  Rectangle canvas;
  Rectangle legend;
};
TableSceneLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels, StepState const& steps);
/// The layout of a slide: a caption, the canvas below it, and a legend.
TableSceneLayout lay_out_slide(Look const& look, Rectangle const& window, StepState const& steps);
/// The layout of a lecture, with the page's numbers and plots on the right. In step mode they are replaced by the code:
/// in `aside`, below the page's text, if there is room; else on the right, or below the map if that makes the cells of
/// a small table clearly larger.
TableSceneLayout lay_out_lecture(Look const& look, Rectangle const& window, Panels const& panels,
                                 TableState const& state, Rectangle const& aside = {});
/// The code beside the map of a lecture, or below it.
void draw_lecture_code(Look const& look, SideWidths& widths, SideLayout const& sides, TableState& state);
/// The caption of a slide: the current step or, outside step mode, a description of the table. With several tables
/// there is less room for each, so only the summary is shown after the last step.
void draw_slide_caption(Look const& look, Drawing& drawing, TableState const& state, Rectangle const& place,
                        bool is_one_of_several = false);

/// The panels in step mode. The steps replace the numbers and plots, and the controls too if they share one panel.
void draw_sides_in_steps(Look const& look, SideWidths& widths, SideLayout sides, std::function<void()> const& controls,
                         std::function<void()> const& steps);

/// Panels shared by the scenes of tables. Each draws one topic into ImGui's current window.
void keys_panel(Look const& look, TableState& state);
/// Shows keys in this style. In a small table, new keys then come from those that the style has a text for, or are
/// uniform again.
void show_keys_as(TableState& state, KeyStyle style);
void drive_panel(Look const& look, TableState& state);
void maintenance_panel(Look const& look, TableState& state);
/// Load, measurements beside theory and, for a driven table, its speed.
void numbers_panel(Look const& look, TableState& state);
/// Histograms with the theory's predictions; for a driven table, also its speed and its load over time. `more`: further
/// charts.
void plots_panel(Look const& look, TableState const& state, Charts& charts, std::vector<Chart> more = {});
/// The cost of each insertion into a growing table, and the running mean.
struct CostsOfTable {
  std::string name;
  ImU32 color;
  InsertionCosts const& costs;
};
Chart insertion_costs_chart(std::vector<CostsOfTable> const& tables);

/// A field for any number of slots (`typed_slots`), combined with a list of the powers of two. Calls `take_typed` after
/// text was typed into `slots_entry`, and `choose` when a list entry is chosen.
void slots_row(Look const& look, TableState& state, std::function<void()> const& take_typed,
               std::function<void(std::uint64_t)> const& choose);

/// A warning over the canvas while tombstones are about to fill a table, with a button that drops them and one that
/// closes the warning, as Esc does. It is placed in a corner of the map where it covers no slot, or of `around` where
/// it covers nothing in `taken`; if there is no such place, it is brief.
void draw_tombstone_warning(Look const& look, TableState& state, MapView const& map, Rectangle const& around = {},
                            std::span<Rectangle const> taken = {});
/// The rectangles of the slots on the screen; empty if the slots are too small to be told apart.
std::vector<Rectangle> slots_in_view(MapView const& map);

/// Panel rows that edit a table's settings. Each returns whether a setting changed. A new family gets its default
/// parameters and a number of slots that it supports.
bool family_row(Look const& look, TableSettings& table);
/// Like `family_row`, but keeps the requested settings: the next family may support what this one does not (`fitted`).
bool asked_family_row(Look const& look, TableSettings& asked);
/// The consequence of changing a parameter or the hash of the displayed table.
inline constexpr std::string_view makes_new_table = translatable("Changing it makes a new table with the same keys.");
/// One of the family's parameters.
bool parameter_row(Look const& look, Parameter const& parameter, TableSettings& table,
                   std::string_view consequence = makes_new_table);
bool deletion_row(Look const& look, TableSettings& table);
bool hash_row(Look const& look, TableSettings& table, HashField& field, std::string_view consequence = makes_new_table);
/// Whether a panel has a row for this setting: if it shows few settings, only while the value is not the default.
bool shows_setting(TableState const& state, TableSettings const& table, std::string_view name);
/// If few settings are shown, a button for all of them.
void all_settings_button(Look const& look, TableState const& state, Panels& panels);
/// The number of shards and, if there are several, where keys start.
bool shards_row(Look const& look, TableSettings& table, std::string_view consequence = makes_new_table);
/// The guarantees of a table with these settings, one per line.
void guarantee_rows(Look const& look, TableSettings const& table);
/// The seed, with buttons for the previous and the next one.
void seed_row(Look const& look, TableState& state);

/// Step mode in the slots scene: the caption over the map, and the panel.

/// The current step in large letters, and the buttons to step forward and back.
void draw_steps_caption(Look const& look, TableState& state, Rectangle const& place);
float steps_caption_height(Look const& look, StepState const& steps);
/// The text shown before an operation is chosen.
std::string waiting_text(TableState const& state);
/// The buttons Do it, Another and Leave, on a line of ImGui's current window. steps: an operation is shown.
void finish_buttons(Look const& look, TableState& state, bool steps, bool at_end);

/// A checkbox: whether step mode announces the next step.
void upcoming_box(Look const& look, StepState& steps);
/// The code of the operation being stepped through, in ImGui's current window. whole: shows all lines, however low the
/// window is.
void code_panel(Look const& look, TableState& state, bool whole = false);
/// The height that `code_panel` needs for the code at this text size.
float code_panel_height(Look const& look, TableState const& state, float letters);
/// The operation and its list of steps, in ImGui's current window.
void steps_panel(Look const& look, TableState& state);
/// The part of the panel that chooses the operation; `restarts`: one is already being stepped through.
void steps_chooser(Look const& look, TableState& state, bool restarts);

}  // namespace slotscape
