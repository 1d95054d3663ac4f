#include "app/lessons/answer.hpp"

#include <fmt/format.h>
#include "gpu/base/translation.hpp"

#include <cctype>
#include <utility>

namespace slotscape::lessons {
namespace {

using TaskStage = TaskState::Stage;

constexpr char const* read_first =
    translatable("Press Enter once more for another question, or a letter for another option.");

constexpr char const* answered = translatable(
    "This question is answered. Press Enter for another try. To type keys, click the field above the table first.");

constexpr char const* answered_right =
    translatable("This question is answered. Letter keys work again on the next page; until then, use the menus.");

Choice const* open_choice(Session const& session)
{
  return session.page().task ? std::get_if<Choice>(&session.page().task->of) : nullptr;
}

bool asks_slot(Session const& session)
{
  auto const* prediction = session.page().task ? std::get_if<Prediction>(&session.page().task->of) : nullptr;
  return prediction != nullptr && prediction->asks == Prediction::Asks::slot;
}

bool was_wrong(Session const& session)
{
  return session.task().stage == TaskStage::told && !session.task().right;
}

/// A letter chooses an option.
bool choose(Session const& session, Choice const& choice, PanelState& state, char character, std::vector<Wish>& wishes)
{
  if (std::isalnum(static_cast<unsigned char>(character)) == 0) { return false; }
  auto const option = static_cast<std::size_t>(std::toupper(static_cast<unsigned char>(character)) - 'A');
  bool const is_option = option < choice.options.size();
  bool const is_told = session.task().stage == TaskStage::told;
  if (is_told && !session.takes_choice()) {
    if (!is_option) { return false; }
    state.complaint = tr(answered_right);
    return true;  // a key that was an answer a moment ago must not clear the table now
  }
  if (!session.takes_choice()) {
    if (!session.begun()) { state.complaint = when_to_answer(session); }
    return true;
  }
  if (is_option) {
    state.read_it = false;
    state.complaint.clear();
    wishes.emplace_back([option](Session& each) { each.choose_option(option); });
  } else {
    state.complaint = tr("Choose with a letter, from A to {}.", letter_of(choice.options.size() - 1));
  }
  return true;
}

}  // namespace

std::string when_to_answer(Session const& session)
{
  return session.page().measured ? tr("Answer when the measurement is done.") : tr("Answer when the table is ready.");
}

void follow_question(Session const& session, PanelState& state)
{
  if (state.visit != session.visit()) {
    PanelState fresh;
    fresh.wants_close = state.wants_close;
    fresh.visit = session.visit();
    fresh.frames_to_scroll = 2;  // scrolls to the top
    if (state.again && state.typed) {
      fresh.number = std::move(state.number);
      fresh.typed = fresh.focus = fresh.replaced = true;
      fresh.given = state.given;
    }
    state = std::move(fresh);
  }
  bool const can_answer_now = session.begun() && state.complaint == when_to_answer(session);
  if (can_answer_now) { state.complaint.clear(); }
  if (state.clicked == session.task().chosen) { return; }
  state.clicked = session.task().chosen;
  if (!state.clicked || !asks_slot(session)) { return; }
  state.number = std::to_string(*state.clicked);
  state.typed = false;
  state.complaint.clear();
}

void follow_wishes(Session const& session, PanelState& state)
{
  follow_question(session, state);
  state.again = false;
}

void give_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes)
{
  if (session.task().stage != TaskStage::asking) { return; }
  state.given = !session.begun();
  if (state.given) { return; }
  ReadAnswer const read = read_answer(state.number, session);
  state.complaint = read.complaint;
  state.focus = !read.number;
  state.typed = false;
  if (!read.number) { return; }
  wishes.emplace_back([read](Session& each) { each.give_number(*read.number, read.otherwise); });
}

bool type_answer(Session const& session, PanelState& state, char character, std::vector<Wish>& wishes)
{
  follow_question(session, state);
  if (Choice const* const choice = open_choice(session)) { return choose(session, *choice, state, character, wishes); }
  if (!asks_number(session)) { return false; }
  bool const is_digit = std::isdigit(static_cast<unsigned char>(character)) != 0;
  bool const begins_number = is_digit || character == '.' || character == '-';
  switch (session.task().stage) {
    case TaskStage::told:
      if (state.again) { break; }
      if (!was_wrong(session) || !begins_number) { return false; }
      state.complaint = tr(answered);
      return true;
    case TaskStage::working: return begins_number || std::isalpha(static_cast<unsigned char>(character)) != 0;
    case TaskStage::asking: break;
  }
  bool const is_help = character == '?' || character == ' ';
  if (is_help && !state.focus) { return false; }
  state.given = false;
  if (!std::exchange(state.typed, true)) { state.number.clear(); }
  state.number += character;
  state.complaint.clear();
  state.focus = state.replaced = true;
  return true;
}

bool enter_answer(Session const& session, PanelState& state, std::vector<Wish>& wishes)
{
  follow_question(session, state);
  bool const asks = asks_number(session) || open_choice(session) != nullptr;
  if (!asks) { return false; }
  if (state.again) {
    state.given = state.typed;
    return true;
  }
  bool const is_hasty = was_wrong(session) && open_choice(session) != nullptr && !std::exchange(state.read_it, true);
  if (is_hasty) {
    state.complaint = tr(read_first);
    return true;
  }
  if (was_wrong(session)) {
    wishes.emplace_back([](Session& each) { each.another(); });
    return true;
  }
  if (session.task().stage != TaskStage::asking || !asks_number(session)) { return false; }
  give_answer(session, state, wishes);
  return true;
}

}  // namespace slotscape::lessons
