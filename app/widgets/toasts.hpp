#pragma once

#include "app/widgets/look.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// Short messages over the canvas. A notice disappears by itself; an error stays until it is dismissed.
class Toasts {
public:
  void notice(std::string text) { add(std::move(text), false); }
  void error(std::string text) { add(std::move(text), true); }
  void dismiss_all() { toasts_.clear(); }
  bool empty() const { return toasts_.empty(); }
  std::size_t errors() const;
  std::string latest() const;  ///< the latest message; empty if there is none

  /// Stacked upwards from `bottom`, the middle of their lower edge.
  void draw(Look const& look, ImVec2 bottom, float max_width, double elapsed_seconds);

private:
  struct Toast {
    std::string text;
    bool is_error;
    double age;
  };
  void add(std::string text, bool is_error);
  bool draw_one(Look const& look, Toast const& toast, std::size_t index, ImVec2& bottom, float max_width);

  std::vector<Toast> toasts_;
};

}  // namespace slotscape
