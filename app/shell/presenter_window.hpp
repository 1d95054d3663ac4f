#pragma once

#include "app/gl/context.hpp"
#include "app/gui/gui.hpp"

#include <functional>
#include <memory>

namespace slotscape {

/// A second window with its own interface, on a second display if available. Keys that its fields do not use are passed
/// to the first window.
class PresenterWindow {
public:
  /// Throws Error if there is no first window, or if this one cannot be opened.
  explicit PresenterWindow(gl::Context& first);
  ~PresenterWindow();
  PresenterWindow(PresenterWindow const&) = delete;
  PresenterWindow& operator=(PresenterWindow const&) = delete;

  /// Whether the user wants to close it.
  bool closes() const;
  /// Draws a frame of this window. The first window's context and interface are current before and after.
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
