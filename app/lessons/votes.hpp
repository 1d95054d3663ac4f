#pragma once

#include "app/lessons/session.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::lessons {

inline constexpr std::size_t max_vote_rounds = 2;  ///< before and after the audience has talked about it
inline constexpr std::size_t max_typed_answers = 6;

/// What an audience votes for: the options of a choice; else whether they had it right, or answers that they call out;
/// or the options of a question that the lecturer has typed.
enum class VoteKind : std::uint8_t { options, right_or_wrong, called_out, own };

struct VoteLine {
  std::string answer;  ///< Markdown; of an answer that was called out, as it was typed
  std::optional<bool> right;
  std::array<std::string, max_vote_rounds> counts = {};  ///< digits, as they were typed; empty: none
};

/// A vote on a page's question by show of hands. Only rounds that are shown are for the audience.
struct Vote {
  VoteKind kind = VoteKind::options;
  std::string title;  ///< of the page
  std::string question;
  std::vector<VoteLine> lines = {};
  std::size_t round = 0;  ///< that is counted, from 0
  std::size_t shown = 0;  ///< rounds
};

/// By page of a lesson, from 0.
using Votes = std::map<std::size_t, Vote>;

/// On the question of the page that is shown. Throws Error if it asks nothing.
Vote new_vote(Session const& session);
/// Whether a vote is one on the question that is shown: its file may have changed.
bool is_vote_on(Vote const& vote, Session const& session);
/// Whether both are on one question, with the same answers.
bool asks_the_same(Vote const& left, Vote const& right);
/// Of a question without options, while nothing was counted: an empty vote of the other kind.
void set_kind(Vote& vote, VoteKind kind);

std::uint64_t votes_for(VoteLine const& line, std::size_t round);
std::uint64_t votes_in(Vote const& vote, std::size_t round);
bool has_counts(Vote const& vote);
/// Whether the answers are options, which have letters.
bool has_letters(Vote const& vote);

/// Counts the next round or, after the last one, that one again.
void begin_count(Vote& vote);
/// Shows the round that was counted. Throws Error if nobody voted.
void show_votes(Vote& vote);

/// A line for each answer and round; `own`: those on the lecturer's questions. Throws Error if there is no vote.
std::string votes_csv(Votes const& votes, Votes const& own = {});

}  // namespace slotscape::lessons
