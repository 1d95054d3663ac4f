#include "app/export/slide.hpp"

#include "app/base/files.hpp"
#include "app/export/drawing_file.hpp"
#include "app/gl/framebuffer.hpp"
#include "app/gl/image.hpp"
#include "app/gui/gui.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/drawing.hpp"

#include <glad/gl.h>
#include <imgui.h>

namespace slotscape {
namespace {

constexpr double unscaled_height = 720.0;  ///< height of a slide at scale 1
constexpr int frames = 4;                  ///< several, because compared tables may be analysed in turn

/// One slide with its own interface, so that the window's input, sizes and texts are unaffected.
class SlideFrame {
public:
  SlideFrame(gl::Context& context, SlideSettings const& settings) : context_(context), gui_(context)
  {
    gui_.set_background(settings.background);
    double const scale = settings.scale > 0.0 ? settings.scale : settings.height / unscaled_height;
    gui_.set_projected(true);
    gui_.set_scale(static_cast<float>(scale), static_cast<float>(largest_slide_scale));
  }

  Look const& look() const { return gui_.look(); }

  void analyse(Scene& scene, SlideTools const& tools)
  {
    gui_.begin_frame(0.0);
    auto const [width, height] = context_.size();
    Panels none{false, false, false, false, {}};
    FrameFacts const times;
    Frame const frame{look(), {0, 0, width, height}, none, tools.charts, 0.0, tools.presenters, times, true, true};
    scene.lay_out(frame);
    for (int i = 0; i < frames; ++i) { scene.analyse(frame); }
  }

  gl::Image draw_png(Scene& scene, SlideTools const& tools)
  {
    ScreenDrawing drawing(*ImGui::GetBackgroundDrawList(), look().font);
    scene.draw_slide(look(), drawing, false);
    if (tools.overlay) { tools.overlay(look(), drawing); }
    gui_.end_frame();
    auto const [width, height] = context_.size();
    Color const background = canvas_color_on(look().background);
    glBindFramebuffer(GL_FRAMEBUFFER, context_.framebuffer());
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, width, height);
    glClearColor(background.red, background.green, background.blue, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    scene.draw_pictures(tools.presenters, height);
    glViewport(0, 0, width, height);
    gui_.draw();
    return gl::read_pixels(context_.framebuffer(), 0, 0, width, height);
  }

  std::string draw_svg(Scene& scene, SlideTools const& tools)
  {
    auto const [width, height] = context_.size();
    Color const background = canvas_color_on(look().background);
    SvgDrawing drawing(static_cast<float>(width), static_cast<float>(height), packed(background), look().font);
    scene.draw_slide(look(), drawing, true);
    if (tools.overlay) { tools.overlay(look(), drawing); }
    gui_.end_frame();
    return drawing.finished();
  }

private:
  gl::Context& context_;
  Gui gui_;
};

}  // namespace

void save_slide(Scene& scene, SlideTools const& tools, SlideSettings const& settings, std::filesystem::path const& file)
{
  check_writable(file);
  OtherInterface const other;
  gl::PictureContext context({settings.width, settings.height});
  SlideFrame frame(context, settings);
  frame.analyse(scene, tools);
  if (extension_of(file) == ".svg") {
    write_text_file(file, frame.draw_svg(scene, tools));
  } else {
    gl::write_png(file, frame.draw_png(scene, tools));
  }
}

void save_drawing(DrawingToSave const& drawing)
{
  check_writable(drawing.file);
  OtherInterface const other;
  gl::PictureContext context({drawing.width, drawing.height});
  write_drawing(drawing.file, context, drawing.draw);
}

}  // namespace slotscape
