#pragma once

#include "app/table_map/plane.hpp"
#include "app/table_map/slot_map.hpp"
#include "app/widgets/look.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace slotscape {

inline constexpr float map_header_height = 48.0f;  ///< at scale 1

struct MapPlace {
  Rectangle header;
  Rectangle caption;  ///< height 0 if it has none
  Rectangle canvas;
};

/// The size of a map in an area of this width and height, for example the side of a square with the map's area.
using MapSize = std::function<double(double width, double height)>;
/// For maps with this aspect ratio, width / height: their height.
MapSize size_by_aspect(double aspect);
/// For a table whose slots are arranged to fill the area, or laid out in rows or along a curve.
MapSize size_by_cells(std::uint64_t slots, ViewSettings const& view, std::uint64_t part = 0);

/// Divides the canvas into `count` equal areas, with the number of rows and columns that makes maps largest. captions:
/// each map has one below its header. header_height: at scale 1.
std::vector<MapPlace> arrange_maps(Look const& look, Rectangle const& canvas, std::size_t count, MapSize const& size,
                                   bool captions, float header_height = map_header_height);

/// Lets tasks that do not fit together into one frame take turns.
class Turns {
public:
  /// count: the number of tasks; seconds: the budget per frame.
  Turns(std::size_t count, double seconds) : things_(count), seconds_(seconds) {}

  /// The tasks for this frame: as many as fit, judging by their last durations, but at least one.
  std::vector<std::size_t> begin_frame(double elapsed_seconds);
  /// Seconds since the task last ran.
  double since(std::size_t thing) const { return things_[thing].since; }
  /// Schedules all tasks for the next frame.
  void begin_anew() { things_.assign(things_.size(), Thing{}); }
  void done(std::size_t thing, double seconds) { things_[thing] = {seconds, 0.0}; }

private:
  struct Thing {
    double seconds = 0.0;  ///< seconds that its last run took
    double since = 0.0;
  };
  std::vector<Thing> things_;
  double seconds_;
  std::size_t next_ = 0;
};

}  // namespace slotscape
