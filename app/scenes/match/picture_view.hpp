#pragma once

#include "app/scenes/match/state.hpp"
#include "app/scenes/match/texture.hpp"
#include "app/widgets/look.hpp"

#include <imgui.h>

#include <array>
#include <optional>
#include <span>

namespace slotscape {

/// Coordinates relative to a basis, in units of its length.
struct UnderBasis {
  double u;
  double v;
};

/// A pair of features of a picture, drawn as an arrow.
struct BasisArrow {
  matching::Basis basis;
  ImU32 color;
  float thickness;                       ///< line width at scale 1
  std::optional<UnderBasis> point = {};  ///< an additional point to mark
};

/// One of the two pictures on its canvas: its grey values, edges, points and bases. The camera maps pixels of the
/// picture to the screen.
class PictureView {
public:
  explicit PictureView(matching::Side side) : side_(side) {}

  /// Places the picture and updates its textures. margin: the share of the canvas that stays free.
  void place(Rectangle const& canvas, MatchState const& state, double margin);
  Rectangle const& canvas() const { return canvas_; }
  double scale() const { return scale_; }
  ImVec2 on_screen(double x, double y) const;
  ImVec2 on_screen(matching::Feature const& point) const;

  void zoom_at(ImVec2 on_screen, double factor);
  void pan(ImVec2 by);
  void fit() { moved_ = false; }

  /// Draws the picture, its edges and points.
  void draw(ImDrawList& list, Look const& look, MatchState const& state) const;
  void draw_bases(ImDrawList& list, Look const& look, MatchState const& state,
                  std::span<BasisArrow const> arrows) const;
  /// Draws another picture's outline and edges, mapped into this one by a similarity.
  void draw_over(ImDrawList& list, Look const& look, PictureView const& other, matching::Similarity const& by,
                 ImU32 color, bool with_edges) const;

  /// The positions of a picture's corners, mapped into this one by a similarity.
  std::array<ImVec2, 4> corners_of(matching::Picture const& picture, matching::Similarity const& by) const;

private:
  void draw_under_basis(ImDrawList& list, Look const& look, ImVec2 from, ImVec2 to, UnderBasis const& point,
                        ImU32 color) const;

  matching::Side side_;
  Rectangle canvas_;
  SharedPicture picture_;
  PictureTexture grey_{PictureTexture::Content::grey};
  PictureTexture edges_{PictureTexture::Content::edges};
  double scale_ = 1.0;  ///< screen pixels for each pixel of the picture
  double x_ = 0.0;      ///< the picture's point in the middle of the canvas
  double y_ = 0.0;
  bool moved_ = false;  ///< the user has moved the picture; otherwise all of it is in view
};

/// Draws an outline of four corners.
void draw_outline(ImDrawList& list, std::span<ImVec2 const, 4> corners, ImU32 color, float thickness);

}  // namespace slotscape
