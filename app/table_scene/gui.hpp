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
/// The same for a slide: a caption, below it the canvas, and a legend.
TableSceneLayout lay_out_slide(Look const& look, Rectangle const& window, StepState const& steps);
/// The same for a lecture: on the right, the numbers and plots of its page. In step mode, the code: `aside`, below the
/// page's text, if it has room there; else on the right, or below the map where that makes the cells of a small table
/// clearly larger.
TableSceneLayout lay_out_lecture(Look const& look, Rectangle const& window, Panels const& panels,
                                 TableState const& state, Rectangle const& aside = {});
/// The code beside the map of a lecture, or below it.
void draw_lecture_code(Look const& look, SideWidths& widths, SideLayout const& sides, TableState& state);
/// The caption of a slide: the current step or, outside step mode, what the table is. After the last step of one of
/// several tables, which have less room each, the summary alone.
void draw_slide_caption(Look const& look, Drawing& drawing, TableState const& state, Rectangle const& place,
                        bool is_one_of_several = false);

/// The panels in step mode. The steps replace the numbers and plots, and the controls too if they share one panel.
void draw_sides_in_steps(Look const& look, SideWidths& widths, SideLayout sides, std::function<void()> const& controls,
                         std::function<void()> const& steps);

/// Panels shared by the scenes of tables. Each draws one topic into ImGui's current window.
void keys_panel(Look const& look, TableState& state);
/// Shows keys in this style. In a small table, new keys become ones that the style has a text for; or uniform again.
void show_keys_as(TableState& state, KeyStyle style);
void drive_panel(Look const& look, TableState& state);
void maintenance_panel(Look const& look, TableState& state);
/// Load, measurement beside theory and, of a table that is driven, its speed.
void numbers_panel(Look const& look, TableState& state);
/// Histograms with what theory expects; of a table that is driven, its speed and its load over time. `more`: further
/// charts.
void plots_panel(Look const& look, TableState const& state, Charts& charts, std::vector<Chart> more = {});

/// A field for any number of slots (`typed_slots`), joined to a list of the powers of two. It calls `take_typed` after
/// text was typed into `slots_entry`, and `choose` for an entry of the list.
void slots_row(Look const& look, TableState& state, std::function<void()> const& take_typed,
               std::function<void(std::uint64_t)> const& choose);

/// Over the canvas, while tombstones are about to fill a table: what that means, and a button that drops them; and one
/// that closes it, as Esc does. It lies in a corner of the map where it covers no slot, or of `around`, where it covers
/// nothing that is `taken`; if there is none, it is brief.
void draw_tombstone_warning(Look const& look, TableState& state, MapView const& map, Rectangle const& around = {},
                            std::span<Rectangle const> taken = {});
/// Where slots are on the screen; nowhere in particular, if they are too many to be told apart.
std::vector<Rectangle> slots_in_view(MapView const& map);

/// Rows of a panel that edit a table's settings. Each returns whether a setting changed. A new family gets its default
/// parameters and a number of slots that it supports.
bool family_row(Look const& look, TableSettings& table);
/// The same, but what was asked for stays: what this family cannot have, the next one may (`fitted`).
bool asked_family_row(Look const& look, TableSettings& asked);
/// What follows from another parameter or hash of the table that is shown.
inline constexpr std::string_view makes_new_table = translatable("Changing it makes a new table with the same keys.");
/// One of the family's parameters.
bool parameter_row(Look const& look, Parameter const& parameter, TableSettings& table,
                   std::string_view consequence = makes_new_table);
bool deletion_row(Look const& look, TableSettings& table);
bool hash_row(Look const& look, TableSettings& table, HashField& field, std::string_view consequence = makes_new_table);
/// How many shards there are and, if there are several, where keys start.
bool shards_row(Look const& look, TableSettings& table, std::string_view consequence = makes_new_table);
/// What a table of these settings promises, a line for each guarantee.
void guarantee_rows(Look const& look, TableSettings const& table);
/// The seed, with buttons for the previous and the next one.
void seed_row(Look const& look, TableState& state);

/// What step mode shows in the slots scene: its caption over the map, and its panel.

/// The current step in large letters, and the buttons to step forward and back.
void draw_steps_caption(Look const& look, TableState& state, Rectangle const& place);
float steps_caption_height(Look const& look, StepState const& steps);
/// The text shown before an operation is chosen.
std::string waiting_text(TableState const& state);
/// The buttons Do it, Another and Leave, on a line of ImGui's current window. steps: an operation is shown.
void finish_buttons(Look const& look, TableState& state, bool steps, bool at_end);

/// Whether step mode tells what happens next.
void upcoming_box(Look const& look, StepState& steps);
/// The code of the operation that is stepped through, in ImGui's current window; whole, however low that is.
void code_panel(Look const& look, TableState& state, bool whole = false);
/// The height in which `code_panel` shows the code in letters of this size.
float code_panel_height(Look const& look, TableState const& state, float letters);
/// The operation and its list of steps, in ImGui's current window.
void steps_panel(Look const& look, TableState& state);
/// The part of the panel that chooses the operation; `restarts`: one is already being stepped through.
void steps_chooser(Look const& look, TableState& state, bool restarts);

}  // namespace slotscape
