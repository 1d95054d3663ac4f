#include "app/dialogs/page_dialog.hpp"

#include "app/base/encoding.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/lessons/rich_text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <imgui_stdlib.h>

#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr char const* page_popup = translatable("Make this a page");
constexpr float form_width = 520.0f;
constexpr float preview_width = 360.0f;

void text_row(Look const& look, char const* label, char const* id, std::string& text, std::string const& proposed = {})
{
  row_label(look, label);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::InputTextWithHint(id, proposed.c_str(), &text);
}

void lines_row(Look const& look, char const* label, char const* id, std::string& text, int lines)
{
  row_label(look, label);
  float const height = ImGui::GetTextLineHeight() * static_cast<float>(lines) + 2.0f * ImGui::GetStyle().FramePadding.y;
  ImGui::InputTextMultiline(id, &text, {-FLT_MIN, height}, ImGuiInputTextFlags_WordWrap);
}

/// The label of the switch that removes the operation from the set-up.
std::string label_of(OnKey const& operation, KeyStyle style)
{
  std::string const key = key_text(operation.key, style);
  switch (operation.operation) {
    case Operation::insert: return tr("Begin before {} was inserted", key);
    case Operation::find: return tr("Begin before {} was looked up", key);
    case Operation::erase: break;
  }
  return tr("Begin before {} was erased", key);
}

}  // namespace

void PageDialog::open(TableSetup set_up, bool repeats, SceneEntry const& scene, DeviceFacts const& device)
{
  auto const last = last_operation(set_up);
  bool const is_same = trial_ && alike(set_up, set_up_) && last == last_;
  set_up_ = std::move(set_up);
  last_ = last;
  repeats_ = repeats;
  trial_.emplace(scene, device);
  is_tried_ = false;
  opening_ = true;
  if (!is_same) { begin_page(); }
}

/// The author probably wants to ask about the last operation.
void PageDialog::begin_page()
{
  written_ = {};
  own_words_.clear();
  written_.title = tr("An example");
  written_.text = tr("A table of {[table/slots]} slots with {[table/live]} keys.");
  for (std::string const& rule : {family_rule(set_up_.settings.table), hash_rule(set_up_.settings.table)}) {
    if (!rule.empty()) { written_.text += " " + rule; }  // readers need the rule to answer with slots
  }
  before_last_ = last_.has_value();
  key_text_.clear();
  if (last_) {
    bool const inserts = last_->operation == Operation::insert;
    key_text_ = pair_text({last_->key, inserts ? last_->value : 0}, set_up_.settings.view.keys_as);
    written_.question = question_about(last_->operation);
  }
  if (lesson_title_.empty()) { lesson_title_ = tr("My lesson"); }
}

void PageDialog::note_written(std::filesystem::path const& lesson)
{
  latest_lesson_ = lesson;
  target_ = PageTarget::latest_lesson;
  trial_.reset();
}

void PageDialog::take_key()
{
  auto const& settings = set_up_.settings;
  ParsedKeys const parsed = parse_keys(key_text_, Operation::insert, {settings.table.key_bits, settings.view.keys_as});
  key_problem_.clear();
  if (!parsed.error.empty()) {
    key_problem_ = key_text_.empty() ? tr("Type the key that the page asks about.") : parsed.error;
  } else if (parsed.pairs.size() > 1) {
    key_problem_ = tr("A page asks about one key.");
  } else {
    written_.key = parsed.pairs.front().key;
    written_.value = parsed.pairs.front().value;
  }
}

void PageDialog::try_out()
{
  take_key();
  bool const is_same = is_tried_ && tried_page_ == written_ && tried_before_last_ == before_last_;
  if (is_same) { return; }
  is_tried_ = true;
  tried_page_ = written_;
  tried_before_last_ = before_last_;
  tried_ = trial_->try_out(written_, before_last_ ? before_last_operation(set_up_) : set_up_, repeats_);
}

void PageDialog::key_rows(Look const& look)
{
  KeyStyle const style = set_up_.settings.view.keys_as;
  text_row(look, translatable("Key"), "##key", key_text_);
  if (last_) {
    row_label(look, "");
    ImGui::Checkbox((label_of(*last_, style) + "###before").c_str(), &before_last_);
  }
  row_label(look, "Question");
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::BeginCombo("##question", translated(to_label(written_.question)).c_str())) {
    for (EnumName<ExampleQuestion> const& each : enum_names<ExampleQuestion>()) {
      if (ImGui::Selectable(translated_label(each.label).c_str(), each.value == written_.question)) {
        choose_question(written_, each.value, own_words_);
      }
    }
    ImGui::EndCombo();
  }
  text_row(look, translatable("In your words"), "##ask", written_.ask,
           usual_words(written_.question, written_.key, style));
}

void PageDialog::target_rows(Look const& look)
{
  bool const has_latest = !latest_lesson_.empty();
  std::vector<PageTarget> targets{PageTarget::new_lesson};
  std::vector<std::string> labels{tr("A new lesson")};
  if (has_latest) {
    targets.push_back(PageTarget::latest_lesson);
    labels.push_back(path_text(latest_lesson_.filename()));
  }
  targets.push_back(PageTarget::other_lesson);
  labels.emplace_back(has_latest ? tr("Another one") : tr("An existing lesson"));
  int chosen = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == target_) { chosen = static_cast<int>(i); }
  }
  row_label(look, "Add to");
  if (pick(look, "target", labels, chosen)) { target_ = targets[static_cast<std::size_t>(chosen)]; }
  if (target_ == PageTarget::new_lesson) { text_row(look, translatable("Its title"), "##lesson", lesson_title_); }
}

void PageDialog::draw_form(Look const& look)
{
  ImGui::BeginChild("form", {look(form_width), 0.0f}, ImGuiChildFlags_AutoResizeY);
  text_row(look, translatable("Title"), "##title", written_.title);
  lines_row(look, translatable("Text"), "##text", written_.text, 3);
  key_rows(look);
  lines_row(look, translatable("Explanation"), "##tell", written_.tell, 2);
  lines_row(look, translatable("Notes"), "##notes", written_.notes, 2);
  target_rows(look);
  ImGui::EndChild();
}

/// Shows the page as readers will see it, and the table's answer.
void PageDialog::draw_preview(Look const& look)
{
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(12.0f)});
  ImGui::BeginChild("preview", {look(preview_width), look(380.0f)}, ImGuiChildFlags_AlwaysUseWindowPadding);
  std::string const& problem = key_problem_.empty() ? tried_.problem : key_problem_;
  if (!problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
    ImGui::TextWrapped("%s", printable(problem).c_str());
    ImGui::PopStyleColor();
  } else {
    lessons::rich_text(look, look(22.0f), "**" + tried_.title + "**");
    ImGui::Dummy({0.0f, look(4.0f)});
    lessons::rich_text(look, look(17.0f), tried_.text);
    ImGui::Dummy({0.0f, look(8.0f)});
    lessons::rich_text(look, look(17.0f), tried_.ask);
    ImGui::Dummy({0.0f, look(8.0f)});
    lessons::rich_text(look, look(15.0f),
                       tr("The answer of the table: **{}**. The page steps through it.", tried_.answer));
    if (!repeats_) {
      remark(look, tr("Threads raced for slots: in another run, keys may be in other slots. The page takes its answer "
                      "from the table that the reader sees."));
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

bool PageDialog::draw_buttons(Look const& look)
{
  ImVec2 const size{look(130.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const cancelled = text_button("Cancel", size) || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  ImGui::SameLine();
  bool const is_right = key_problem_.empty() && tried_.problem.empty();
  ImGui::BeginDisabled(!is_right);
  bool const pressed =
      primary_button(target_ == PageTarget::latest_lesson ? translatable("Add the page") : translatable("Save…"), size);
  ImGui::EndDisabled();
  bool const saves = is_right && (pressed || enter_confirms());
  if (cancelled || saves) { ImGui::CloseCurrentPopup(); }
  return saves;
}

bool PageDialog::draw(Look const& look)
{
  if (std::exchange(opening_, false)) { ImGui::OpenPopup(translated_label(page_popup).c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize;
  if (!ImGui::BeginPopupModal(translated_label(page_popup).c_str(), nullptr, flags)) { return false; }
  draw_form(look);
  try_out();
  ImGui::SameLine(0.0f, look(16.0f));
  draw_preview(look);
  bool const saves = draw_buttons(look);
  ImGui::EndPopup();
  return saves;
}

}  // namespace slotscape
