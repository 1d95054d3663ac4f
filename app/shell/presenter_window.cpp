#include "app/shell/presenter_window.hpp"

#include "gpu/base/translation.hpp"

#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <implot.h>

namespace slotscape {
namespace {

constexpr gl::Size presenter_size{1100, 680};

}  // namespace

PresenterWindow::PresenterWindow(gl::Context& first)
    : first_(first), context_(gl::open_window_beside(first, presenter_size, tr("Slotscape: for the presenter")))
{
  make_current(*context_);
  OtherInterface const none;
  gui_ = std::make_unique<Gui>(*context_);
  gui_->pass_keys_to(first);
  interface_ = ImGui::GetCurrentContext();
  plots_ = ImPlot::GetCurrentContext();
  make_current(first_);
}

PresenterWindow::~PresenterWindow()
{
  make_current(*context_);
  {
    OtherInterface const own(interface_, plots_);
    gui_.reset();
  }
  make_current(first_);
}

void PresenterWindow::make_current(gl::Context& context)
{
  glfwMakeContextCurrent(context.window());
}

bool PresenterWindow::closes() const
{
  return context_->closes();
}

void PresenterWindow::frame(double elapsed_seconds, Background background,
                            std::function<void(Look const&, Rectangle const&)> const& draw)
{
  gl::Size const size = context_->size();
  if (size.width == 0 || size.height == 0) { return; }  // minimised
  make_current(*context_);
  {
    OtherInterface const own(interface_, plots_);
    gui_->set_background(background);
    gui_->begin_frame(elapsed_seconds);
    gui_->take_events();
    draw(gui_->look(), {0, 0, size.width, size.height});
    gui_->end_frame();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, size.width, size.height);
    glClear(GL_COLOR_BUFFER_BIT);
    gui_->draw();
    context_->present();
  }
  make_current(first_);
}

}  // namespace slotscape
