#pragma once

#include "app/gl/context.hpp"
#include "app/gl/image.hpp"
#include "app/gui/gui.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/settings_file.hpp"
#include "gpu/base/progress.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace slotscape {

/// The drawing area, a window or a picture, with the interface and its look.
class Screen {
public:
  /// `settings`: the user's scale and theme.
  Screen(std::unique_ptr<gl::Context> context, UserSettings& settings, Background theme);

  gl::Context& context() const { return *context_; }
  Gui& gui() const { return *gui_; }
  Look const& look() const { return gui_->look(); }
  bool has_window() const { return context_->window() != nullptr; }
  /// Whether the user closes the window or quits.
  bool closes() const { return closes_ || context_->closes(); }

  /// The theme of the settings, unless overridden by an option.
  Background theme() const { return theme_; }
  /// Chosen by the user.
  void set_theme(Background theme);
  /// Call this between frames. `lecture`: a larger interface, for an audience.
  void set_look(bool lecture);

  /// Makes the screen part of another page, without menus.
  void embed() { embedded_ = true; }
  bool has_menu(bool lecture) const { return !lecture && !embedded_; }
  Rectangle whole() const;
  Rectangle below_menu(bool lecture) const;
  /// To be called every frame, so that the size is still known if the display is lost.
  void note_size();
  void keep_size(UserSettings& settings) const;

  void clear() const;
  /// The last frame, or a part of it.
  gl::Image picture() const { return picture_of(whole()); }
  gl::Image picture_of(Rectangle const& place) const;
  /// A picture of this drawing, instead of a frame.
  gl::Image picture_with(std::function<void(Look const&, Rectangle const&)> const& draw);

  /// Shows the progress of opening the first scene's files. There are no frames yet that could show it, or handle Esc.
  Progress opening();

  void add_full_screen(std::vector<Command>& commands);
  void add_keyboard(std::vector<Command>& commands);
  void add_quit(std::vector<Command>& commands);

private:
  bool draw_opening(ProgressSnapshot const& progress);

  std::unique_ptr<gl::Context> context_;
  std::unique_ptr<Gui> gui_;
  UserSettings& settings_;
  Background theme_;
  gl::Size size_{};  ///< latest size, which is unavailable once the display is lost
  bool embedded_ = false;
  bool closes_ = false;
};

}  // namespace slotscape
