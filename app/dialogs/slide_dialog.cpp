#include "app/dialogs/slide_dialog.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

constexpr char const* slide_popup = translatable("Save a picture for slides");

struct NamedSize {
  char const* name;
  gl::Size size;
};
constexpr std::array sizes{NamedSize{"HD", {1280, 720}},   NamedSize{"Full HD", {1920, 1080}},
                           NamedSize{"4K", {3840, 2160}},  NamedSize{"8K", {7680, 4320}},
                           NamedSize{"4:3", {1600, 1200}}, NamedSize{translatable("Square"), {2000, 2000}}};
constexpr std::array scales{0.0, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0};

std::string scale_text(double scale)
{
  return scale > 0.0 ? fmt::format("{:.0f} %", scale * 100.0) : tr("scales with the picture");
}

template <class Value>
void two_buttons(Look const& look, char const* id, std::array<std::string_view, 2> const& labels, Value first,
                 Value second, Value& value)
{
  int chosen = value == first ? 0 : 1;
  if (segmented(look, id, labels, chosen, ImGui::GetContentRegionAvail().x)) { value = chosen == 0 ? first : second; }
}

}  // namespace

void SlideDialog::size_rows(Look const& look)
{
  row_label(look, "Size");
  auto const fits = [&](NamedSize const& each) { return each.size == gl::Size{settings_.width, settings_.height}; };
  auto const named = std::ranges::find_if(sizes, fits);
  if (ImGui::BeginCombo("##named_size", named == sizes.end() ? tr("custom") : tr(named->name))) {
    for (NamedSize const& each : sizes) {
      std::string const label = fmt::format("{}: {} × {}", tr(each.name), each.size.width, each.size.height);
      if (ImGui::Selectable(label.c_str(), fits(each))) {
        settings_.width = each.size.width;
        settings_.height = each.size.height;
      }
    }
    ImGui::EndCombo();
  }
  row_label(look, "Width, height");
  std::array<int, 2> typed{settings_.width, settings_.height};
  ImGui::InputInt2("##size", typed.data());
  if (ImGui::IsItemDeactivatedAfterEdit() || !ImGui::IsItemActive()) {
    settings_.width = std::clamp(typed[0], smallest_slide_side, largest_slide_side);
    settings_.height = std::clamp(typed[1], smallest_slide_side, largest_slide_side);
  } else {
    settings_.width = typed[0];
    settings_.height = typed[1];
  }
}

void SlideDialog::choice_rows(Look const& look)
{
  row_label(look, "Scale");
  if (ImGui::BeginCombo("##scale", scale_text(settings_.scale).c_str())) {
    for (double const scale : scales) {
      if (ImGui::Selectable(scale_text(scale).c_str(), scale == settings_.scale)) { settings_.scale = scale; }
    }
    ImGui::EndCombo();
  }
  row_label(look, "Background");
  two_buttons(look, "background", {"Light", "Dark"}, Background::light, Background::dark, settings_.background);
  row_label(look, "Format");
  two_buttons(look, "format", {"PNG", "SVG"}, SlideFormat::png, SlideFormat::svg, format_);
  remark(look, format_ == SlideFormat::png
                   ? translatable("The canvas, without panels.")
                   : translatable("For small tables: shapes and text that stay sharp at any size."));
}

bool SlideDialog::draw(Look const& look)
{
  if (std::exchange(opening_, false)) { ImGui::OpenPopup(translated_label(slide_popup).c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({look(400.0f), 0.0f});
  if (!ImGui::BeginPopupModal(translated_label(slide_popup).c_str(), nullptr, ImGuiWindowFlags_NoResize)) {
    return false;
  }
  size_rows(look);
  choice_rows(look);
  ImVec2 const size{look(110.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const cancelled = text_button("Cancel", size) || ImGui::IsKeyPressed(ImGuiKey_Escape);
  ImGui::SameLine();
  bool const saves = primary_button("Save…", size) || enter_confirms();
  ImGui::SetItemDefaultFocus();
  if (cancelled || saves) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  return saves;
}

}  // namespace slotscape
