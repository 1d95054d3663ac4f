#include "app/table_map/slot_map.hpp"

#include "app/table_map/palette.hpp"

#include <algorithm>

namespace slotscape {
namespace {

void set_color(int location, Color const& color)
{
  glUniform3f(location, color.red, color.green, color.blue);
}

void set_colors(gl::Program const& program, Background background)
{
  set_color(program.uniform("empty_color"), empty_color_on(background));
  set_color(program.uniform("tombstone_color"), tombstone_color);
  set_color(program.uniform("live_color"), live_color);
  set_color(program.uniform("link_color"), link_color);
  set_color(program.uniform("canvas_color"), canvas_color_on(background));
  set_color(program.uniform("insert_flash"), insert_flash);
  set_color(program.uniform("find_flash"), find_flash);
  set_color(program.uniform("erase_flash"), erase_flash);
  glUniform1f(program.uniform("recent_dim"), recent_dim);
  glUniform1f(program.uniform("tombstone_strength"), tombstone_strength);
}

/// Sets the layout of the cells: the shader's `arrangement`, in `plane` columns and rows.
void set_plane(gl::Program const& program, PictureRequest const& request, std::optional<Plane> const& plane)
{
  glUniform1i(program.uniform("arrangement"), plane ? static_cast<int>(plane->kind()) : 0);
  glUniform2ui(program.uniform("plane"), plane ? plane->columns() : request.width,
               plane ? plane->rows() : request.height);
}

}  // namespace

unsigned make_palette_texture()
{
  unsigned const texture = gl::make_texture(gl::rgba8, {256, palette_count}, GL_NEAREST);
  for (int row = 0; row < palette_count; ++row) {
    auto const table = palette_table(static_cast<Palette>(row));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, row, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE, table.data());
  }
  return texture;
}

void bind_palettes(gl::Program const& program, unsigned palettes)
{
  glBindTexture(GL_TEXTURE_2D, palettes);
  glUniform1i(program.uniform("palettes"), 0);
}

SlotMap::SlotMap() : palettes_(make_palette_texture()) {}

SlotMap::~SlotMap()
{
  glDeleteTextures(1, &palettes_);
}

void SlotMap::draw(unsigned buffer, PictureRequest const& request, Placement const& placement, MapColors const& colors,
                   Rectangle const& canvas, int framebuffer_height)
{
  texels_.show(buffer, request.texels());
  int const bottom = framebuffer_height - canvas.y - canvas.height;
  glViewport(canvas.x, bottom, canvas.width, canvas.height);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  program_.use();
  glUniform2f(program_.uniform("canvas_corner"), static_cast<float>(canvas.x), static_cast<float>(bottom));
  glUniform1f(program_.uniform("canvas_height"), static_cast<float>(canvas.height));
  glUniform2f(program_.uniform("origin"), static_cast<float>(placement.origin.x),
              static_cast<float>(placement.origin.y));
  glUniform1f(program_.uniform("cell"), static_cast<float>(placement.cell));
  glUniform2ui(program_.uniform("size"), request.width, request.height);
  set_plane(program_, request, placement.plane);
  glUniform1ui(program_.uniform("level"), request.level);
  glUniform1i(program_.uniform("color_by"), static_cast<int>(request.color_by));
  glUniform1i(program_.uniform("palette_row"), static_cast<int>(colors.palette));
  glUniform1f(program_.uniform("scale_max"), static_cast<float>(std::max(colors.scale_max, 1.0)));
  glUniform1i(program_.uniform("log_scale"), colors.log_scale ? 1 : 0);
  set_colors(program_, colors.background);
  texels_.bind(program_);
  bind_palettes(program_, palettes_);
  vertices_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  gl::Vertices::unbind();
}

}  // namespace slotscape
