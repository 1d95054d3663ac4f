#include "eye_dome.glsl"

uniform sampler2D depths;  // of the canvas: the near plane / depth

out vec4 color;  // by which that of the canvas is multiplied

float nearness_beside(int x, int y)
{
  ivec2 at = clamp(ivec2(gl_FragCoord.xy) + ivec2(x, y), ivec2(0), textureSize(depths, 0) - 1);
  return texelFetch(depths, at, 0).r;
}

void main()
{
  float here = nearness_beside(0, 0);
  if (here <= 0.0) { discard; }
  color = vec4(vec3(eye_dome_shade(here)), 1.0);
}
