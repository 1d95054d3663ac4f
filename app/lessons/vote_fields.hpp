#pragma once

#include "app/lessons/votes.hpp"
#include "app/widgets/look.hpp"

namespace slotscape::lessons {

/// The state of the fields for votes between frames.
struct VoteFields {
  std::size_t field = 0;   ///< the field with the keyboard, now or last, in typing order
  bool focus = true;       ///< the field should get the keyboard, but does not have it yet
  int frames_without = 0;  ///< frames since `focus` was set
  bool all_typed = false;  ///< Enter was pressed in the last field needed: show the vote now
  bool replaced = false;   ///< the first characters of a text were typed before the field had the keyboard
  int height = 0;          ///< height of the panel when it was last drawn
};

/// Handles Enter: moves to the next field, if there is one. There are none after an empty answer.
void go_to_next_field(Vote const& vote, VoteFields& fields);
/// Handles a character that no field received: a digit goes into the field that is about to get the keyboard. Returns
/// true for every digit, as digits have no other use here.
bool type_vote(Vote& vote, VoteFields& fields, char character);

/// The button that was pressed.
enum class VotePress : std::uint8_t { nothing, show, close };

/// The fields for the round being counted, in ImGui's current window. `hidden`: the audience may be watching, so digits
/// are shown as stars.
VotePress draw_vote_fields(Look const& look, Vote& vote, bool hidden, VoteFields& fields);

/// The fields as a panel at the bottom of a lecture's page; digits are hidden until the round is shown.
VotePress draw_vote_panel(Look const& look, Vote& vote, Rectangle const& place, VoteFields& fields);

}  // namespace slotscape::lessons
