#pragma once

#include "app/gl/program.hpp"
#include "app/gl/texture.hpp"
#include "app/gl/vertices.hpp"
#include "app/table_map/camera.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The mapping from values to colours.
struct MapColors {
  Palette palette = Palette::cividis;
  bool log_scale = true;
  double scale_max = 1.0;  ///< value at the end of the palette
  Background background = Background::dark;
};

/// An OpenGL texture with a row of 256 texels for each palette, in the order of `Palette`. The caller deletes it.
unsigned make_palette_texture();
/// Binds the texture to the uniform `palettes` of the program, which must be in use.
void bind_palettes(gl::Program const& program, unsigned palettes);

/// Draws a picture of the slots with OpenGL, pixel by pixel, without filtering.
class SlotMap {
public:
  SlotMap();
  ~SlotMap();
  SlotMap(SlotMap const&) = delete;
  SlotMap& operator=(SlotMap const&) = delete;

  /// Draws the texels in the OpenGL buffer to `canvas` in the bound framebuffer, which is `framebuffer_height` high.
  /// Throws Error if memory is insufficient.
  void draw(unsigned buffer, PictureRequest const& request, Placement const& placement, MapColors const& colors,
            Rectangle const& canvas, int framebuffer_height);
  void reload_if_changed() { program_.reload_if_changed(); }

private:
  gl::Program program_{"slot_map"};
  gl::TexelTexture texels_{gl::four_words};
  gl::Vertices vertices_;
  unsigned palettes_;
};

}  // namespace slotscape
