#pragma once

#include "app/lessons/session.hpp"
#include "app/lessons/vote_fields.hpp"
#include "app/lessons/votes.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape::lessons {

/// Information for a presenter beside the page that is shown.
struct PresenterFacts {
  std::string question;    ///< of this page, with its answer, in Markdown; empty: none, or not yet
  std::string next_title;  ///< of the next page; empty: none
  std::string next_text;   ///< Markdown
  std::string clock;       ///< "14:05"
  double seconds = 0.0;    ///< since the start
  bool shows_answer_next = false;
  bool takes_votes = false;  ///< whether votes can be counted on the page's question
};

enum class PresenterPress : std::uint8_t { nothing, next, back, count, show };

/// Draws notes, the next page, the time and the votes, filling a window. `vote`: the vote being counted; null: none.
PresenterPress draw_presenter(Look const& look, Session const& session, PresenterFacts const& facts, Vote* vote,
                              VoteFields& fields, Rectangle const& place);

/// "12:05", or "1:12:05".
std::string duration_text(double seconds);

}  // namespace slotscape::lessons
