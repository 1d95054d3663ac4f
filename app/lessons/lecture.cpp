// Pages as the audience sees them, and notes for the speaker.

#include "app/base/text.hpp"
#include "app/lessons/panel.hpp"
#include "app/lessons/rich_text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape::lessons {
namespace {

constexpr float share_of_text = 0.34f;  ///< share of the width
constexpr float margin = 26.0f;
constexpr float title_size = 30.0f;
constexpr float text_size = 22.0f;
constexpr float smallest_share = 0.55f;  ///< share of these sizes, for pages with much text

/// The votes for an answer in one round.
struct VoteBar {
  float share;  ///< share of all votes
  std::string label;
  bool latest;  ///< the latest of the rounds shown
};

/// One text of a page.
struct Part {
  std::string text;
  float size;
  float gap;                        ///< space before it
  bool marked = false;              ///< the right option, once it has been revealed
  std::vector<VoteBar> votes = {};  ///< bars below the text
};

constexpr float bar_height = 18.0f;
constexpr float bar_gap = 5.0f;
constexpr float bar_share = 0.66f;  ///< share of the width that stands for all votes

constexpr float mark_width = 6.0f;
constexpr float mark_gap = 6.0f;  ///< space between the mark and the text

std::vector<VoteBar> bars_of(Vote const& vote, std::size_t line)
{
  std::vector<VoteBar> bars;
  bars.reserve(vote.shown);
  for (std::size_t round = 0; round < vote.shown; ++round) {
    std::uint64_t const votes = votes_for(vote.lines[line], round);
    auto const all = static_cast<double>(std::max<std::uint64_t>(votes_in(vote, round), 1));
    double const share = static_cast<double>(votes) / all;
    bars.push_back(
        {static_cast<float>(share), fmt::format("{} · {:.0f} %", votes, 100.0 * share), round + 1 == vote.shown});
  }
  return bars;
}

Part option_part(Session const& session, Choice const& choice, std::size_t i, Vote const* vote)
{
  bool const told = session.task().stage == TaskState::Stage::told;
  std::string const text = fill_in(choice.options[i].text, session.names());
  bool const marked = told && choice.options[i].right;
  return {marked ? fmt::format("**{}  {}**", letter_of(i), text) : fmt::format("*{}*  {}", letter_of(i), text),
          text_size, 8.0f, marked, vote == nullptr ? std::vector<VoteBar>() : bars_of(*vote, i)};
}

/// Whether a called-out answer is right, once the right answer has been revealed.
bool is_told_as_right(Session const& session, VoteLine const& line)
{
  if (session.task().stage != TaskState::Stage::told) { return false; }
  if (line.right) { return *line.right; }
  auto const given = parse_number<double>(line.answer);
  auto const answer = find_statistic(session.statistics(), "answer");
  return given && answer && *answer == Quantity(*given);
}

/// Adds an audience's answers to a question without options.
void add_votes(Session const& session, Vote const& vote, std::vector<Part>& parts)
{
  for (std::size_t i = 0; i < vote.lines.size(); ++i) {
    VoteLine const& line = vote.lines[i];
    if (line.answer.empty()) { continue; }
    parts.push_back({line.answer, text_size, 8.0f, is_told_as_right(session, line), bars_of(vote, i)});
  }
}

/// Returns the height of the bars.
float draw_bars(Drawing* drawing, Look const& look, std::vector<VoteBar> const& bars, ImVec2 at, float width,
                float share)
{
  float y = at.y;
  float const height = look(bar_height) * share;
  for (VoteBar const& bar : bars) {
    y += look(bar_gap) * share;
    if (drawing != nullptr) {
      float const right = at.x + std::max(width * bar_share * bar.share, look(2.0f));
      ImU32 const color = bar.latest ? theme::accent : theme::text_faint;
      drawing->fill({at.x, y}, {right, y + height}, color, look(2.0f));
      drawing->text({right + look(8.0f), y}, height, theme::text, bar.label);
    }
    y += height;
  }
  if (!bars.empty()) { y += look(bar_gap) * share; }
  return y - at.y;
}

/// Marks the right option by a bar beside it and a tint behind it, visible from the last row.
void draw_mark(Drawing& drawing, Look const& look, ImVec2 at, float width, float height)
{
  float const gap = look(mark_gap);
  ImVec2 const low{at.x - gap - look(mark_width), at.y - gap / 2.0f};
  ImVec2 const high{at.x + width + gap, at.y + height + gap / 2.0f};
  drawing.fill(low, high, theme::with_alpha(theme::accent, 0.22f), look(4.0f));
  drawing.fill(low, {low.x + look(mark_width), high.y}, theme::accent, look(2.0f));
}

void add_task(Session const& session, Vote const* vote, std::vector<Part>& parts)
{
  Task const& task = *session.page().task;
  TaskState const& state = session.task();
  parts.push_back({fill_in(task.ask, session.names()), text_size, 18.0f});
  if (auto const* choice = std::get_if<Choice>(&task.of)) {
    for (std::size_t i = 0; i < choice->options.size(); ++i) {
      parts.push_back(option_part(session, *choice, i, vote));
    }
  } else if (vote != nullptr) {
    add_votes(session, *vote, parts);
  }
  if (auto const* challenge = std::get_if<Challenge>(&task.of)) {
    for (std::size_t i = 0; i < std::min(challenge->until.size(), state.findings.size()); ++i) {
      Finding const& finding = state.findings[i];
      std::string const wanted = finding.wanted.empty() ? "" : " — " + finding.wanted;
      parts.push_back(
          {fmt::format("- {}: **{}**{}", challenge->until[i].what, finding.value, wanted), text_size * 0.85f, 8.0f});
    }
  }
  if (state.stage == TaskState::Stage::told) { parts.push_back({state.told, text_size, 14.0f}); }
}

/// A question typed by the lecturer replaces the page's text.
std::vector<Part> parts_of_own(Vote const& vote)
{
  std::vector<Part> parts{{vote.title, text_size * 0.8f, 0.0f}, {"**" + vote.question + "**", text_size, 14.0f}};
  for (std::size_t i = 0; i < vote.lines.size(); ++i) {
    parts.push_back(
        {fmt::format("*{}*  {}", letter_of(i), vote.lines[i].answer), text_size, 8.0f, false, bars_of(vote, i)});
  }
  return parts;
}

/// The parts of a page. `vote`: what the audience sees of the vote; null: no vote.
std::vector<Part> parts_of(Session const& session, Vote const* vote)
{
  if (vote != nullptr && vote->kind == VoteKind::own) { return parts_of_own(*vote); }
  std::vector<Part> parts{{"**" + session.page().title + "**", title_size, 0.0f}, {session.text(), text_size, 12.0f}};
  if (session.page().task) { add_task(session, vote, parts); }
  return parts;
}

/// Draws, or only measures, all parts at a share of their sizes.
float lay_out(Drawing* drawing, Look const& look, std::vector<Part> const& parts, ImVec2 at, float width, float share)
{
  float y = at.y;
  for (Part const& part : parts) {
    y += look(part.gap) * share;
    TextLook const letters = text_look(look, std::round(look(part.size) * share));
    RichText const text = parse_rich_text(part.text);
    if (drawing != nullptr && part.marked) {
      float const bars = draw_bars(nullptr, look, part.votes, {}, width, share);
      draw_mark(*drawing, look, {at.x, y}, width, height_of(width, letters, text) + bars);
    }
    y += drawing != nullptr ? draw_rich_text(*drawing, {at.x, y}, width, letters, text)
                            : height_of(width, letters, text);
    y += draw_bars(drawing, look, part.votes, {at.x, y}, width, share);
  }
  return y - at.y;
}

void draw_parts(Look const& look, std::vector<Part> const& parts, Rectangle const& place)
{
  float const room = static_cast<float>(place.height) - look(2.0f * margin);
  float const width = static_cast<float>(place.width) - look(2.0f * margin);
  float share = 1.0f;
  while (share > smallest_share && lay_out(nullptr, look, parts, {}, width, share) > room) { share -= 0.03f; }
  ScreenDrawing drawing(*ImGui::GetBackgroundDrawList(), look.font);
  lay_out(&drawing, look, parts,
          {static_cast<float>(place.x) + look(margin), static_cast<float>(place.y) + look(margin)}, width, share);
}

/// The vote, if the audience sees it; otherwise null.
Vote const* shown_of(Vote const* vote)
{
  bool const is_shown = vote != nullptr && (vote->shown > 0 || vote->kind == VoteKind::own);
  return is_shown ? vote : nullptr;
}

}  // namespace

Rectangle lecture_place(Rectangle const& window)
{
  return {window.x, window.y, static_cast<int>(share_of_text * static_cast<float>(window.width)), window.height};
}

float lecture_height(Look const& look, Session const& session, Vote const* vote, Rectangle const& place)
{
  float const width = static_cast<float>(place.width) - look(2.0f * margin);
  return look(2.0f * margin) + lay_out(nullptr, look, parts_of(session, shown_of(vote)), {}, width, 1.0f);
}

void draw_lecture(Look const& look, Session const& session, Vote const* vote, Rectangle const& place)
{
  ImGui::GetBackgroundDrawList()->AddRectFilled({static_cast<float>(place.x), static_cast<float>(place.y)},
                                                {static_cast<float>(place.x + place.width),
                                                 static_cast<float>(place.y + place.height)},
                                                theme::panel);
  draw_parts(look, parts_of(session, shown_of(vote)), place);
}

std::string notes_of(Session const& session)
{
  std::string const& notes = session.page().notes;
  return tr("\n--- {} of {}: {}\n{}{}", session.number() + 1, session.count(), session.page().title, notes,
            notes.empty() || notes.ends_with('\n') ? "" : "\n");
}

void draw_notes(Look const& look, Session const& session, Rectangle const& place)
{
  std::string const& notes = session.page().notes;
  std::vector<Part> const parts{{tr("{} of {}", session.number() + 1, session.count()), text_size * 0.8f, 0.0f},
                                {"**" + session.page().title + "**", title_size, 6.0f},
                                {notes.empty() ? tr("*No notes.*") : notes, text_size, 16.0f}};
  draw_parts(look, parts, place);
}

}  // namespace slotscape::lessons
