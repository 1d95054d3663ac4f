#include "app/widgets/toasts.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <functional>

namespace slotscape {
namespace {

constexpr double notice_seconds = 6.0;
constexpr std::size_t max_toasts = 4;
constexpr std::size_t max_open_notices = 2;
constexpr float gap = 8.0f;
constexpr float notice_margin = 1.0f;  ///< makes a line of text as high as a legend

/// Wide messages, because these are lower.
float width_in(Look const& look, Rectangle const& place)
{
  return std::min(static_cast<float>(place.width) - look(24.0f), look(960.0f));
}

float text_width_in(Look const& look, float width)
{
  return width - look(66.0f);
}

float height_of(Look const& look, std::string const& text, float width)
{
  float const lines = ImGui::CalcTextSize(text.c_str(), nullptr, false, text_width_in(look, width)).y;
  return std::max(lines + look(22.0f), look(40.0f));
}

/// Returns whether the user dismisses the message. `more`: shown when the mouse is over it.
bool draw_one(Look const& look, std::string const& name, std::string const& text, bool is_error, ImVec2 corner,
              ImVec2 size, std::string const& more = {})
{
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::with_alpha(theme::raised, 0.97f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(18.0f), look(11.0f)});
  ImGui::Begin(name.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();  // the stripe is in the window's padding, which would be clipped
  list.AddRectFilled({corner.x + look(7.0f), corner.y + look(9.0f)},
                     {corner.x + look(10.0f), corner.y + size.y - look(9.0f)}, is_error ? theme::error : theme::accent,
                     look(2.0f));
  list.PopClipRect();
  ImGui::PushTextWrapPos(look(18.0f) + text_width_in(look, size.x));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  if (!more.empty()) { hint(look, more); }
  ImGui::SetCursorPos({size.x - look(34.0f), look(8.0f)});
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  bool const dismissed = icon_button(look, "dismiss", Icon::close, {look(24.0f), look(24.0f)});
  ImGui::PopStyleColor();
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return dismissed;
}

}  // namespace

void Toasts::add(std::string text, bool is_error)
{
  dismiss(text);
  toasts_.push_back({std::move(text), is_error, 0.0});
  if (toasts_.size() > max_toasts) { toasts_.erase(toasts_.begin()); }
}

void Toasts::scene_notice(std::string text)
{
  dismiss_scene_notice();
  notice(std::move(text));
  toasts_.back().is_of_scene = true;
}

void Toasts::dismiss_scene_notice()
{
  std::erase_if(toasts_, std::mem_fn(&Toast::is_of_scene));
}

void Toasts::refusal(std::string text)
{
  error(std::move(text));
  toasts_.back().is_refusal = true;
}

void Toasts::dismiss_refusals()
{
  std::erase_if(toasts_, std::mem_fn(&Toast::is_refusal));
}

void Toasts::dismiss(std::string const& text)
{
  std::erase_if(toasts_, [&](Toast const& toast) { return toast.text == text; });
}

std::size_t Toasts::errors() const
{
  return static_cast<std::size_t>(std::ranges::count(toasts_, true, &Toast::is_error));
}

std::string Toasts::latest() const
{
  return toasts_.empty() ? std::string() : toasts_.back().text;
}

bool Toasts::says(std::string_view words) const
{
  return std::ranges::any_of(toasts_, [&](Toast const& toast) { return toast.text.find(words) != std::string::npos; });
}

int Toasts::strip_height(Look const& look, Rectangle const& window) const
{
  float height = 0.0f;
  for (Toast const& toast : toasts_) {
    if (toast.is_error) { height += height_of(look, toast.text, width_in(look, window)) + look(gap); }
  }
  return height > 0.0f ? static_cast<int>(height + look(gap)) : 0;
}

/// The index of the first open notice; the notices before it are folded.
std::size_t Toasts::first_open() const
{
  std::size_t open = 0;
  for (std::size_t i = toasts_.size(); i-- > 0;) {
    if (!toasts_[i].is_error && ++open == max_open_notices) { return i; }
  }
  return 0;
}

void Toasts::draw(Look const& look, Rectangle const& strip, std::optional<Rectangle> const& place,
                  double elapsed_seconds)
{
  for (std::size_t i = place ? first_open() : toasts_.size(); i < toasts_.size(); ++i) {
    toasts_[i].age += elapsed_seconds;
  }
  std::erase_if(toasts_, [](Toast const& toast) { return !toast.is_error && toast.age > notice_seconds; });
  auto const above = [](Rectangle const& of, float margin) { return static_cast<float>(of.y + of.height) - margin; };
  if (strip.height > 0) { draw_all(look, true, strip, above(strip, look(gap))); }
  if (place) { draw_all(look, false, *place, above(*place, look(notice_margin))); }
}

void Toasts::draw_folded(Look const& look, std::size_t end, ImVec2 corner, float width)
{
  std::string texts;
  std::size_t count = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (toasts_[i].is_error) { continue; }
    texts += (texts.empty() ? "" : "\n\n") + toasts_[i].text;
    ++count;
  }
  if (count == 0) { return; }
  std::string const text = tr_plural("{} earlier notice", "{} earlier notices", count, count);
  float const height = height_of(look, text, width);
  if (!draw_one(look, "##toasts_folded", text, false, {corner.x, corner.y - height}, {width, height}, texts)) {
    return;
  }
  std::size_t left = end;
  std::erase_if(toasts_, [&](Toast const& toast) { return left != 0 && left-- != 0 && !toast.is_error; });
}

void Toasts::draw_all(Look const& look, bool errors, Rectangle const& place, float bottom)
{
  float const width = width_in(look, place);
  float const left = static_cast<float>(place.x) + (static_cast<float>(place.width) - width) / 2.0f;
  std::size_t const first = errors ? 0 : first_open();
  for (std::size_t i = toasts_.size(); i-- > first;) {
    if (toasts_[i].is_error != errors) { continue; }
    float const height = height_of(look, toasts_[i].text, width);
    bottom -= height;
    bool const fits = !errors || bottom >= static_cast<float>(place.y);
    std::string const name = "##toast" + std::to_string(i);
    if (fits && draw_one(look, name, toasts_[i].text, errors, {left, bottom}, {width, height})) {
      toasts_.erase(toasts_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    bottom -= look(gap);
  }
  if (!errors) { draw_folded(look, first, {left, bottom}, width); }
}

}  // namespace slotscape
