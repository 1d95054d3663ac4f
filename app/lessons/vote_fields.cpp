#include "app/lessons/vote_fields.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <array>
#include <string_view>
#include <utility>

namespace slotscape::lessons {
namespace {

constexpr int max_digits = 4;
constexpr float count_width = 62.0f;
constexpr float answer_width = 104.0f;
constexpr float between_lines = 16.0f;
constexpr float panel_margin = 16.0f;

/// Places the cursor after characters that were typed earlier, so that new ones do not replace them.
int follow_typed(ImGuiInputTextCallbackData* data)
{
  auto& fields = *static_cast<VoteFields*>(data->UserData);
  if (std::exchange(fields.replaced, false)) {
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  }
  return 0;
}

/// `follow_typed` for fields with a limited number of digits.
int keep_digits(ImGuiInputTextCallbackData* data)
{
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
    return data->EventChar >= '0' && data->EventChar <= '9' ? 0 : 1;
  }
  if (data->BufTextLen > max_digits) { data->DeleteChars(max_digits, data->BufTextLen - max_digits); }
  return follow_typed(data);
}

/// For called-out answers, the answer itself has a field, too.
std::size_t fields_of_line(Vote const& vote)
{
  return vote.kind == VoteKind::called_out ? 2 : 1;
}

float width_of_line(Look const& look, Vote const& vote, std::string const& label)
{
  float const name = vote.kind == VoteKind::called_out ? look(answer_width) : ImGui::CalcTextSize(label.c_str()).x;
  return name + ImGui::GetStyle().ItemSpacing.x + look(count_width);
}

std::string label_of(Vote const& vote, std::size_t line)
{
  return has_letters(vote) ? letter_of(line) : vote.lines[line].answer;
}

/// Whether a field holds a called-out answer that was counted in the first round: the second vote is on the same
/// answers.
bool is_fixed(Vote const& vote, std::size_t field)
{
  std::size_t const in_line = fields_of_line(vote);
  bool const is_answer = (field + 1) % in_line != 0;
  return is_answer && vote.round > 0 && field / in_line < vote.lines.size() &&
         !vote.lines[field / in_line].counts.front().empty();
}

/// Moves on from a fixed field to the count beside it.
void pass_fixed(Vote const& vote, VoteFields& fields)
{
  if (is_fixed(vote, fields.field)) { ++fields.field; }
}

constexpr ImGuiInputTextFlags any_field =
    ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackAlways;

/// Call this before drawing a field with this label.
void prepare_field(Look const& look, char const* label, float width, std::size_t field, VoteFields& fields)
{
  if (field == fields.field) { ask_for_keyboard(fields, ImGui::GetActiveID() == ImGui::GetID(label)); }
  ImGui::SetNextItemWidth(look(width));
}

/// Call this after drawing the field.
void finish_field(Vote const& vote, bool entered, std::size_t field, VoteFields& fields)
{
  ask_for_enter(ImGui::GetItemID());
  if (ImGui::IsItemActive()) { fields.field = field; }
  if (entered) { go_to_next_field(vote, fields); }
}

void answer_field(Look const& look, Vote& vote, std::size_t line, VoteFields& fields)
{
  std::size_t const field = line * fields_of_line(vote);
  prepare_field(look, "##answer", answer_width, field, fields);
  ImGui::BeginDisabled(is_fixed(vote, field));
  bool const entered =
      ImGui::InputTextWithHint("##answer", tr("an answer"), &vote.lines[line].answer, any_field, follow_typed, &fields);
  ImGui::EndDisabled();
  finish_field(vote, entered, field, fields);
}

void count_field(Look const& look, Vote& vote, std::size_t line, bool hidden, VoteFields& fields)
{
  std::size_t const field = (line + 1) * fields_of_line(vote) - 1;
  prepare_field(look, "##count", count_width, field, fields);
  ImGuiInputTextFlags const flags = any_field | ImGuiInputTextFlags_CallbackCharFilter |
                                    (hidden ? ImGuiInputTextFlags_Password : ImGuiInputTextFlags_None);
  bool const entered = ImGui::InputText("##count", &vote.lines[line].counts[vote.round], flags, keep_digits, &fields);
  finish_field(vote, entered, field, fields);
}

/// Draws the lines, as many per row as fit.
void draw_lines(Look const& look, Vote& vote, bool hidden, VoteFields& fields)
{
  float const room = ImGui::GetContentRegionAvail().x;
  float used = 0.0f;
  for (std::size_t i = 0; i < vote.lines.size(); ++i) {
    std::string const label = label_of(vote, i);
    float const width = width_of_line(look, vote, label);
    bool const fits = i > 0 && used + look(between_lines) + width <= room;
    if (fits) { ImGui::SameLine(0.0f, look(between_lines)); }
    used = fits ? used + look(between_lines) + width : width;
    ImGui::PushID(static_cast<int>(i));
    if (vote.kind == VoteKind::called_out) {
      answer_field(look, vote, i, fields);
    } else {
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(label.c_str());
    }
    ImGui::SameLine();
    count_field(look, vote, i, hidden, fields);
    ImGui::PopID();
  }
}

void draw_choices(Look const& look, Vote& vote, VoteFields& fields)
{
  if (!has_letters(vote)) {
    ImGui::BeginDisabled(has_counts(vote));
    int kind = vote.kind == VoteKind::called_out ? 1 : 0;
    std::array<std::string_view, 2> const kinds{translatable("Right or wrong"), translatable("Answers called out")};
    if (segmented(look, "kind", kinds, kind, ImGui::GetContentRegionAvail().x)) {
      set_kind(vote, kind == 1 ? VoteKind::called_out : VoteKind::right_or_wrong);
      fields = {.height = fields.height};
    }
    ImGui::EndDisabled();
    if (has_counts(vote)) {
      remark(look, vote.shown == 0 ? tr("To choose the other kind, clear the fields first.")
                                   : tr("The second vote must be of the same kind as the first."));
    }
  }
  if (vote.shown == 0) { return; }
  int round = static_cast<int>(vote.round);
  std::array<std::string_view, max_vote_rounds> const rounds{translatable("First vote"), translatable("Second vote")};
  if (segmented(look, "round", rounds, round, ImGui::GetContentRegionAvail().x)) {
    vote.round = static_cast<std::size_t>(round);
    fields = {.height = fields.height};
  }
}

}  // namespace

void go_to_next_field(Vote const& vote, VoteFields& fields)
{
  std::size_t const in_line = fields_of_line(vote);
  bool const is_answer = (fields.field + 1) % in_line != 0;
  bool const no_more = is_answer && vote.lines[fields.field / in_line].answer.empty();
  fields.all_typed = no_more || fields.field + 1 == vote.lines.size() * in_line;
  fields.focus = !fields.all_typed;
  fields.frames_without = 0;
  if (fields.focus) { ++fields.field; }
  pass_fixed(vote, fields);
}

bool type_vote(Vote& vote, VoteFields& fields, char character)
{
  if (character < '0' || character > '9') { return false; }
  if (!fields.focus) { return true; }
  pass_fixed(vote, fields);
  std::size_t const in_line = fields_of_line(vote);
  VoteLine& line = vote.lines[fields.field / in_line];
  bool const is_count = (fields.field + 1) % in_line == 0;
  std::string& text = is_count ? line.counts[vote.round] : line.answer;
  if (!std::exchange(fields.replaced, true)) { text.clear(); }
  bool const is_full = is_count && static_cast<int>(text.size()) >= max_digits;
  if (!is_full) { text += character; }
  return true;
}

VotePress draw_vote_fields(Look const& look, Vote& vote, bool hidden, VoteFields& fields)
{
  draw_choices(look, vote, fields);
  pass_fixed(vote, fields);
  draw_lines(look, vote, hidden, fields);
  std::uint64_t const votes = votes_in(vote, vote.round);
  remark(look,
         tr_plural("{} vote", "{} votes", votes, votes) + ". " +
             (fields.all_typed ? tr("Enter shows them.") : tr("Enter goes to the next field, Esc closes the fields.")));
  float const width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f;
  VotePress press = VotePress::nothing;
  if (primary_button("Show the vote", {width, 0.0f})) { press = VotePress::show; }
  ImGui::SameLine();
  if (text_button("Close", {width, 0.0f})) { press = VotePress::close; }
  return press;
}

VotePress draw_vote_panel(Look const& look, Vote& vote, Rectangle const& place, VoteFields& fields)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y + place.height)}, ImGuiCond_Always,
                          {0.0f, 1.0f});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(panel_margin), look(panel_margin)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin("##vote", nullptr, strip_flags);
  VotePress const press = draw_vote_fields(look, vote, vote.round >= vote.shown, fields);
  fields.height = static_cast<int>(ImGui::GetWindowHeight());
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return press;
}

}  // namespace slotscape::lessons
