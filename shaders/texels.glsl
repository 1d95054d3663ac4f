// A picture of the models that kernels have drawn: as `CanvasTexel` in gpu/spatial/drawing.hpp, row by row from the top.

layout(std430, binding = 0) readonly buffer Texels
{
  uvec2 texels[];
};

uniform ivec2 corner;  // of the canvas in the framebuffer: its lower left one
uniform ivec2 size;    // columns and rows

uvec2 texel_here()
{
  ivec2 at = ivec2(gl_FragCoord.xy) - corner;
  return texels[(size.y - 1 - at.y) * size.x + at.x];
}
