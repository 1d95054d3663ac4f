// A picture of the models that kernels have drawn: as `CanvasTexel` in gpu/spatial/drawing.hpp, row by row from the top.

uniform texel_sampler texels;

uniform ivec2 corner;  // of the canvas in the framebuffer: its lower left one
uniform ivec2 size;    // columns and rows

uvec2 texel_here()
{
  ivec2 at = ivec2(gl_FragCoord.xy) - corner;
  return fetch_texel(uint((size.y - 1 - at.y) * size.x + at.x)).xy;
}
