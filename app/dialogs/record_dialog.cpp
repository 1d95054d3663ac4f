#include "app/dialogs/record_dialog.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <array>
#include <string>
#include <utility>

namespace slotscape {
namespace {

constexpr char const* record_popup = translatable("Record the window");
constexpr std::array frame_rates{10, 15, 20, 25, 30, 50, 60};

std::string rate_text(int frame_rate)
{
  return tr("{} a second", frame_rate);
}

std::string_view remark_on(RecordingFormat format)
{
  switch (format) {
    case RecordingFormat::png:
      return translatable("One file per frame, in a folder of your choice: lossless, but large.");
    case RecordingFormat::mp4: return translatable("H.264: plays in every player and slide program.");
    case RecordingFormat::webm:
      return translatable("VP9, for web pages; if the disk fills up, the part already written stays readable.");
    case RecordingFormat::gif:
      return translatable("Plays everywhere, but files are large: for a few seconds of a small window.");
  }
  return {};
}

}  // namespace

void RecordDialog::open()
{
  opening_ = true;
  has_ffmpeg_ = !find_ffmpeg().empty();
  if (!has_ffmpeg_) { settings_.format = RecordingFormat::png; }
}

void RecordDialog::format_rows(Look const& look)
{
  row_label(look, "Format");
  for (EnumName<RecordingFormat> const& name : enum_names<RecordingFormat>()) {
    bool const possible = has_ffmpeg_ || name.value == RecordingFormat::png;
    if (name.value != RecordingFormat::png) { ImGui::SameLine(); }
    ImGui::BeginDisabled(!possible);
    if (ImGui::RadioButton(translated_label(name.label).c_str(), settings_.format == name.value)) {
      settings_.format = name.value;
    }
    ImGui::EndDisabled();
  }
  remark(look, std::string(remark_on(settings_.format)));
  if (!has_ffmpeg_) { remark(look, tr("MP4, WebM and GIF need ffmpeg, which was not found: {}.", how_to_get_ffmpeg)); }
}

void RecordDialog::choice_rows(Look const& look)
{
  row_label(look, "Frames");
  int const shown = possible_frame_rate(settings_.format, settings_.frame_rate);
  if (ImGui::BeginCombo("##frame_rate", rate_text(shown).c_str())) {
    for (int const rate : frame_rates) {
      if (possible_frame_rate(settings_.format, rate) != rate) { continue; }
      if (ImGui::Selectable(rate_text(rate).c_str(), rate == shown)) { settings_.frame_rate = rate; }
    }
    ImGui::EndCombo();
  }
  row_label(look, "Picture");
  int part = settings_.canvas_only ? 1 : 0;
  constexpr std::array<std::string_view, 2> parts{translatable("Whole window"), translatable("Canvas alone")};
  if (segmented(look, "part", parts, part, ImGui::GetContentRegionAvail().x)) { settings_.canvas_only = part == 1; }
}

bool RecordDialog::draw(Look const& look)
{
  if (std::exchange(opening_, false)) { ImGui::OpenPopup(translated_label(record_popup).c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({look(480.0f), 0.0f});
  if (!ImGui::BeginPopupModal(translated_label(record_popup).c_str(), nullptr, ImGuiWindowFlags_NoResize)) {
    return false;
  }
  format_rows(look);
  choice_rows(look);
  remark(look, tr("{} ends the recording, as does Stop in the strip at the top, which is not recorded. Resizing the "
                  "window ends it, too.",
                  keys_));
  ImVec2 const size{look(110.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const cancelled = text_button("Cancel", size) || ImGui::IsKeyPressed(ImGuiKey_Escape);
  ImGui::SameLine();
  bool const begins = primary_button("Record…", size) || enter_confirms();
  ImGui::SetItemDefaultFocus();
  if (cancelled || begins) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  return begins;
}

}  // namespace slotscape
