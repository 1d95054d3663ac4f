#include "app/lessons/panel.hpp"

#include "app/base/text.hpp"
#include "app/lessons/answer.hpp"
#include "app/lessons/rich_text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape::lessons {
namespace {

constexpr float usual_width = 372.0f;
constexpr float largest_share = 0.42f;  ///< share of the window
constexpr float panel_text_size = 17.0f;
constexpr float footer_height = 84.0f;
constexpr double patience_seconds = 0.4;  ///< delay before a page that has not begun says so

using TaskStage = TaskState::Stage;

/// Draws one frame of the panel and collects wishes.
class Panel {
public:
  Panel(Look const& look, Session const& session, LessonWords const& words, PanelState& state)
      : look_(look), session_(session), words_(words), state_(state)
  {
  }

  void header(std::string const& broken)
  {
    ImGui::PushFont(look_.font, look_.small);
    ImGui::TextColored(theme::rgba(theme::text_dim), "%s", words_.title.c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    float const button = look_(22.0f);
    align_right(button);
    if (icon_button(look_, "close", Icon::close, {button, button})) { state_.wants_close = true; }
    hint(look_, "Close the lesson. Your progress is kept.");
    if (!broken.empty()) { problem(broken); }
    ImGui::Dummy({0.0f, look_(2.0f)});
    rich_text(look_, look_(22.0f), "**" + session_.page().title + "**");
    ImGui::Dummy({0.0f, look_(4.0f)});
    rich_text(look_, look_(panel_text_size), session_.text());
    ImGui::Dummy({0.0f, look_(4.0f)});
  }

  /// Shows a note if measurements are not as expected.
  void doubt()
  {
    if (session_.doubt().empty()) { return; }
    ImVec2 const at = ImGui::GetCursorScreenPos();
    ImGui::Indent(look_(12.0f));
    rich_text(look_, look_(15.0f), session_.doubt());
    if (text_button("Measure again", {-FLT_MIN, 0.0f})) {
      wish([](Session& session) { session.restart(); });
    }
    ImGui::Unindent(look_(12.0f));
    float const bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + look_(3.0f), bottom}, theme::warning, look_(2.0f));
  }

  void buttons()
  {
    for (Button const& button : session_.page().buttons) {
      ImGui::BeginDisabled(!session_.settled());
      if (ImGui::Button(button.label.c_str(), {-FLT_MIN, 0.0f})) {
        wish([button](Session& session) { session.press(button); });
      }
      ImGui::EndDisabled();
    }
  }

  void task()
  {
    if (!session_.page().task) { return; }
    Task const& task = *session_.page().task;
    ImGui::Dummy({0.0f, look_(4.0f)});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::raised);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look_(14.0f), look_(12.0f)});
    ImGui::BeginChild("task", {0.0f, 0.0f}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding);
    rich_text(look_, look_(panel_text_size), fill_in(task.ask, session_.names()));
    ImGui::Dummy({0.0f, look_(3.0f)});
    solved();
    wait();
    std::visit([&](auto const& kind) { answer(kind); }, task.of);
    if (session_.task().stage == TaskStage::asking) { complaint(); }
    help(task);
    verdict();
    if (session_.task().stage != TaskStage::asking) { complaint(); }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }

  void footer(Rectangle const& place)
  {
    ImGui::SetCursorPosY(static_cast<float>(place.height) - look_(footer_height) + look_(10.0f));
    dots();
    float const gap = ImGui::GetStyle().ItemSpacing.x;
    float const width = (ImGui::GetContentRegionAvail().x - 2.0f * gap) / 3.0f;
    ImGui::BeginDisabled(!session_.has_previous());
    if (text_button("Back", {width, 0.0f})) {
      wish([](Session& session) { session.go_to(session.number() - 1); });
    }
    ImGui::EndDisabled();
    hint(look_, "The previous page (Page Up).");
    ImGui::SameLine();
    if (text_button("Restart", {width, 0.0f})) {
      wish([](Session& session) { session.restart(); });
    }
    hint(look_, "This page from its beginning.");
    ImGui::SameLine();
    next_button(width);
  }

  /// Shows the result and the open tasks at the end of a lesson.
  void score()
  {
    if (session_.has_next() || session_.points_possible() == 0) { return; }
    ImGui::Dummy({0.0f, look_(6.0f)});
    rich_text(look_, look_(16.0f), score_text(session_));
  }

  /// Scrolls to the latest reaction and the button below it; a page that begins anew is shown from its top.
  void follow_answer()
  {
    constexpr int frames_to_grow = 4;  // frames until a card has grown to its texts
    bool const is_told = session_.task().stage == TaskStage::told;
    bool const says_more = is_told && !state_.complaint.empty();
    bool const is_new = std::exchange(state_.was_told, is_told) != is_told;
    bool const adds = std::exchange(state_.said_more, says_more) != says_more;
    if (is_new || adds) { state_.frames_to_scroll = frames_to_grow; }
    if (state_.frames_to_scroll == 0 || state_.stays_at_top) { return; }
    --state_.frames_to_scroll;
    if (is_told) {
      ImGui::SetScrollHereY(1.0f);
    } else if (session_.task().stage == TaskStage::asking) {
      ImGui::SetScrollY(0.0f);
    }
  }

  std::vector<Wish> take() { return std::move(wishes_); }

private:
  bool answered() const { return !session_.page().task || session_.task().right || session_.points_here() > 0; }

  void next_button(float width)
  {
    bool const leads_on = session_.has_next() || !words_.next.empty();
    char const* const label = session_.has_next() ? translatable("Next")
                              : leads_on          ? translatable("Next lesson")
                                                  : translatable("Close");
    if (answered() ? primary_button(label, {width, 0.0f})
                   : ImGui::Button(translated_label(label).c_str(), {width, 0.0f})) {
      if (session_.has_next()) {
        wish([](Session& session) { session.go_to(session.number() + 1); });
      } else {
        (leads_on ? state_.wants_next_lesson : state_.wants_close) = true;
      }
    }
    hint(look_, session_.has_next() ? tr("The next page (Page Down).")
                : leads_on          ? tr("{} (Page Down).", words_.next)
                                    : tr("Close the lesson. Your progress is kept."));
  }

  void wish(Wish wish) { wishes_.push_back(std::move(wish)); }
  bool asks() const { return session_.task().stage == TaskStage::asking && session_.begun(); }

  void problem(std::string const& broken)
  {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::error);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(tr("The file has an error; this is its last correct version.\n{}", broken).c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }

  /// Shows readers who return to a page that it is solved, and their answer.
  void solved()
  {
    int const points = session_.points_here();
    if (points == 0 || session_.task().stage != TaskStage::asking) { return; }
    std::string const& given = session_.solved_with();
    mark(true);
    rich_text(look_, look_(15.0f),
              tr("Solved: **{}**.", points_text(points)) +
                  (given.empty() ? "" : " " + tr("Your answer was **{}**.", given)));
  }

  /// Shows a message until the question can be answered.
  void wait()
  {
    bool const is_short = !session_.page().measured && session_.seconds_waited() < patience_seconds;
    if (session_.task().stage != TaskStage::asking || session_.begun() || is_short) { return; }
    ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
    bool const is_said = !state_.complaint.empty() || std::holds_alternative<Challenge>(session_.page().task->of);
    if (!is_said) { ImGui::TextUnformatted(when_to_answer(session_).c_str()); }
    work();
    ImGui::TextUnformatted(tr("Next and Back skip this task."));
    ImGui::PopStyleColor();
  }

  /// Shows the scene's current work and its progress.
  void work()
  {
    if (!session_.awaited()) { return; }
    ProgressSnapshot const& now = *session_.awaited();
    ImGui::TextWrapped("%s",
                       (session_.page().measured ? tr("Measuring: {}", now.what) : tr("Now: {}", now.what)).c_str());
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, theme::accent);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::text);
    ImGui::ProgressBar(static_cast<float>(now.share), {-FLT_MIN, 0.0f}, percent(now.share).c_str());
    ImGui::PopStyleColor(2);
  }

  void answer(Challenge const& challenge)
  {
    auto const& findings = session_.task().findings;
    for (std::size_t i = 0; i < challenge.until.size(); ++i) {
      Finding const finding = i < findings.size() ? findings[i] : Finding{false, "…", ""};
      mark(finding.met);
      rich_text(look_, look_(15.0f),
                fmt::format("{}: **{}**{}{}", challenge.until[i].what, finding.value,
                            finding.wanted.empty() ? "" : " — ", finding.wanted));
    }
  }

  void answer(Prediction const& prediction)
  {
    bool const by_click = prediction.asks == Prediction::Asks::slot;
    if (by_click && asks()) {
      ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
      ImGui::TextWrapped("%s", state_.clicked ? tr("Slot {}? Then press Answer, or Enter.", *state_.clicked).c_str()
                                              : tr("Click a slot on the map, or type its number. Then press Answer."));
      ImGui::PopStyleColor();
    }
    number(by_click ? tr("a slot") : tr("a number"));
  }

  void answer(Choice const& choice)
  {
    TaskState const& task = session_.task();
    for (std::size_t i = 0; i < choice.options.size(); ++i) {
      bool const shows_right =
          task.stage == TaskStage::told && choice.options[i].right && (task.right || task.revealed);
      option(i, choice.options[i].text, task.option == i, shows_right);
    }
  }

  /// Draws an option as a button with wrapped text.
  void option(std::size_t index, std::string const& text, bool chosen, bool right)
  {
    ImGui::PushID(static_cast<int>(index));
    bool const open = session_.takes_choice();
    TextLook letters = text_look(look_, look_(16.0f));
    if (!open && !session_.begun()) { letters.plain = letters.strong = letters.emphasis = theme::text_faint; }
    RichText const words = parse_rich_text(fill_in(text, session_.names()));
    ImVec2 const at = ImGui::GetCursorScreenPos();
    float const width = ImGui::GetContentRegionAvail().x;
    ImVec2 const pad{look_(10.0f), look_(7.0f)};
    float const letter = look_(20.0f);
    float const room = width - 2.0f * pad.x - letter;
    float const height = height_of(room, letters, words) + 2.0f * pad.y;
    ImGui::BeginDisabled(!open);
    bool const pressed = ImGui::InvisibleButton("option", {width, height}, ImGuiButtonFlags_EnableNav);
    ImGui::EndDisabled();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    bool const hot = open && ImGui::IsItemHovered();
    ImU32 const fill = right ? theme::accent_dim : hot ? theme::frame_hovered : theme::frame;
    float const rounding = ImGui::GetStyle().FrameRounding;
    list.AddRectFilled(at, {at.x + width, at.y + height}, fill, rounding);
    if (chosen) {
      list.AddRect(at, {at.x + width, at.y + height}, right ? theme::accent : theme::warning, rounding, look_(1.5f));
    }
    ScreenDrawing drawing(list, look_.font);
    drawing.text({at.x + pad.x, at.y + pad.y}, letters.size, letters.strong, letter_of(index), 0.0f);
    draw_rich_text(drawing, {at.x + pad.x + letter, at.y + pad.y}, room, letters, words);
    if (open) { hint(look_, tr("Press {} to choose this.", letter_of(index))); }
    if (pressed) {
      state_.read_it = false;
      state_.complaint.clear();
      wish([index](Session& session) { session.choose_option(index); });
    }
    ImGui::PopID();
  }

  void answer(Number const&) { number(tr("a number")); }

  void number(char const* what)
  {
    state_.active = false;
    if (asks()) { draw_answer_field(look_, session_, what, state_, wishes_); }
  }

  /// Shows what is wrong with the typed answer.
  void complaint()
  {
    if (state_.complaint.empty()) { return; }
    ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(state_.complaint.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }

  void help(Task const& task)
  {
    if (task.hint.empty() || session_.task().stage != TaskStage::asking) { return; }
    if (session_.task().hinted) {
      return rich_text(look_, look_(15.0f), tr("*Hint:* ") + fill_in(task.hint, session_.names()));
    }
    ImGui::Dummy({0.0f, look_(2.0f)});
    if (ImGui::SmallButton(translated_label("Hint").c_str())) {
      wish([](Session& session) { session.take_hint(); });
    }
    hint(look_, "With a hint, this page is worth one point instead of two.");
  }

  void verdict()
  {
    TaskState const& task = session_.task();
    if (task.stage == TaskStage::working) {
      ImGui::TextColored(theme::rgba(theme::text_dim), "%s", tr("Working…"));
      work();
      return;
    }
    if (task.stage != TaskStage::told) { return; }
    ImGui::Dummy({0.0f, look_(4.0f)});
    ImVec2 const at = ImGui::GetCursorScreenPos();
    ImGui::Indent(look_(12.0f));
    rich_text(look_, look_(16.0f), task.told.empty() ? tr("**Right.**") : task.told);
    ImGui::Unindent(look_(12.0f));
    float const bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + look_(3.0f), bottom},
                                              task.right ? theme::accent : theme::warning, look_(2.0f));
    again(task);
  }

  void again(TaskState const& task)
  {
    bool const is_challenge = std::holds_alternative<Challenge>(session_.page().task->of);
    if (is_challenge) { return; }
    bool const varies = session_.page().varies;
    if (!varies && task.right) { return; }
    char const* const label = !varies      ? translatable("Try again")
                              : task.right ? translatable("A question like this")
                                           : translatable("Try another question");
    if (!ImGui::Button(translated_label(label).c_str(), {-FLT_MIN, 0.0f})) { return; }
    state_.again = true;
    wish([](Session& session) { session.another(); });
  }

  /// Draws a ring, with a tick if a condition is met.
  void mark(bool met)
  {
    ImVec2 const at = ImGui::GetCursorScreenPos();
    float const radius = look_(7.0f);
    ImVec2 const middle{at.x + radius, at.y + look_(9.0f)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (met) {
      list.AddCircleFilled(middle, radius, theme::accent);
      ImVec2 const tick[]{{middle.x - radius * 0.5f, middle.y},
                          {middle.x - radius * 0.1f, middle.y + radius * 0.4f},
                          {middle.x + radius * 0.5f, middle.y - radius * 0.4f}};
      list.AddPolyline(tick, 3, theme::panel, ImDrawFlags_None, look_(2.0f));
    } else {
      list.AddCircle(middle, radius, theme::text_dim, 0, look_(1.5f));
    }
    ImGui::Dummy({2.0f * radius, look_(18.0f)});
    ImGui::SameLine(0.0f, look_(8.0f));
  }

  /// Draws a dot for each page, bright if points were scored, and the score.
  void dots()
  {
    std::string const score = session_.points_possible() == 0
                                  ? tr("{} of {}", session_.number() + 1, session_.count())
                                  : tr("{} of {}", session_.points(), points_text(session_.points_possible()));
    ImVec2 const at = ImGui::GetCursorScreenPos();
    float const room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(score.c_str()).x - look_(16.0f);
    float const step = std::min(look_(16.0f), room / static_cast<float>(session_.count()));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < session_.count(); ++i) {
      ImVec2 const middle{at.x + step * (static_cast<float>(i) + 0.5f), at.y + look_(9.0f)};
      int const points = session_.progress().points[i];
      bool const here = i == session_.number();
      if (points > 0) { list.AddCircleFilled(middle, look_(4.0f), points > 1 ? theme::accent : theme::accent_dim); }
      list.AddCircle(middle, look_(here ? 6.0f : 4.0f), here ? theme::text : theme::text_faint, 0,
                     look_(here ? 1.8f : 1.0f));
    }
    ImGui::Dummy({room, look_(20.0f)});
    ImGui::SameLine();
    text_right(theme::text_dim, score);
  }

  Look const& look_;
  Session const& session_;
  LessonWords const& words_;
  PanelState& state_;
  std::vector<Wish> wishes_;
};

}  // namespace

int panel_width(Look const& look, Rectangle const& window)
{
  return static_cast<int>(std::min(look(usual_width), largest_share * static_cast<float>(window.width)));
}

std::vector<Wish> draw_panel(Look const& look, Session const& session, LessonWords const& words,
                             std::string const& broken, Rectangle const& place, PanelState& state)
{
  follow_wishes(session, state);
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(18.0f), look(10.0f)});
  ImGui::Begin("##lesson", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
  Panel panel(look, session, words, state);
  std::string const page = fmt::format("page {}", session.number());  // so that each page begins at its top
  ImGui::BeginChild(page.c_str(), {0.0f, static_cast<float>(place.height) - look(footer_height)});
  panel.header(broken);
  panel.doubt();
  panel.buttons();
  panel.task();
  panel.score();
  panel.follow_answer();
  ImGui::EndChild();
  panel.footer(place);
  ImGui::GetWindowDrawList()->AddLine({static_cast<float>(place.x + place.width) - 1.0f, static_cast<float>(place.y)},
                                      {static_cast<float>(place.x + place.width) - 1.0f,
                                       static_cast<float>(place.y + place.height)},
                                      theme::line);
  ImGui::End();
  ImGui::PopStyleVar(2);
  return panel.take();
}

}  // namespace slotscape::lessons
