#pragma once

#include "app/lessons/panel.hpp"
#include "app/lessons/read_answer.hpp"

#include <vector>

namespace slotscape::lessons {

/// What an answer waits for before the page has begun.
std::string when_to_answer(Session const& session);

/// What was typed outside of any field while a question is open: digits and letters are its answer. Returns whether the
/// character was taken; else it may be a command, or a key for the table.
bool type_answer(Session const& session, PanelState& state, char character, std::vector<Wish>& wishes);
/// The same for Enter, which gives the answer.
bool enter_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes);

/// The field for a number, and the button beside it. `what`: "a number", "a slot".
void draw_answer_field(Look const& look, Session const& session, char const* what, PanelState& state,
                       std::vector<Wish>& wishes);
/// Gives the answer in the field, or says why it is none and keeps the keyboard.
void give_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes);
/// Forgets what was typed for another question.
void follow_question(Session const& session, PanelState& state);
/// The same once the wishes of the frame before are done: who asked for another try has it by now, or cannot have it.
void follow_wishes(Session const& session, PanelState& state);

}  // namespace slotscape::lessons
