#pragma once

#include "app/base/enum_names.hpp"
#include "app/widgets/color.hpp"

#include <imgui.h>

#include <array>
#include <cstdint>

// Every colour of the program that does not show data, by its purpose. tests/app/widgets/theme_test.cpp checks their
// contrast, and that they can be distinguished with any kind of colour vision.

namespace slotscape {

/// The background of everything that is drawn: in the window, the user's theme; a picture for slides has its own.
enum class Background : unsigned char { dark, light };
template <>
std::span<EnumName<Background> const> enum_names<Background>();

/// In Dear ImGui's format.
inline ImU32 packed(Color const& color)
{
  return ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1.0f});
}

}  // namespace slotscape

namespace slotscape::theme {

/// The background of Dear ImGui's current interface: the window and a slide have different ones. Dark if there is none.
Background current();

/// A colour by its purpose. Converts to the colour for the current interface when it is used, so it may be a constant.
class Role {
public:
  /// The colour on either background, as 0xRRGGBB.
  constexpr Role(std::uint32_t on_dark, std::uint32_t on_light) : of_{on_dark, on_light} {}

  constexpr std::uint32_t rgb(Background background) const { return of_[static_cast<std::size_t>(background)]; }
  constexpr ImU32 on(Background background) const
  {
    std::uint32_t const color = rgb(background);
    return IM_COL32(color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff, 0xff);
  }
  operator ImU32() const { return on(current()); }
  operator Color() const { return color_of(rgb(current())); }

private:
  std::array<std::uint32_t, 2> of_;
};

/// --- the interface: greys of one hue, from the rearmost surface to text, and one accent.

inline constexpr Role panel{0x13181f, 0xf4f6f9};
inline constexpr Role raised{0x1a2029, 0xffffff};  ///< menus, cards, messages, strips
inline constexpr Role frame{0x222a35, 0xe2e7ed};   ///< background of buttons and input fields
inline constexpr Role frame_hovered{0x2c3644, 0xd3dbe4};
inline constexpr Role frame_active{0x364354, 0xc2cdd9};
inline constexpr Role line{0x262e39, 0xd5dce4};
inline constexpr Role text{0xdde3ea, 0x141b24};
inline constexpr Role text_dim{0x9aa5b4, 0x4a5664};
inline constexpr Role text_faint{0x7d8896, 0x5c6876};  ///< text that need not be read now
inline constexpr Role accent{0x5fb3f0, 0x155fa0};
inline constexpr Role accent_hovered{0x82c6f6, 0x0f4f88};
inline constexpr Role accent_active{0x4a9cd8, 0x1b6cb0};
inline constexpr Role accent_dim{0x2b5c86, 0xb9d8f4};  ///< behind selected text
inline constexpr Role warning{0xe8b34d, 0x8a5a00};
inline constexpr Role error{0xf06b64, 0xb3261e};
inline constexpr Role theory{0xe8b34d, 0x7d6100};  ///< theoretical curves
inline constexpr Role behind_dialogs{0x000000, 0x2a333d};

/// --- pictures. A rim of the opposite shade surrounds lines on cells of any colour.

inline constexpr Role rim{0x000000, 0xffffff};
inline constexpr Role ink{0xf2f5f8, 0x101822};         ///< lines and arrows on a map
inline constexpr Role dark_ink{0x000000, 0x000000};    ///< text on bright cells; no other pair of inks has 4.5:1 on all
inline constexpr Role bright_ink{0xffffff, 0xffffff};  ///< text on dark cells
inline constexpr Role drop_shadow{0x000000, 0x8b96a3};  ///< below objects that move over a map
inline constexpr Role veil{0x000000, 0xffffff};         ///< over pictures, so that lines on them stand out

/// --- categories. The colours of each set are distinguishable for everyone, and legible as text.

/// Compared tables, stages of the intersection, threads of a race: in this order.
inline constexpr std::array<Role, 5> series{Role{0x5ec5ff, 0x0d65d6}, Role{0xf0a830, 0xb05a00},
                                            Role{0x1cac6f, 0x1c704d}, Role{0xba85af, 0x822777},
                                            Role{0xbacbd3, 0x6b6e75}};
/// Accesses in step mode, by what they do.
inline constexpr Role step_read = accent;
inline constexpr Role step_metadata = text_dim;
inline constexpr Role step_write{0xffd84d, 0x7d6100};
inline constexpr Role step_fails{0xf06b64, 0x730600};
inline constexpr Role step_moves{0x9ae09b, 0x135433};
inline constexpr Role past_step{0xd2d8de, 0x3c4754};
/// A correct history of a race, or a correct answer.
inline constexpr Role right{0x7fe08c, 0x1c7a34};
/// The axes x, y and z of space, and lookups along them.
inline constexpr std::array<Role, 3> axes{Role{0xd46662, 0x8d0019}, Role{0x8ccc66, 0x557d1f}, Role{0x5aa8e8, 0x1460b0}};
inline constexpr std::array<Role, 3> neighbours{Role{0xff8655, 0xb34000}, Role{0x4fdca4, 0x007a55},
                                                Role{0xa0bfd9, 0x005dd6}};
/// The stages of image matching: in stacked bands and rows, neighbours are distinguishable.
inline constexpr std::array<Role, 7> match_stages{Role{0x4e79a7, 0x2f5f94}, Role{0x83cbc6, 0x379c95},
                                                  Role{0x62a169, 0x558355}, Role{0xffd84d, 0x785e00},
                                                  Role{0xf28e2b, 0xd06e00}, Role{0xe11f38, 0x922c3a},
                                                  Role{0x9c7f90, 0x6c305e}};
/// Lines and marks of plots with many lines, such as one for each family: lines with similar colours differ in shape.
inline constexpr std::array<Role, 10> lines{Role{0x2f8fff, 0x4089da}, Role{0xf08c3a, 0xd6600a},
                                            Role{0x5cc25c, 0x2a8a2a}, Role{0xf0706f, 0xc62728},
                                            Role{0xd8b8ff, 0x7a52a8}, Role{0xb8897c, 0x7c5147},
                                            Role{0xe88ac8, 0xc94fa0}, Role{0xa8a8a8, 0x606060},
                                            Role{0xc9ca4a, 0x8f9014}, Role{0x45c4d4, 0x0f95a3}};
inline constexpr std::size_t line_shapes = 4;
/// The shape of the mark of line `number`: no two of the first 40 lines have both the same colour and the same shape.
constexpr std::size_t shape_of_line(std::size_t number)
{
  return (number + number / (2 * lines.size())) % line_shapes;
}

/// --- space.

inline constexpr Role box{0x75859c, 0x5b6674};             ///< edges of the grid
inline constexpr Role pointed_voxel{0xd1dbe6, 0x3a4450};   ///< outline of the voxel under the mouse
inline constexpr Role selected_voxel{0xffffff, 0x000000};  ///< outline of the selected voxel
inline constexpr Role cage{0xdee3eb, 0x1f2933};            ///< cage around the sites that a convolution reads
inline constexpr Role slice{0x5c6b80, 0x8a96a5};
inline constexpr Role outside_grid{0x4d525c, 0xa3a9b1};

/// Text and emphasis on a picture's background, which may differ from that of the interface.
constexpr ImU32 text_on(Background background)
{
  return text.on(background);
}
constexpr ImU32 accent_on(Background background)
{
  return accent.on(background);
}

}  // namespace slotscape::theme

namespace slotscape {

/// --- the map of a table. The states differ in luminance: on a dark background, empty slots are darkest, tombstones
/// are in between and live slots are brightest; on a light background, the order is reversed.

inline constexpr theme::Role empty_color{0x12171e, 0xeef1f4};
inline constexpr theme::Role tombstone_color{0xb85a3c, 0xb8552f};
inline constexpr theme::Role live_color{0xa9d9ee, 0x15496e};
inline constexpr theme::Role link_color{0x5d6c9c, 0x7b7bb8};    ///< a slot that holds a link instead of a key
inline constexpr theme::Role canvas_color{0x080a0e, 0xffffff};  ///< area around the table
/// Recent changes, on a dimmed map of the states. Plots of the same operations have the same colours.
inline constexpr theme::Role insert_flash{0xffd84d, 0x766800};
inline constexpr theme::Role find_flash{0x58b6ff, 0x1a5fc0};
inline constexpr theme::Role erase_flash{0xff5c8a, 0xac154f};
/// The effective load; its difference from the load is due to tombstones.
inline constexpr theme::Role effective_load_color{0xd87856, 0x682c04};
/// The slot that the mouse points at elsewhere.
inline constexpr theme::Role hovered_color{0xffd84d, 0x7d6100};
inline constexpr theme::Role selected_color = theme::text;

constexpr Color empty_color_on(Background background)
{
  return color_of(empty_color.rgb(background));
}
constexpr Color canvas_color_on(Background background)
{
  return color_of(canvas_color.rgb(background));
}

/// --- image matching: the two pictures' edges and points, the match, and bases in the table.

inline constexpr theme::Role reference_color{0x5fb3f0, 0x006cc4};
inline constexpr theme::Role query_color{0xeb8c1c, 0x68300d};
inline constexpr theme::Role found_color{0x1af0b4, 0x006647};
inline constexpr theme::Role basis_color{0xffd84d, 0x7a6200};

/// --- sparse tensors: hits and misses of an output, and the offset under the mouse; the sites that were opened, and
/// those that a convolution reaches.

inline constexpr theme::Role hit_color{0x4fdca4, 0x007a55};
inline constexpr theme::Role miss_color{0xeb7b4e, 0x922e00};
inline constexpr theme::Role pointed_color{0xffd84d, 0x917511};
inline constexpr theme::Role given_color{0x5fb3f0, 0x1765a8};
inline constexpr theme::Role reached_color{0x4a6f92, 0x6f90b0};

}  // namespace slotscape
