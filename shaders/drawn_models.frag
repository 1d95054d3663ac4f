#include "bytes.glsl"
#include "eye_dome.glsl"
#include "texels.glsl"

uniform vec3 background;

out vec4 color;

float nearness_beside(int x, int y)
{
  return uintBitsToFloat(texel_beside(ivec2(x, y)).y);
}

void main()
{
  uvec2 texel = texel_here();
  vec4 models = shares_of_bytes(texel.x);
  float here = uintBitsToFloat(texel.y);
  if (eye_dome > 0 && here > 0.0) { models.rgb *= eye_dome_shade(here); }
  color = vec4(mix(background, models.rgb, models.a), 1.0);
}
