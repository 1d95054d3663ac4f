#pragma once

#include "gpu/analysis/picture.hpp"
#include "gpu/workloads/settings.hpp"

namespace slotscape {

enum class Palette : std::uint8_t { cividis, viridis, turbo };

/// How operations are driven.
struct DriveSettings {
  bool running = false;     ///< a mix runs continuously
  bool full_speed = false;  ///< as many operations as fit the frame's budget, instead of `rate`
  double rate = 20000.0;    ///< operations a second while running
  double insert = 0.4;      ///< shares of the mix; they need not sum to 1
  double find = 0.3;
  double erase = 0.3;
  KeyChoice find_keys = KeyChoice::mixed;
  double hit_share = 0.5;  ///< of the finds, where `find_keys` is mixed
  bool hold_load = false;  ///< fill or empty to `target_load` and hold it there
  double target_load = 0.5;
  std::uint64_t batch = 4096;    ///< operations of one press of insert, find or erase
  double frame_budget_ms = 8.0;  ///< for operations, of each frame
};

struct ViewSettings {
  Layout layout = Layout::rows;
  ColorBy color_by = ColorBy::probe_length;
  Reduce reduce = Reduce::max;
  Palette palette = Palette::cividis;
  bool log_scale = true;
  double scale_max = 0.0;  ///< slots at the end of the colour scale; 0: follows the table's maximum
  double zoom = 1.0;       ///< 1: the whole table fits the canvas
  double center_x = 0.5;   ///< of the canvas, as a share of the grid's width and height
  double center_y = 0.5;
  bool show_minimap = true;
};

/// Everything the slots scene is set to, saved and loaded as it is (`app/scenario`).
struct SlotsSettings {
  TableSettings table;
  KeySettings keys;
  std::uint64_t seed = 1;
  DriveSettings drive;
  ViewSettings view;
};

}  // namespace slotscape
