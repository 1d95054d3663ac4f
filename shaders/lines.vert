// A line as a strip of two triangles, of constant width on the canvas.
layout(location = 0) in vec3 from;
layout(location = 1) in float width;  // pixels
layout(location = 2) in vec3 to;
layout(location = 3) in vec4 tint;

uniform mat4 view;
uniform mat4 projection;
uniform vec2 canvas;  // pixels

flat out vec4 line_color;
flat out float half_width;
out float from_middle;  // pixels

// Moves a point in eye space along the line to `other` until it is in front of the near plane, which is at depth n.
vec3 before_eye(vec3 point, vec3 other)
{
  float near = -projection[3][2];
  if (point.z <= near || other.z >= near) { return point; }
  return mix(point, other, (near - point.z) / (other.z - point.z));
}

#include "depth.glsl"

void main()
{
  vec3 first = (view * vec4(from, 1.0)).xyz;
  vec3 last = (view * vec4(to, 1.0)).xyz;
  vec4 start = projection * vec4(before_eye(first, last), 1.0);
  vec4 end = projection * vec4(before_eye(last, first), 1.0);
  vec2 along = (end.xy / end.w - start.xy / start.w) * canvas;
  vec2 across = length(along) > 1e-6 ? normalize(vec2(-along.y, along.x)) : vec2(0.0, 1.0);
  vec4 at = (gl_VertexID & 1) == 0 ? start : end;
  float side = (gl_VertexID & 2) == 0 ? 1.0 : -1.0;
  half_width = 0.5 * width;
  from_middle = side * (half_width + 1.0);  // leaves room for soft edges
  gl_Position = clip_place(at + vec4(2.0 * from_middle * across / canvas * at.w, 0.0, 0.0));
  line_color = tint;
}
