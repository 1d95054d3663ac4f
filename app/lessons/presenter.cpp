#include "app/lessons/presenter.hpp"

#include "app/lessons/rich_text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape::lessons {
namespace {

constexpr float presenter_margin = 24.0f;
constexpr float notes_share = 0.58f;  ///< share of the width
constexpr float notes_size = 22.0f;
constexpr float question_size = 19.0f;
constexpr float next_size = 17.0f;
constexpr float buttons_height = 56.0f;
constexpr float votes_height = 190.0f;  ///< height of the fields, below the buttons

void draw_time(Look const& look, Session const& session, PresenterFacts const& facts)
{
  ImGui::PushFont(look.font, look.large);
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", tr("{} of {}", session.number() + 1, session.count()).c_str());
  ImGui::SameLine();
  text_right(theme::text, tr("{} so far · now {}", duration_text(facts.seconds), facts.clock));
  ImGui::PopFont();
}

void draw_page_notes(Look const& look, Page const& page, ImVec2 size)
{
  ImGui::BeginChild("notes", size);
  rich_text(look, look(28.0f), "**" + page.title + "**");
  ImGui::Dummy({0.0f, look(8.0f)});
  rich_text(look, look(notes_size), page.notes.empty() ? tr("*No notes.*") : page.notes);
  ImGui::EndChild();
}

/// Draws the question of this page, then the next page.
void draw_question_and_next(Look const& look, PresenterFacts const& facts, ImVec2 size)
{
  ImGui::BeginChild("next", size);
  if (!facts.question.empty()) {
    heading(look, "QUESTION");
    rich_text(look, look(question_size), facts.question);
    ImGui::Dummy({0.0f, look(8.0f)});
  }
  heading(look, "NEXT PAGE");
  if (facts.next_title.empty()) {
    remark(look, tr("This is the last page."));
  } else {
    rich_text(look, look(22.0f), "**" + facts.next_title + "**");
    ImGui::Dummy({0.0f, look(4.0f)});
    rich_text(look, look(next_size), facts.next_text);
  }
  ImGui::EndChild();
}

PresenterPress draw_page_buttons(Look const& look, Session const& session, PresenterFacts const& facts)
{
  PresenterPress press = PresenterPress::nothing;
  ImVec2 const size{look(170.0f), look(40.0f)};
  ImGui::BeginDisabled(!session.has_previous());
  if (text_button("Back", size)) { press = PresenterPress::back; }
  ImGui::EndDisabled();
  ImGui::SameLine();
  char const* const next = facts.shows_answer_next ? translatable("Show the answer") : translatable("Next");
  ImGui::BeginDisabled(!facts.shows_answer_next && !session.has_next());
  if (primary_button(next, size)) { press = PresenterPress::next; }
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!facts.takes_votes);
  if (text_button("Count votes", size)) { press = PresenterPress::count; }
  ImGui::EndDisabled();
  return press;
}

}  // namespace

std::string duration_text(double seconds)
{
  auto const whole = static_cast<long>(std::max(seconds, 0.0));
  long const hours = whole / 3600;
  std::string const rest = fmt::format("{:02}:{:02}", whole / 60 % 60, whole % 60);
  return hours == 0 ? rest : fmt::format("{}:{}", hours, rest);
}

PresenterPress draw_presenter(Look const& look, Session const& session, PresenterFacts const& facts, Vote* vote,
                              VoteFields& fields, Rectangle const& place)
{
  auto const width = static_cast<float>(place.width);
  auto const height = static_cast<float>(place.height);
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(presenter_margin), look(presenter_margin)});
  ImGui::Begin("##presenter", nullptr, strip_flags);
  draw_time(look, session, facts);
  float const room = width - 2.0f * look(presenter_margin);
  float const lower = look(buttons_height) + (vote == nullptr ? 0.0f : look(votes_height));
  float const upper = std::max(ImGui::GetContentRegionAvail().y - lower, look(80.0f));
  float const left = notes_share * room;
  draw_page_notes(look, session.page(), {left, upper});
  ImGui::SameLine(0.0f, look(presenter_margin));
  draw_question_and_next(look, facts, {room - left - look(presenter_margin), upper});
  PresenterPress press = draw_page_buttons(look, session, facts);
  if (vote != nullptr) {
    switch (draw_vote_fields(look, *vote, false, fields)) {
      case VotePress::show: press = PresenterPress::show; break;
      case VotePress::close: press = PresenterPress::count; break;
      case VotePress::nothing: break;
    }
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  return press;
}

}  // namespace slotscape::lessons
