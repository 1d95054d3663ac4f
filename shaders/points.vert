layout(location = 0) in vec3 position;
layout(location = 1) in uint paint;
layout(location = 2) in vec4 normal;

uniform mat4 projection_of_directions;  // from the eye, in the axes of the world
uniform vec3 eye;
uniform float diameter;         // in units of the world
uniform float pixels_per_unit;  // at a depth of one unit
uniform vec2 pixel_limits;      // of the diameter

flat out vec3 tint;
flat out float pixels;

#include "bytes.glsl"
#include "depth.glsl"
#include "paint.glsl"

void main()
{
  vec3 from_eye = position - eye;
  vec4 place = projection_of_directions * vec4(from_eye, 1.0);
  gl_Position = (paint & cut_off) != 0u ? nowhere : clip_place(place);
  pixels = clamp(diameter * pixels_per_unit / max(place.w, 1e-6), pixel_limits.x, pixel_limits.y);
  gl_PointSize = pixels;
  tint = paint_color(paint) * light_on_surface(normal.xyz, -normalize(from_eye));
}
