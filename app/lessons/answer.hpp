#pragma once

#include "app/lessons/panel.hpp"
#include "app/lessons/read_answer.hpp"

#include <vector>

namespace slotscape::lessons {

/// Explains, before the page has begun, when the question can be answered.
std::string when_to_answer(Session const& session);

/// Handles a character typed outside of any field while a question is open: digits and letters answer it. Returns
/// whether the character was used; otherwise it may be a command, or a key for the table.
bool type_answer(Session const& session, PanelState& state, char character, std::vector<Wish>& wishes);
/// Handles Enter, which submits the answer.
bool enter_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes);

/// The field for a number, with a button beside it. `what`: "a number", "a slot".
void draw_answer_field(Look const& look, Session const& session, char const* what, PanelState& state,
                       std::vector<Wish>& wishes);
/// Submits the answer in the field; if it is invalid, says why and keeps the keyboard.
void give_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes);
/// Discards an answer that was typed for a previous question.
void follow_question(Session const& session, PanelState& state);
/// Call after the wishes of the previous frame are done: a requested new try has been granted by then, or cannot be.
void follow_wishes(Session const& session, PanelState& state);

}  // namespace slotscape::lessons
