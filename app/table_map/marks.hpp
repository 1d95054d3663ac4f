#pragma once

#include "app/table_map/camera.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// The canvas on which marks are made, with or without a slot map.
struct MarkCanvas {
  Rectangle place;
  Camera const* camera = nullptr;  ///< the map's camera; null: marks stay in place on the canvas
};

enum class MarkColor : std::uint8_t { yellow, red, blue };

/// A hand-drawn line or a short text. It stays attached to the slot below its middle, however the map is moved or laid
/// out.
struct Mark {
  MarkColor color = MarkColor::yellow;
  std::vector<Point> points = {};  ///< relative to the slot's corner, in slots; without a map, as shares of the canvas
  std::optional<Slot> slot = {};
  std::string text = {};  ///< text to draw at the only point; empty: the mark is a line
  friend bool operator==(Mark const&, Mark const&) = default;
};

/// Hand-drawn marks over a picture. Positions are in pixels.
class Marks {
public:
  bool empty() const { return marks_.empty(); }
  std::vector<Mark> const& all() const { return marks_; }
  bool can_undo() const { return !before_.empty(); }

  /// Begins a line, which grows until `end_line`. A line without length becomes a dot.
  void begin_line(MarkCanvas const& canvas, ImVec2 at, MarkColor color);
  void continue_line(MarkCanvas const& canvas, ImVec2 at);
  void end_line(MarkCanvas const& canvas);
  void write(MarkCanvas const& canvas, ImVec2 at, std::string text, MarkColor color);
  /// Erases the latest mark at this position. Returns whether there was one.
  bool erase(Look const& look, MarkCanvas const& canvas, ImVec2 at);
  void clear();
  void undo();
  /// Removes all marks without undo, because another picture is shown.
  void forget();

  void draw(Look const& look, Drawing& drawing, MarkCanvas const& canvas) const;

private:
  void remember() { before_.push_back(marks_); }

  std::vector<Mark> marks_;
  std::vector<std::vector<Mark>> before_;  ///< marks before each change, for `undo`
  bool drawing_ = false;                   ///< the last mark is a line being drawn
};

}  // namespace slotscape
