#include "app/scenes/match/vote_view.hpp"

#include "app/base/text.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/canvas_window.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace slotscape {
namespace {

/// The range of elements that a pixel covers; at least one.
std::pair<std::size_t, std::size_t> span_of(std::size_t pixel, std::size_t pixels, std::size_t elements)
{
  std::size_t const first = pixel * elements / pixels;
  return {first, std::max(first + 1, (pixel + 1) * elements / pixels)};
}

}  // namespace

std::vector<std::uint32_t> shrunk_votes(std::vector<std::uint32_t> const& votes, std::size_t rows, std::size_t columns,
                                        std::size_t width, std::size_t height)
{
  std::vector<std::uint32_t> narrow(rows * width);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t x = 0; x < width; ++x) {
      auto const [first, end] = span_of(x, width, columns);
      auto const* const from = votes.data() + row * columns;
      narrow[row * width + x] = *std::max_element(from + first, from + end);
    }
  }
  std::vector<std::uint32_t> small(width * height);
  for (std::size_t y = 0; y < height; ++y) {
    auto const [first, end] = span_of(y, height, rows);
    for (std::size_t row = first; row < end; ++row) {
      for (std::size_t x = 0; x < width; ++x) {
        small[y * width + x] = std::max(small[y * width + x], narrow[row * width + x]);
      }
    }
  }
  return small;
}

void VoteView::place(Rectangle const& canvas, MatchState const& state)
{
  Palette const palette = state.settings.map.palette;
  bool const same_size = canvas.width == canvas_.width && canvas.height == canvas_.height;
  canvas_ = canvas;
  if (shown_ == state.shown && same_size && palette == palette_) { return; }
  shown_ = state.shown;
  palette_ = palette;
  std::size_t const columns = shown_->bases[0].size();
  std::size_t const rows = shown_->bases[1].size();
  if (shown_->votes.empty() || shown_->votes.size() != rows * columns) { return; }
  auto const width = static_cast<std::size_t>(canvas.width);
  auto const height = static_cast<std::size_t>(canvas.height);
  std::vector<std::uint32_t> const votes = shrunk_votes(shown_->votes, rows, columns, width, height);
  auto const most = static_cast<double>(std::max(*std::ranges::max_element(votes), 1u));
  auto const table = palette_table(palette);
  std::vector<std::uint8_t> pixels;
  pixels.reserve(4 * votes.size());
  for (std::uint32_t const count : votes) {
    double const share = count / most;
    auto const& color = table[static_cast<std::size_t>(std::lround(255.0 * share * share))];
    pixels.insert(pixels.end(), color.begin(), color.end());
  }
  texture_.upload(Texture::Kind::color, canvas.width, canvas.height, pixels);
}

ImVec2 VoteView::middle_of(BasisPair const& pair) const
{
  auto const at = [](int low, int length, std::uint32_t index, std::size_t count) {
    return static_cast<float>(low + length * (index + 0.5) / static_cast<double>(count));
  };
  return {at(canvas_.x, canvas_.width, pair.reference, shown_->bases[0].size()),
          at(canvas_.y, canvas_.height, pair.query, shown_->bases[1].size())};
}

std::uint32_t VoteView::votes_for(BasisPair const& pair) const
{
  return shown_->votes[pair.query * shown_->bases[0].size() + pair.reference];
}

/// The pair with the most votes on the pixel under the mouse.
std::optional<BasisPair> VoteView::pair_at(ImVec2 mouse) const
{
  auto const x = static_cast<int>(mouse.x) - canvas_.x;
  auto const y = static_cast<int>(mouse.y) - canvas_.y;
  if (x < 0 || y < 0 || x >= canvas_.width || y >= canvas_.height) { return std::nullopt; }
  auto const on = [](int pixel, int pixels, std::size_t count) {
    return span_of(static_cast<std::size_t>(pixel), static_cast<std::size_t>(pixels), count);
  };
  auto const [left, right] = on(x, canvas_.width, shown_->bases[0].size());
  auto const [top, bottom] = on(y, canvas_.height, shown_->bases[1].size());
  BasisPair most{static_cast<std::uint32_t>(top), static_cast<std::uint32_t>(left)};
  for (std::size_t row = top; row < bottom; ++row) {
    for (std::size_t column = left; column < right; ++column) {
      BasisPair const pair{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)};
      if (votes_for(pair) > votes_for(most)) { most = pair; }
    }
  }
  return most;
}

/// Draws rings around the candidates, and cross hairs through the chosen pair.
void VoteView::draw_marks(ImDrawList& list, Look const& look, MatchState const& state) const
{
  auto const ring = [&](BasisPair const& pair, ImU32 color, float thickness) {
    ImVec2 const middle = middle_of(pair);
    list.AddCircle(middle, look(7.0f), theme::with_alpha(theme::rim, 0.78f), 0, look(thickness + 2.0f));
    list.AddCircle(middle, look(7.0f), color, 0, look(thickness));
  };
  std::vector<matching::Candidate> const& candidates = shown_->snapshot.candidates;
  for (std::size_t i = std::min(candidates.size(), max_candidates); i-- > 0;) {
    BasisPair const pair{candidates[i].query_basis, candidates[i].reference_basis};
    bool const there = pair.query < shown_->bases[1].size() && pair.reference < shown_->bases[0].size();
    if (!there) { continue; }
    bool const is_match = i == 0 && shown_->snapshot.found;
    ring(pair, is_match ? found_color : theme::text_dim, i == state.overlaid() ? 2.5f : 1.2f);
  }
  if (state.pair) { ring(*state.pair, basis_color, 2.0f); }
}

void VoteView::draw_tooltip(BasisPair const& pair) const
{
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(
      tr("{} votes\nbasis {} of the query, {} of the reference", grouped(votes_for(pair)), pair.query, pair.reference)
          .c_str());
  ImGui::EndTooltip();
}

void VoteView::draw(Look const& look, MatchState& state)
{
  begin_canvas_window("##votes", canvas_);
  ImGui::InvisibleButton("votes", {static_cast<float>(canvas_.width), static_cast<float>(canvas_.height)});
  bool const hovered = ImGui::IsItemHovered();
  bool const pressed = ImGui::IsItemClicked();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 const low{static_cast<float>(canvas_.x), static_cast<float>(canvas_.y)};
  ImVec2 const high{low.x + static_cast<float>(canvas_.width), low.y + static_cast<float>(canvas_.height)};
  bool const has_votes = shown_ && !shown_->votes.empty() && !texture_.empty() &&
                         shown_->votes.size() == shown_->bases[0].size() * shown_->bases[1].size();
  if (!has_votes) {
    list.AddText({low.x + look(10.0f), low.y + look(10.0f)}, theme::text_dim, tr("No votes: there are no bases."));
    return ImGui::End();
  }
  list.AddRectFilled(low, high, packed(palette_color(palette_, 0.0)));
  float filled = 1.0f;
  if (auto const row = state.voting_basis()) {
    filled = static_cast<float>(*row) / static_cast<float>(shown_->bases[1].size());
  }
  float const edge = low.y + filled * (high.y - low.y);
  list.AddImage(texture_.id(), low, {high.x, edge}, {0.0f, 0.0f}, {1.0f, filled});
  if (filled < 1.0f) {
    list.AddLine({low.x, edge}, {high.x, edge}, query_color, look(2.0f));
  } else {
    draw_marks(list, look, state);
  }
  if (hovered && filled < 1.0f && pressed) {
    state.filled = 1.0;
  } else if (auto const pair = hovered ? pair_at(ImGui::GetIO().MousePos) : std::nullopt) {
    draw_tooltip(*pair);
    if (pressed) { click_ = *pair; }
  }
  ImGui::End();
}

}  // namespace slotscape
