#pragma once

#include "app/table_map/camera.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Where marks are made: a canvas, with a map of slots or without.
struct MarkCanvas {
  Rectangle place;
  Camera const* camera = nullptr;  ///< of the map; null: marks stay where they are on the canvas
};

enum class MarkColor : std::uint8_t { yellow, red, blue };

/// A line drawn by hand, or a few words. It stays with the slot that its middle lies on, however the map is moved or
/// laid out.
struct Mark {
  MarkColor color = MarkColor::yellow;
  std::vector<Point> points = {};  ///< in slots or, without a map, in shares of the canvas; from the slot's corner on
  std::optional<Slot> slot = {};
  std::string text = {};  ///< at its only point; empty: a line
  friend bool operator==(Mark const&, Mark const&) = default;
};

/// What is drawn over a picture by hand. Positions are in pixels.
class Marks {
public:
  bool empty() const { return marks_.empty(); }
  std::vector<Mark> const& all() const { return marks_; }
  bool can_undo() const { return !before_.empty(); }

  /// A line grows from `begin_line` to `end_line`; one without length becomes a dot.
  void begin_line(MarkCanvas const& canvas, ImVec2 at, MarkColor color);
  void continue_line(MarkCanvas const& canvas, ImVec2 at);
  void end_line(MarkCanvas const& canvas);
  void write(MarkCanvas const& canvas, ImVec2 at, std::string text, MarkColor color);
  /// Erases what is there, the latest first. Returns whether there was anything.
  bool erase(Look const& look, MarkCanvas const& canvas, ImVec2 at);
  void clear();
  void undo();
  /// All of it goes, and cannot be brought back: another picture is shown.
  void forget();

  void draw(Look const& look, Drawing& drawing, MarkCanvas const& canvas) const;

private:
  void remember() { before_.push_back(marks_); }

  std::vector<Mark> marks_;
  std::vector<std::vector<Mark>> before_;  ///< each change, for `undo`
  bool drawing_ = false;                   ///< the last mark is a line that still grows
};

}  // namespace slotscape
