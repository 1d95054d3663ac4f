#include "bytes.glsl"
#include "texels.glsl"

uniform vec3 background;

out vec4 color;

void main()
{
  vec4 models = shares_of_bytes(texel_here().x);
  color = vec4(mix(background, models.rgb, models.a), 1.0);
}
