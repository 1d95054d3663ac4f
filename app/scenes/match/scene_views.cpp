#include "app/base/text.hpp"
#include "app/scenes/match/scene.hpp"
#include "app/widgets/canvas_window.hpp"
#include "app/widgets/drawing.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {

using matching::Side;

namespace {

constexpr double wheel_zoom = 1.22;
constexpr double wheel_scale = 1.05;
constexpr std::size_t max_arrows = 200;
constexpr std::size_t max_marked_points = 40;  ///< more would cover the picture
constexpr float handle_radius = 6.0f;

/// Begins a canvas's window, with an invisible button that covers it. Returns whether it is hovered.
bool begin_canvas(char const* id, Rectangle const& canvas)
{
  begin_canvas_window(id, canvas);
  ImGui::InvisibleButton("canvas", {static_cast<float>(canvas.width), static_cast<float>(canvas.height)},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  return ImGui::IsItemHovered();
}

void clip_to(ImDrawList& list, Rectangle const& canvas)
{
  ImVec2 const low{static_cast<float>(canvas.x), static_cast<float>(canvas.y)};
  list.PushClipRect(low, {low.x + static_cast<float>(canvas.width), low.y + static_cast<float>(canvas.height)}, true);
}

}  // namespace

/// The bases of the current choice: a cell of the table, a pair of the votes, or the match.
std::vector<BasisArrow> MatchScene::arrows_on(Side side) const
{
  std::vector<BasisArrow> arrows;
  std::vector<matching::Basis> const& bases = state_.shown->bases[index_of(side)];
  auto const add = [&](std::uint32_t basis, ImU32 color, float thickness, std::optional<UnderBasis> point = {}) {
    if (basis < bases.size()) { arrows.push_back({bases[basis], color, thickness, point}); }
  };
  bool const is_query = side == Side::query;
  auto const& cell = state_.hovered ? state_.hovered : state_.chosen;
  if (cell && !is_query) {
    std::vector<std::uint32_t> distinct = different_bases(*cell);
    distinct.resize(std::min(distinct.size(), max_arrows));
    double const quantum = state_.shown->query.matching.quantum;
    std::optional<UnderBasis> point = UnderBasis{cell->bin.u * quantum, cell->bin.v * quantum};
    if (distinct.size() > max_marked_points) { point.reset(); }
    for (std::uint32_t const basis : distinct) { add(basis, basis_color, 1.3f, point); }
  }
  if (auto const row = state_.voting_basis(); row && is_query) {
    add(*row, query_color, 2.0f);
    return arrows;
  }
  if (auto const shown = state_.overlaid()) {
    matching::Candidate const& candidate = state_.shown->snapshot.candidates[*shown];
    add(is_query ? candidate.query_basis : candidate.reference_basis, found_color, 2.4f);
  }
  if (state_.pair) { add(is_query ? state_.pair->query : state_.pair->reference, basis_color, 2.4f); }
  return arrows;
}

void MatchScene::draw_reference_on(ImDrawList& list, Look const& look) const
{
  PictureView const& reference = pictures_[index_of(Side::reference)];
  clip_to(list, reference.canvas());
  reference.draw(list, look, state_);
  auto const shown = state_.overlaid();
  if (shown && state_.settings.show_overlay && state_.filled >= 1.0) {
    bool const is_match = *shown == 0 && state_.found();
    reference.draw_over(list, look, pictures_[index_of(Side::query)],
                        state_.shown->snapshot.candidates[*shown].transformation,
                        is_match ? query_color : theme::text_dim, true);
  }
  reference.draw_bases(list, look, state_, arrows_on(Side::reference));
  list.PopClipRect();
}

void MatchScene::draw_query_on(ImDrawList& list, Look const& look) const
{
  PictureView const& query = pictures_[index_of(Side::query)];
  clip_to(list, query.canvas());
  query.draw(list, look, state_);
  query.draw_bases(list, look, state_, arrows_on(Side::query));
  list.PopClipRect();
}

void MatchScene::draw_reference(Frame const& frame)
{
  PictureView& reference = pictures_[index_of(Side::reference)];
  bool const hovered = begin_canvas("##reference", reference.canvas());
  draw_reference_on(*ImGui::GetWindowDrawList(), frame.look);
  ImGuiIO const& io = ImGui::GetIO();
  if (hovered && io.MouseWheel != 0.0f) {
    reference.zoom_at(io.MousePos, std::pow(wheel_zoom, static_cast<double>(io.MouseWheel)));
  }
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4.0f)) { reference.pan(io.MouseDelta); }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) { reference.fit(); }
  ImGui::End();
}

/// The corners of the query in its requested pose, which may be ahead of the matched one.
std::array<ImVec2, 4> MatchScene::wanted_corners() const
{
  PictureView const& view = pictures_[index_of(Side::query)];
  return view.corners_of(*state_.shown->pictures[index_of(Side::query)],
                         similarity_of(state_.settings.pose, *state_.shown->pictures[index_of(Side::query)]));
}

std::optional<QueryHand::Grip> MatchScene::grip_at(Look const& look, ImVec2 mouse) const
{
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) { return QueryHand::Grip::turn; }
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) { return std::nullopt; }
  bool const at_corner = std::ranges::any_of(wanted_corners(), [&](ImVec2 corner) {
    return std::hypot(corner.x - mouse.x, corner.y - mouse.y) <= look(1.6f * handle_radius);
  });
  return at_corner ? QueryHand::Grip::turn_and_scale : QueryHand::Grip::move;
}

void MatchScene::follow_query_hand(Look const& look, bool hovered, bool active)
{
  PictureView const& view = pictures_[index_of(Side::query)];
  matching::Picture const& picture = *state_.shown->pictures[index_of(Side::query)];
  ImGuiIO const& io = ImGui::GetIO();
  ImVec2 const corner = view.on_screen(0.0, 0.0);
  double const x = static_cast<double>(io.MousePos.x - corner.x) / view.scale();
  double const y = static_cast<double>(io.MousePos.y - corner.y) / view.scale();
  QueryPose& pose = state_.settings.pose;
  if (hovered && !hand_) {
    if (auto const grip = grip_at(look, io.MousePos)) {
      hand_.emplace(*grip, pose, picture.width, picture.height, x, y);
    }
  }
  if (hand_ && !active) { hand_.reset(); }
  if (hand_ && (io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f)) { pose = hand_->to(x, y); }
  if (hovered && !hand_ && io.MouseWheel != 0.0f) {
    double const factor = std::pow(wheel_scale, static_cast<double>(io.MouseWheel));
    pose.scale = std::clamp(pose.scale * factor, smallest_turned_scale, largest_turned_scale);
  }
}

void MatchScene::draw_query(Frame const& frame)
{
  Look const& look = frame.look;
  PictureView const& query = pictures_[index_of(Side::query)];
  bool const hovered = begin_canvas("##query", query.canvas());
  bool const active = ImGui::IsItemActive();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_query_on(list, look);
  clip_to(list, query.canvas());
  if (hovered || hand_) {
    std::array<ImVec2, 4> const corners = wanted_corners();
    draw_outline(list, corners, query_color, look(1.5f));
    for (ImVec2 const corner : corners) {
      list.AddCircleFilled(corner, look(handle_radius), theme::panel);
      list.AddCircleFilled(corner, look(handle_radius - 1.5f), query_color);
    }
  }
  list.PopClipRect();
  follow_query_hand(look, hovered, active);
  ImGui::End();
}

void MatchScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  if (paints) { throw Error(tr("Slides of this scene are PNG pictures: choose a name that ends in .png.")); }
  if (!state_.shown) { throw Error(tr("Nothing has been matched yet.")); }
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  draw_reference_on(list, look);
  draw_query_on(list, look);
  ImU32 const ink = theme::text_on(look.background);
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    Rectangle const& caption = layout_.pictures[i].caption;
    drawing.text({static_cast<float>(caption.x) + look(12.0f), static_cast<float>(caption.y) + look(5.0f)}, look.large,
                 ink, i == 0 ? tr("Reference") : tr("Query"));
  }
  Rectangle const& canvas = layout_.pictures[0].canvas;
  std::string text = verdict();
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  drawing.text({static_cast<float>(canvas.x) + look(12.0f), static_cast<float>(canvas.y + canvas.height) + look(4.0f)},
               look.large, ink, text);
}

}  // namespace slotscape
