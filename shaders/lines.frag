flat in vec4 line_color;
flat in float half_width;
in float from_middle;

uniform bool behind_texels;  // what the texels show may hide lines; otherwise the depth buffer does, if any

out vec4 color;

#include "texels.glsl"

void main()
{
  if (behind_texels && gl_FragCoord.z < uintBitsToFloat(texel_here().y)) { discard; }
  float covered = clamp(half_width + 0.5 - abs(from_middle), 0.0, 1.0);
  color = vec4(line_color.rgb, line_color.a * covered);
}
