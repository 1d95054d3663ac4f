#pragma once

#include "app/scenes/match/state.hpp"
#include "app/scenes/match/texture.hpp"
#include "app/widgets/look.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace slotscape {

/// Votes as a picture of `width` × `height` pixels. Each pixel covers a range of the query's bases (rows) and of the
/// reference's bases (columns), and shows their largest vote.
std::vector<std::uint32_t> shrunk_votes(std::vector<std::uint32_t> const& votes, std::size_t rows, std::size_t columns,
                                        std::size_t width, std::size_t height);

/// The array of votes as a heat map, with a row for each basis of the query, and a column for each of the reference.
class VoteView {
public:
  /// Places and updates the heat map.
  void place(Rectangle const& canvas, MatchState const& state);
  void draw(Look const& look, MatchState& state);
  /// The pair that the user clicked since the last call.
  bool clicked() const { return click_.has_value(); }
  std::optional<BasisPair> take_click() { return std::exchange(click_, std::nullopt); }

private:
  ImVec2 middle_of(BasisPair const& pair) const;
  std::optional<BasisPair> pair_at(ImVec2 mouse) const;
  std::uint32_t votes_for(BasisPair const& pair) const;
  void draw_marks(ImDrawList& list, Look const& look, MatchState const& state) const;
  void draw_tooltip(BasisPair const& pair) const;

  std::shared_ptr<MatchResult const> shown_;
  Rectangle canvas_;
  Palette palette_ = Palette::cividis;
  Texture texture_;
  std::optional<BasisPair> click_;
};

}  // namespace slotscape
