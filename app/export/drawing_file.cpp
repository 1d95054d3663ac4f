#include "app/export/drawing_file.hpp"

#include "app/base/files.hpp"
#include "app/gl/image.hpp"
#include "app/gui/gui.hpp"
#include "app/table_map/palette.hpp"

#include <glad/gl.h>
#include <imgui.h>

namespace slotscape {

void write_drawing(std::filesystem::path const& file, gl::Size size,
                   std::function<void(Look const&, Drawing&)> const& draw)
{
  write_drawing(file, *gl::open_offscreen(size), draw);
}

void write_drawing(std::filesystem::path const& file, gl::Context& context,
                   std::function<void(Look const&, Drawing&)> const& draw)
{
  gl::Size const size = context.size();
  Gui gui(context);
  gui.set_background(Background::light);
  gui.begin_frame(0.0);
  Color const background = canvas_color_on(Background::light);
  if (extension_of(file) == ".svg") {
    SvgDrawing drawing(static_cast<float>(size.width), static_cast<float>(size.height), packed(background),
                       gui.look().font);
    draw(gui.look(), drawing);
    gui.end_frame();
    write_text_file(file, drawing.finished());
    return;
  }
  ScreenDrawing drawing(*ImGui::GetBackgroundDrawList(), gui.look().font);
  draw(gui.look(), drawing);
  gui.end_frame();
  glBindFramebuffer(GL_FRAMEBUFFER, context.framebuffer());
  glViewport(0, 0, size.width, size.height);
  glClearColor(background.red, background.green, background.blue, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  gui.draw();
  gl::write_png(file, gl::read_pixels(context.framebuffer(), 0, 0, size.width, size.height));
}

void on_paper(std::function<void(Look const&)> const& draw)
{
  auto const context = gl::open_offscreen({640, 480});
  Gui gui(*context);
  gui.set_background(Background::light);
  gui.begin_frame(0.0);
  draw(gui.look());
  gui.end_frame();
}

}  // namespace slotscape
