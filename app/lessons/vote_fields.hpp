#pragma once

#include "app/lessons/votes.hpp"
#include "app/widgets/look.hpp"

namespace slotscape::lessons {

/// What the fields for votes keep between frames.
struct VoteFields {
  std::size_t field = 0;   ///< that has the keyboard, or had it last, in the order in which they are typed
  bool focus = true;       ///< it is to have it, and does not have it yet
  int frames_without = 0;  ///< since then
  bool all_typed = false;  ///< Enter was pressed in the last one that is needed: it shows the vote now
  bool replaced = false;   ///< its first characters were typed before it had the keyboard
  int height = 0;          ///< of the panel, when it was last drawn
};

/// Enter: the next field gets the keyboard, if there is one. After an answer that is empty, there are no more.
void go_to_next_field(Vote const& vote, VoteFields& fields);
/// A character that no field got: a digit goes into the one that is about to have the keyboard. Returns whether it is
/// for nothing else.
bool type_vote(Vote& vote, VoteFields& fields, char character);

/// What was pressed there.
enum class VotePress : std::uint8_t { nothing, show, close };

/// The fields for the round that is counted, in ImGui's current window. `hidden`: the audience may look on, so digits
/// are stars.
VotePress draw_vote_fields(Look const& look, Vote& vote, bool hidden, VoteFields& fields);

/// The same as a panel at the bottom of a lecture's page, hidden until the round is shown.
VotePress draw_vote_panel(Look const& look, Vote& vote, Rectangle const& place, VoteFields& fields);

}  // namespace slotscape::lessons
