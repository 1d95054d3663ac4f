#pragma once

#include <cstddef>
#include <vector>

namespace slotscape {

/// Things to be done in every frame, for which a frame may have no time: then they take turns.
class Turns {
public:
  /// count: of things; seconds: that a frame has for them.
  Turns(std::size_t count, double seconds) : things_(count), seconds_(seconds) {}

  /// Those whose turn it is in the frame that begins: as many as fit by what each took last, at least one.
  std::vector<std::size_t> begin_frame(double elapsed_seconds);
  /// Seconds since it was last done.
  double since(std::size_t thing) const { return things_[thing].since; }
  void done(std::size_t thing, double seconds) { things_[thing] = {seconds, 0.0}; }

private:
  struct Thing {
    double seconds = 0.0;  ///< that it took last
    double since = 0.0;
  };
  std::vector<Thing> things_;
  double seconds_;
  std::size_t next_ = 0;
};

}  // namespace slotscape
