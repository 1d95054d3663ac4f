#pragma once

#include "app/gl/context.hpp"
#include "app/gui/gui.hpp"

#include <functional>
#include <memory>

namespace slotscape {

/// A second window with an interface of its own, on a second display if there is one. Keys that it has no field for are
/// as if they were pressed in the first.
class PresenterWindow {
public:
  /// Throws Error if there is no first window, or if it cannot be opened.
  explicit PresenterWindow(gl::Context& first);
  ~PresenterWindow();
  PresenterWindow(PresenterWindow const&) = delete;
  PresenterWindow& operator=(PresenterWindow const&) = delete;

  /// Whether the user wants it to be.
  bool closes() const;
  /// Draws a frame of it. The first window's context and interface are current before and after.
  void frame(double elapsed_seconds, Background background,
             std::function<void(Look const&, Rectangle const&)> const& draw);

private:
  void make_current(gl::Context& context);

  gl::Context& first_;
  std::unique_ptr<gl::Context> context_;
  std::unique_ptr<Gui> gui_;
  ImGuiContext* interface_ = nullptr;
  ImPlotContext* plots_ = nullptr;
};

}  // namespace slotscape
