#version 450 core

#include "texels.glsl"

uniform vec3 background;

out vec4 color;

void main()
{
  vec4 models = unpackUnorm4x8(texel_here().x);
  color = vec4(mix(background, models.rgb, models.a), 1.0);
}
