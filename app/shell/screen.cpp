#include "app/shell/screen.hpp"

#include "app/base/interrupt.hpp"
#include "app/scene/work_bar.hpp"
#include "app/shell/menu.hpp"
#include "app/table_map/palette.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace slotscape {
namespace {

constexpr float lecture_height = 720.0f;  ///< of a window at scale 1

}  // namespace

Screen::Screen(std::unique_ptr<gl::Context> context, UserSettings& settings, Background theme)
    : context_(std::move(context)), gui_(std::make_unique<Gui>(*context_)), settings_(settings), theme_(theme)
{
  gui_->set_background(theme_);
  gui_->set_scale(settings.ui_scale);
}

void Screen::set_theme(Background theme)
{
  theme_ = settings_.theme = theme;
}

void Screen::set_look(bool lecture)
{
  gui_->set_background(theme_);
  float const wanted = settings_.ui_scale > 0.0f ? settings_.ui_scale : context_->content_scale();
  float const large = static_cast<float>(context_->size().height) / lecture_height;
  gui_->set_projected(lecture);
  gui_->set_scale(lecture ? std::max(wanted, large) : settings_.ui_scale);
}

Rectangle Screen::whole() const
{
  gl::Size const size = context_->size();
  return {0, 0, size.width, size.height};
}

Rectangle Screen::below_menu(bool lecture) const
{
  gl::Size const size = context_->size();
  int const menu = has_menu(lecture) ? static_cast<int>(ImGui::GetFrameHeight()) : 0;
  return {0, menu, size.width, std::max(size.height - menu, 1)};
}

/// The size of a minimised window is useless for restoring it.
void Screen::note_size()
{
  gl::Size const size = context_->size();
  if (size.width > 0 && size.height > 0) { size_ = size; }
}

void Screen::keep_size(UserSettings& settings) const
{
  if (size_.width == 0) { return; }
  settings.window_width = size_.width;
  settings.window_height = size_.height;
}

void Screen::clear() const
{
  gl::Size const size = context_->size();
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  glDisable(GL_SCISSOR_TEST);
  glViewport(0, 0, size.width, size.height);
  Color const background = canvas_color_on(theme_);
  glClearColor(background.red, background.green, background.blue, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
}

gl::Image Screen::picture_of(Rectangle const& place) const
{
  return gl::read_pixels(context_->framebuffer(), place.x, place.y, place.width, place.height);
}

gl::Image Screen::picture_with(std::function<void(Look const&, Rectangle const&)> const& draw)
{
  gui_->begin_frame(0.0);
  draw(gui_->look(), whole());
  gui_->end_frame();
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  glClear(GL_COLOR_BUFFER_BIT);
  gui_->draw();
  return picture();
}

Progress Screen::opening()
{
  if (!has_window()) {
    return Progress([](Progress const&) { return !is_interrupted(); });
  }
  using Clock = std::chrono::steady_clock;
  return Progress([this, drawn = Clock::now(), thread = std::this_thread::get_id(),
                   goes_on = true](Progress const& progress) mutable {
    constexpr std::chrono::milliseconds between_frames{100};
    if (std::this_thread::get_id() != thread || Clock::now() - drawn < between_frames) { return goes_on; }
    goes_on = draw_opening(progress.snapshot()) && goes_on;
    drawn = Clock::now();
    return goes_on;
  });
}

/// Returns false if the user cancels.
bool Screen::draw_opening(ProgressSnapshot const& progress)
{
  context_->poll();
  set_look(false);
  gui_->begin_frame(0.1);
  bool cancelled = context_->closes() || ImGui::IsKeyPressed(ImGuiKey_Escape);
  cancelled = draw_progress(gui_->look(), progress, whole()) || cancelled;
  gui_->end_frame();
  clear();
  gui_->draw();
  context_->present();
  return !cancelled;
}

void Screen::add_full_screen(std::vector<Command>& commands)
{
  commands.push_back({.keys = "F11",
                      .group = "VIEW",
                      .what = "Full screen",
                      .menu = "View",
                      .label = "Full screen",
                      .divides = true,
                      .not_in_page = true,
                      .run = [this] { context_->toggle_full_screen(); }});
}

void Screen::add_keyboard(std::vector<Command>& commands)
{
  auto const go = [this](bool forwards) { return [this, forwards] { gui_->keyboard().go_on(forwards); }; };
  commands.push_back(
      {.keys = "Ctrl+Tab, Ctrl+B", .group = program_group, .what = "Next panel, then the map", .run = go(true)});
  commands.push_back({.keys = "Ctrl+Shift+Tab, Ctrl+Shift+B", .run = go(false)});
  commands.push_back({.keys = "Alt, F10", .group = program_group, .what = "Menus"});
  commands.push_back({.keys = "F10", .run = [this] { gui_->keyboard().go_to_menus(); }});
}

void Screen::add_quit(std::vector<Command>& commands)
{
  commands.push_back({.keys = "Ctrl+Q",
                      .group = program_group,
                      .what = "Quit",
                      .menu = "File",
                      .label = "Quit",
                      .divides = true,
                      .in_popups = true,
                      .not_in_page = true,
                      .run = [this] { closes_ = true; }});
}

}  // namespace slotscape
