#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/setting.hpp"
#include "app/keys/key_text.hpp"
#include "app/simulation/mix.hpp"
#include "gpu/analysis/picture.hpp"
#include "gpu/base/number_code.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/pseudocode.hpp"
#include "gpu/workloads/settings.hpp"

#include <glm/vec2.hpp>

namespace slotscape {

using Point = glm::dvec2;

enum class Palette : std::uint8_t { cividis, viridis, turbo };
template <>
std::span<EnumName<Palette> const> enum_names();

/// How the slots of a small table are arranged on the canvas.
enum class Arrangement : std::uint8_t { fitting, row, ring, grid };
template <>
std::span<EnumName<Arrangement> const> enum_names();

/// The name of a word in a slot.
struct WordName {
  std::string_view on_card;
  std::string_view in_slot;
  friend bool operator==(WordName const&, WordName const&) = default;
};

/// How a slot map is drawn.
struct ViewSettings {
  Layout layout = Layout::rows;
  Arrangement arrangement = Arrangement::fitting;  ///< for small tables in rows
  ColorBy color_by = ColorBy::probe_length;
  Reduce reduce = Reduce::max;
  Palette palette = Palette::cividis;
  bool log_scale = true;
  double scale_max = 0.0;  ///< value at the end of the colour scale; 0: follows the table's maximum
  bool show_minimap = true;
  KeyStyle keys_as = KeyStyle::numbers;  ///< how keys are displayed and typed
  // formats and names of a foreign table's words; never saved
  NumberCode values_as = {};
  WordName key_name{"Key", translatable("key")};
  WordName value_name{"Value", translatable("value")};
  bool plain_steps = false;    ///< step mode omits compare-and-swap, and counts slots instead of accesses
  bool textbook_code = false;  ///< and shows a textbook's single-threaded code
  // the texts in slots besides the key
  bool write_slots = true;
  bool write_values = true;
  bool write_homes = true;
  bool write_measures = true;

  friend bool operator==(ViewSettings const&, ViewSettings const&) = default;
};
template <>
std::span<Setting<ViewSettings> const> settings_of();

/// The code style of step mode. Textbook code is only used with plain steps, because other steps show what it omits.
CodeStyle code_style(ViewSettings const& view);

/// The position of a slot map's camera.
struct Framing {
  double zoom = 1.0;       ///< 1: the whole table is in view
  Point center{0.5, 0.5};  ///< centre of the canvas, as a share of the grid's width and height
  friend bool operator==(Framing const&, Framing const&) = default;
};
template <>
std::span<Setting<Framing> const> settings_of();

/// The view of a map whose camera is not saved. A camera in older files is ignored.
template <class T>
Setting<T> map_setting(std::string_view name, ViewSettings T::*view)
{
  Field<T> field = object(name, view);
  field.read = [view](JsonNode const& node, T& into) {
    Framing ignored;
    read_fields(node, into.*view, ignored);
  };
  return other_setting("colours and layout, as in [`view`](#view); `zoom` and `center` have no effect", field);
}

/// The settings of a table and of the operations on it.
struct TableSceneSettings {
  TableSettings table;
  KeySettings keys;
  std::uint64_t seed = 1;
  DriveSettings drive;
  ViewSettings view;

  friend bool operator==(TableSceneSettings const&, TableSceneSettings const&) = default;
};

}  // namespace slotscape
