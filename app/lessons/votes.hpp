#pragma once

#include "app/lessons/session.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::lessons {

inline constexpr std::size_t max_vote_rounds = 2;  ///< before and after the audience has discussed the question
inline constexpr std::size_t max_typed_answers = 6;

/// What an audience votes on: the options of a choice; whether their own answer was right; answers that they call out;
/// or the options of a question typed by the lecturer.
enum class VoteKind : std::uint8_t { options, right_or_wrong, called_out, own };

struct VoteLine {
  std::string answer;  ///< Markdown; for called-out answers, the text as typed
  std::optional<bool> right;
  std::array<std::string, max_vote_rounds> counts = {};  ///< digits as typed; empty: none
};

/// A vote on a page's question by show of hands. The audience sees only rounds that are shown.
struct Vote {
  VoteKind kind = VoteKind::options;
  std::string title;  ///< title of the page
  std::string question;
  std::vector<VoteLine> lines = {};
  std::size_t round = 0;  ///< the round that is being counted, from 0
  std::size_t shown = 0;  ///< number of rounds that are shown
};

/// The votes of a lesson by page number, from 0.
using Votes = std::map<std::size_t, Vote>;

/// A vote on the current page's question. Throws Error if the page asks nothing.
Vote new_vote(Session const& session);
/// Whether a vote is on the current question; the lesson's file may have changed.
bool is_vote_on(Vote const& vote, Session const& session);
/// Whether both votes are on the same question, with the same answers.
bool asks_the_same(Vote const& left, Vote const& right);
/// For a question without options, before any votes are counted: replaces the vote by an empty one of this kind.
void set_kind(Vote& vote, VoteKind kind);

std::uint64_t votes_for(VoteLine const& line, std::size_t round);
std::uint64_t votes_in(Vote const& vote, std::size_t round);
bool has_counts(Vote const& vote);
/// Whether the answers are options, which are lettered.
bool has_letters(Vote const& vote);

/// Begins to count the next round; after the last round, that one again.
void begin_count(Vote& vote);
/// Shows the counted round. Throws Error if nobody voted.
void show_votes(Vote& vote);

/// A line for each answer and round; `own`: votes on the lecturer's questions. Throws Error if there is no vote.
std::string votes_csv(Votes const& votes, Votes const& own = {});

}  // namespace slotscape::lessons
