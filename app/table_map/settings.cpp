#include "app/table_map/settings.hpp"

#include "app/simulation/names.hpp"

#include <array>

namespace slotscape {
namespace {

constexpr EnumName<Palette> palettes[]{
    {Palette::cividis, "cividis", "cividis"},
    {Palette::viridis, "viridis", "viridis"},
    {Palette::turbo, "turbo", "turbo"},
};

constexpr EnumName<Arrangement> arrangements[]{
    {Arrangement::fitting, "fitting", "What fits"},
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

template <>
std::span<Field<ViewSettings> const> fields_of()
{
  using View = ViewSettings;
  static auto const fields = std::to_array<Field<View>>({
      choice("color_by", &View::color_by, "colouring"),
      choice("layout", &View::layout, "layout"),
      choice("arrangement", &View::arrangement, "arrangement"),
      choice("reduce", &View::reduce, "reduction"),
      choice("palette", &View::palette, "palette"),
      flag("log_scale", &View::log_scale),
      number("scale_max", &View::scale_max, 0.0, std::numeric_limits<double>::max()),
      flag("minimap", &View::show_minimap),
      choice("keys_as", &View::keys_as, "way to show keys"),
      flag("slot_numbers", &View::write_slots),
      flag("values", &View::write_values),
      flag("homes", &View::write_homes),
      flag("displacements", &View::write_measures),
      flag("plain_steps", &View::plain_steps),
  });
  return fields;
}

template <>
std::span<Field<Framing> const> fields_of()
{
  static auto const fields = std::to_array<Field<Framing>>({
      positive_number("zoom", &Framing::zoom),
      field("center", &Framing::center, read_center,
            [](Point const& center) {
              return Json{center.x, center.y};
            }),
  });
  return fields;
}

}  // namespace slotscape
