#include "app/lessons/votes.hpp"

#include "app/base/text.hpp"
#include "app/lessons/markdown.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape::lessons {
namespace {

Choice const* choice_of(Session const& session)
{
  return session.page().task ? std::get_if<Choice>(&session.page().task->of) : nullptr;
}

std::vector<VoteLine> lines_of(VoteKind kind)
{
  if (kind == VoteKind::called_out) { return std::vector<VoteLine>(max_typed_answers); }
  return {{tr("Correct"), true, {}}, {tr("Incorrect"), false, {}}};
}

std::string_view word_of(std::optional<bool> right)
{
  if (!right) { return ""; }
  return *right ? "yes" : "no";
}

/// A letter for options: A, B, …; otherwise the number of the line.
std::string name_of_line(Vote const& vote, std::size_t line)
{
  return has_letters(vote) ? letter_of(line) : std::to_string(line + 1);
}

std::string lines_in_csv(std::size_t page, Vote const& vote)
{
  std::string csv;
  bool const is_markdown = vote.kind == VoteKind::options;
  std::string const question = vote.kind == VoteKind::own ? vote.question : without_markup(vote.question);
  for (std::size_t round = 0; round < max_vote_rounds; ++round) {
    if (votes_in(vote, round) == 0) { continue; }
    for (std::size_t i = 0; i < vote.lines.size(); ++i) {
      VoteLine const& line = vote.lines[i];
      bool const is_empty = vote.kind == VoteKind::called_out && line.answer.empty() && line.counts[round].empty();
      if (is_empty) { continue; }
      std::string const text = is_markdown ? without_markup(line.answer) : line.answer;
      csv += fmt::format("{},{},{},{},{},{},{},{}\n", page + 1, in_csv(vote.title), in_csv(question), round + 1,
                         name_of_line(vote, i), in_csv(text), word_of(line.right), votes_for(line, round));
    }
  }
  return csv;
}

}  // namespace

Vote new_vote(Session const& session)
{
  if (!session.page().task) { throw Error(tr("This page has no question to vote on.")); }
  Vote vote;
  vote.title = session.page().title;
  vote.question = fill_in(session.page().task->ask, session.names());
  Choice const* const choice = choice_of(session);
  vote.kind = choice == nullptr ? VoteKind::right_or_wrong : VoteKind::options;
  if (choice == nullptr) {
    vote.lines = lines_of(vote.kind);
    return vote;
  }
  vote.lines.reserve(choice->options.size());
  for (Option const& option : choice->options) {
    vote.lines.push_back({fill_in(option.text, session.names()), option.right, {}});
  }
  return vote;
}

bool has_letters(Vote const& vote)
{
  return vote.kind == VoteKind::options || vote.kind == VoteKind::own;
}

bool is_vote_on(Vote const& vote, Session const& session)
{
  if (vote.kind == VoteKind::own) { return true; }
  if (!session.page().task) { return false; }
  Choice const* const choice = choice_of(session);
  if (choice == nullptr || vote.kind != VoteKind::options) {
    return choice == nullptr && vote.kind != VoteKind::options;
  }
  auto const is_of = [](VoteLine const& line, Option const& option) { return line.right == option.right; };
  return std::ranges::equal(vote.lines, choice->options, is_of);
}

bool asks_the_same(Vote const& left, Vote const& right)
{
  return left.question == right.question &&
         std::ranges::equal(left.lines, right.lines, {}, &VoteLine::answer, &VoteLine::answer);
}

void set_kind(Vote& vote, VoteKind kind)
{
  bool const may_change = vote.kind != kind && !has_letters(vote) && !has_counts(vote);
  if (!may_change) { return; }
  vote.kind = kind;
  vote.lines = lines_of(kind);
}

std::uint64_t votes_for(VoteLine const& line, std::size_t round)
{
  return parse_number<std::uint64_t>(line.counts[round]).value_or(0);
}

std::uint64_t votes_in(Vote const& vote, std::size_t round)
{
  std::uint64_t sum = 0;
  for (VoteLine const& line : vote.lines) { sum += votes_for(line, round); }
  return sum;
}

bool has_counts(Vote const& vote)
{
  return std::ranges::any_of(vote.lines, [](VoteLine const& line) {
    return std::ranges::any_of(line.counts, [](std::string const& count) { return !count.empty(); });
  });
}

void begin_count(Vote& vote)
{
  vote.round = std::min(vote.shown, max_vote_rounds - 1);
}

void show_votes(Vote& vote)
{
  if (votes_in(vote, vote.round) == 0) { throw Error(tr("First type how many hands went up for each answer.")); }
  vote.shown = std::max(vote.shown, vote.round + 1);
}

std::string votes_csv(Votes const& votes, Votes const& own)
{
  std::string csv = "page,title,question,round,answer,text,right,votes\n";
  std::size_t const header = csv.size();
  for (Votes const* const each : {&votes, &own}) {
    for (auto const& [page, vote] : *each) { csv += lines_in_csv(page, vote); }
  }
  if (csv.size() == header) {
    throw Error(tr("There are no votes yet. Count them in lecture mode: press V to open the fields."));
  }
  return csv;
}

}  // namespace slotscape::lessons
