#pragma once

#include "app/lessons/panel.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::lessons {

/// What a text is as a number: its value or, where it is none, what to type instead.
struct ReadAnswer {
  std::optional<double> number;
  std::optional<double> otherwise;  ///< where points and commas change places: 36.788 for "36,788"
  std::string complaint;
};
/// Reads "12.5", "65,536", "65 536", "37.5%" (0.375) and formulas such as "1/(1-0.75)" and "100,000 - 77,686".
ReadAnswer read_number(std::string_view text);
/// The same for the question that is open: a slot must be there, a count be whole.
ReadAnswer read_answer(std::string_view text, Session const& session);

/// Whether the page asks for a number: in a field, or by a click on a slot.
bool asks_number(Session const& session);

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

}  // namespace slotscape::lessons
