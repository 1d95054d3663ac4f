#include "app/table_map/settings.hpp"

#include "app/simulation/names.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_map/plane.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {
namespace {

constexpr EnumName<Palette> palettes[]{
    {Palette::cividis, "cividis", "cividis"},
    {Palette::viridis, "viridis", "viridis"},
    {Palette::turbo, "turbo", "turbo"},
};

constexpr EnumName<Arrangement> arrangements[]{
    {Arrangement::fitting, "fitting", "Best fit"},
    {Arrangement::row, "row", "One row"},
    {Arrangement::ring, "ring", "Ring"},
    {Arrangement::grid, "grid", "Grid"},
};

Point read_center(JsonNode const& node)
{
  std::vector<JsonNode> const center = node.elements();
  if (center.size() != 2) { node.fail("it must be two numbers from 0 to 1: [x, y]"); }
  return {center[0].number(0.0, 1.0), center[1].number(0.0, 1.0)};
}

}  // namespace

template <>
std::span<EnumName<Palette> const> enum_names()
{
  return palettes;
}

template <>
std::span<EnumName<Arrangement> const> enum_names()
{
  return arrangements;
}

namespace {

std::string const& note_on_styles()
{
  static std::string const text = fmt::format(
      "`small` is the same as `numbers`, for keys from 1 to {}; `words` and `names` are for keys from 1 to {}; "
      "`with_sign` is for 64-bit keys that were numbers with a sign. Other keys are shown as numbers",
      max_small_key, largest_named_key(KeyStyle::words));
  return text;
}

std::string const& what_is_arranged()
{
  static std::string const text = fmt::format("how up to {} slots in rows lie", max_arranged_slots);
  return text;
}

Setting<ViewSettings> keys_as_setting()
{
  return choice_setting(
      {.name = "keys_as",
       .label = "Show keys as",
       .what = "how keys are shown and typed",
       .hint = "Readable keys: in a small table, new keys are small numbers, which can be shown and typed as words or "
               "names. The tables hash the numbers; files and statistics contain the numbers, too.",
       .note = note_on_styles()},
      &ViewSettings::keys_as, "way to show keys");
}

/// A setting for one of the texts in slots.
Setting<ViewSettings> written_setting(std::string_view name, std::string_view label, std::string_view what,
                                      bool ViewSettings::*written)
{
  return flag_setting(
      {.name = name, .label = label, .what = what, .note = "in slots that are wide enough, besides their keys"},
      written);
}

}  // namespace

template <>
std::span<Setting<ViewSettings> const> settings_of()
{
  using View = ViewSettings;
  static auto const settings = std::to_array<Setting<View>>({
      choice_setting({.name = "color_by",
                      .label = "Colour by",
                      .what = "what the colour of a slot tells",
                      .note = "`cluster_length` in families whose keys lie in clusters, `chain_length` in "
                              "`separate_chaining` and `linear_hashing` without shards"},
                     &View::color_by, "colouring"),
      choice_setting({.name = "layout",
                      .label = "Layout",
                      .what = "how the slots follow each other",
                      .more = {"L", "Rows or Hilbert curve"}},
                     &View::layout, "layout"),
      choice_setting({.name = "arrangement",
                      .label = "Small tables",
                      .what = what_is_arranged(),
                      .note = "`fitting` is one row or a grid, whichever has the larger slots"},
                     &View::arrangement, "arrangement"),
      choice_setting({.name = "reduce",
                      .label = "Reduction",
                      .what = "what a pixel shows of several slots",
                      .more = {"M", "Maximum or mean per pixel"}},
                     &View::reduce, "reduction"),
      choice_setting({.name = "palette", .label = "Palette", .what = "colours of numbers"}, &View::palette, "palette"),
      flag_setting({.name = "log_scale",
                    .label = "Logarithmic colours",
                    .what = "logarithmic rather than linear colours",
                    .more = {"G", "Logarithmic or linear colour scale"}},
                   &View::log_scale),
      number_setting(
          {.name = "scale_max", .what = "the number at which the colours end", .note = "0 follows the table's maximum"},
          &View::scale_max, 0.0, unlimited),
      flag_setting({.name = "minimap", .label = "Minimap", .what = "show the minimap"}, &View::show_minimap),
      keys_as_setting(),
      written_setting("slot_numbers", "Slot number", "write the numbers of slots", &View::write_slots),
      written_setting("values", "Value", "write the keys' values", &View::write_values),
      written_setting("homes", "Home slot", "write the keys' home slots", &View::write_homes),
      written_setting("displacements", "Probe length", "write the keys' probe lengths", &View::write_measures),
      flag_setting({.name = "plain_steps",
                    .label = "Plain step texts",
                    .what = "step mode leaves out what compare-and-swaps are, and counts slots instead of accesses"},
                   &View::plain_steps),
      flag_setting({.name = "textbook_code",
                    .label = "Textbook code",
                    .what = "with `plain_steps`, the code of step mode is a textbook's: for one thread, so that an "
                            "insertion goes its way once and needs no compare-and-swap"},
                   &View::textbook_code),
  });
  return settings;
}

CodeStyle code_style(ViewSettings const& view)
{
  return view.plain_steps && view.textbook_code ? CodeStyle::textbook : CodeStyle::threads;
}

template <>
std::span<Setting<Framing> const> settings_of()
{
  static auto const settings = std::to_array<Setting<Framing>>({
      positive_setting({.name = "zoom", .note = "1 shows the whole table"}, &Framing::zoom),
      other_setting<Framing>("the middle of the view, `[x, y]` as shares of the map's width and height, each 0 to 1",
                             field("center", &Framing::center, read_center,
                                   [](Point const& center) {
                                     return Json{center.x, center.y};
                                   }),
                             "`[0.5, 0.5]`"),
  });
  return settings;
}

}  // namespace slotscape
