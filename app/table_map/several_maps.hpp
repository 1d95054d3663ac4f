#pragma once

#include "app/table_map/slot_map.hpp"
#include "app/widgets/look.hpp"

#include <cstddef>
#include <vector>

namespace slotscape {

inline constexpr float map_header_height = 48.0f;  ///< at scale 1

struct MapPlace {
  Rectangle header;
  Rectangle caption;  ///< height 0 if there is none
  Rectangle canvas;
};

/// Divides the canvas into `count` equal places, with the number of rows and columns that makes maps of this aspect
/// (width / height) largest. captions: each has one below its header. header_height: at scale 1.
std::vector<MapPlace> arrange_maps(Look const& look, Rectangle const& canvas, std::size_t count, double aspect,
                                   bool captions, float header_height = map_header_height);

/// Lets tasks that do not all fit into one frame take turns.
class Turns {
public:
  /// count: number of tasks; seconds: the budget of a frame.
  Turns(std::size_t count, double seconds) : things_(count), seconds_(seconds) {}

  /// The tasks for this frame: as many as fit, judged by their last times, but at least one.
  std::vector<std::size_t> begin_frame(double elapsed_seconds);
  /// Seconds since the task was last done.
  double since(std::size_t thing) const { return things_[thing].since; }
  void done(std::size_t thing, double seconds) { things_[thing] = {seconds, 0.0}; }

private:
  struct Thing {
    double seconds = 0.0;  ///< its last run
    double since = 0.0;
  };
  std::vector<Thing> things_;
  double seconds_;
  std::size_t next_ = 0;
};

}  // namespace slotscape
