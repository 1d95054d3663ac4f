#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

namespace slotscape {

/// An interface for drawing annotations: shapes and text in pixels, y downwards. The same calls draw on the screen and
/// into a vector picture.
class Drawing {
public:
  Drawing() = default;
  Drawing(Drawing const&) = delete;
  Drawing& operator=(Drawing const&) = delete;
  virtual ~Drawing() = default;

  virtual void fill(ImVec2 low, ImVec2 high, ImU32 color, float rounding = 0.0f) = 0;
  virtual void frame(ImVec2 low, ImVec2 high, ImU32 color, float rounding, float thickness) = 0;
  virtual void polyline(std::span<ImVec2 const> points, ImU32 color, float thickness) = 0;
  virtual void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color) = 0;
  virtual void circle(ImVec2 center, float radius, ImU32 color, float thickness) = 0;
  virtual void disc(ImVec2 center, float radius, ImU32 color) = 0;
  /// `at`: the top left corner; `size`: the height of a line; `wrap`: the width at which lines break, 0 for no breaks.
  virtual void text(ImVec2 at, float size, ImU32 color, std::string const& text, float wrap = 0.0f) = 0;
  /// Restricts drawing to this rectangle until `unclip`.
  virtual void clip(ImVec2 low, ImVec2 high) = 0;
  virtual void unclip() = 0;

  void line(ImVec2 from, ImVec2 to, ImU32 color, float thickness);
};

/// Draws into a Dear ImGui draw list.
class ScreenDrawing final : public Drawing {
public:
  ScreenDrawing(ImDrawList& list, ImFont* font) : list_(list), font_(font) {}

  void fill(ImVec2 low, ImVec2 high, ImU32 color, float rounding) override;
  void frame(ImVec2 low, ImVec2 high, ImU32 color, float rounding, float thickness) override;
  void polyline(std::span<ImVec2 const> points, ImU32 color, float thickness) override;
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color) override;
  void circle(ImVec2 center, float radius, ImU32 color, float thickness) override;
  void disc(ImVec2 center, float radius, ImU32 color) override;
  void text(ImVec2 at, float size, ImU32 color, std::string const& text, float wrap) override;
  void clip(ImVec2 low, ImVec2 high) override;
  void unclip() override;

private:
  ImDrawList& list_;
  ImFont* font_;
};

/// Writes scalable vector graphics: shapes as shapes, text as text.
class SvgDrawing final : public Drawing {
public:
  /// A picture of this size on this background.
  SvgDrawing(float width, float height, ImU32 background, ImFont* font);

  void fill(ImVec2 low, ImVec2 high, ImU32 color, float rounding) override;
  void frame(ImVec2 low, ImVec2 high, ImU32 color, float rounding, float thickness) override;
  void polyline(std::span<ImVec2 const> points, ImU32 color, float thickness) override;
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color) override;
  void circle(ImVec2 center, float radius, ImU32 color, float thickness) override;
  void disc(ImVec2 center, float radius, ImU32 color) override;
  void text(ImVec2 at, float size, ImU32 color, std::string const& text, float wrap) override;
  void clip(ImVec2 low, ImVec2 high) override;
  void unclip() override;

  /// The complete file.
  std::string finished() const;

private:
  void line_of_text(ImVec2 at, float size, ImU32 color, std::string_view text);

  std::string content_;
  ImFont* font_;
  int clips_ = 0;
};

}  // namespace slotscape
