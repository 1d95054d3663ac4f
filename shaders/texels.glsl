// A picture of the models that kernels have drawn: as `CanvasTexel` in gpu/spatial/drawing.hpp, row by row from the top.

uniform texel_sampler texels;

uniform ivec2 corner;  // of the canvas in the framebuffer: its lower left one
uniform ivec2 size;    // columns and rows

// So many columns and rows away, but within the canvas.
uvec2 texel_beside(ivec2 step)
{
  ivec2 at = clamp(ivec2(gl_FragCoord.xy) - corner + step, ivec2(0), size - 1);
  return fetch_texel(uint((size.y - 1 - at.y) * size.x + at.x)).xy;
}

uvec2 texel_here()
{
  return texel_beside(ivec2(0));
}
