#pragma once

#include "app/table_map/marks.hpp"

#include <optional>

namespace slotscape {

enum class MarkTool : std::uint8_t { pen, text, eraser };

/// The tools for marks: a layer over the canvas that takes the mouse, and a strip of buttons.
class MarkTools {
public:
  /// Draws the marks and, if active, the tools.
  void draw(Look const& look, Marks& marks, MarkCanvas const& canvas);

  bool out() const { return out_; }
  void take_out_or_put_away();
  /// Handles Esc: ends typing, or puts the tools away.
  void cancel();

private:
  /// The text being typed.
  struct Writing {
    ImVec2 at;
    std::string text = {};
    bool focus = true;
    int frames_without = 0;
  };

  void follow_mouse(Look const& look, Marks& marks, MarkCanvas const& canvas);
  void draw_field(Look const& look, Marks& marks, MarkCanvas const& canvas);
  void draw_strip(Look const& look, Marks& marks, MarkCanvas const& canvas);

  bool out_ = false;
  MarkTool tool_ = MarkTool::pen;
  MarkColor color_ = MarkColor::yellow;
  std::optional<Writing> writing_;
  float width_of_buttons_ = 0.0f;  ///< width of the buttons when they were last drawn
};

}  // namespace slotscape
