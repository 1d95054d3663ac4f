#include "app/widgets/toasts.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr double notice_seconds = 6.0;
constexpr std::size_t most_toasts = 4;

}  // namespace

void Toasts::add(std::string text, bool is_error)
{
  std::erase_if(toasts_, [&](Toast const& toast) { return toast.text == text; });
  toasts_.push_back({std::move(text), is_error, 0.0});
  if (toasts_.size() > most_toasts) { toasts_.erase(toasts_.begin()); }
}

std::size_t Toasts::errors() const
{
  return static_cast<std::size_t>(std::ranges::count(toasts_, true, &Toast::is_error));
}

std::string Toasts::latest() const
{
  return toasts_.empty() ? std::string() : toasts_.back().text;
}

void Toasts::draw(Look const& look, ImVec2 bottom, float max_width, double elapsed_seconds)
{
  for (Toast& toast : toasts_) { toast.age += elapsed_seconds; }
  std::erase_if(toasts_, [](Toast const& toast) { return !toast.is_error && toast.age > notice_seconds; });
  for (std::size_t i = toasts_.size(); i-- > 0;) {
    if (draw_one(look, toasts_[i], i, bottom, max_width)) {
      toasts_.erase(toasts_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

bool Toasts::draw_one(Look const& look, Toast const& toast, std::size_t index, ImVec2& bottom, float max_width)
{
  std::string const name = "##toast" + std::to_string(index);
  float const width = std::min(max_width, look(520.0f));
  float const text_width = width - look(66.0f);
  float const text_height = ImGui::CalcTextSize(toast.text.c_str(), nullptr, false, text_width).y;
  float const height = std::max(text_height + look(22.0f), look(40.0f));
  ImGui::SetNextWindowPos({bottom.x - width / 2.0f, bottom.y - height});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::with_alpha(theme::raised, 0.97f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(18.0f), look(11.0f)});
  ImGui::Begin(name.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing);
  ImVec2 const corner = ImGui::GetWindowPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();  // the stripe is in the window's padding
  list.AddRectFilled({corner.x + look(7.0f), corner.y + look(9.0f)},
                     {corner.x + look(10.0f), corner.y + height - look(9.0f)},
                     toast.is_error ? theme::error : theme::accent, look(2.0f));
  list.PopClipRect();
  ImGui::PushTextWrapPos(look(18.0f) + text_width);
  ImGui::TextUnformatted(toast.text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::SetCursorPos({width - look(34.0f), look(8.0f)});
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  bool const dismissed = icon_button(look, "dismiss", Icon::close, {look(24.0f), look(24.0f)});
  ImGui::PopStyleColor();
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  bottom.y -= height + look(8.0f);
  return dismissed;
}

}  // namespace slotscape
