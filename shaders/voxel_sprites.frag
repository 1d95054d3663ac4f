#version 450 core

flat in vec3 center;
flat in float half_side;
flat in float half_pixels;
flat in vec3 tint;
flat in vec3 face_shades;
flat in float edge_strength;

uniform vec3 sight_at_corner;  // of the canvas's lower left pixel; directions reach one unit deep
uniform vec3 sight_per_column;
uniform vec3 sight_per_row;
uniform float alpha;

out vec4 color;

void main()
{
  vec3 sight = sight_at_corner + gl_FragCoord.x * sight_per_column + gl_FragCoord.y * sight_per_row;
  vec3 towards = mix(vec3(-1.0), vec3(1.0), lessThan(sight, vec3(0.0)));
  vec3 depths = (center + half_side * towards) / sight;  // where the line of sight enters
  bool across_x = depths.x >= depths.y && depths.x >= depths.z;
  bool across_y = !across_x && depths.y >= depths.z;
  float depth = across_x ? depths.x : across_y ? depths.y : depths.z;
  vec3 within = abs(depth * sight - center) / half_side;
  vec2 on_face = across_x ? within.yz : across_y ? within.xz : within.xy;
  // Half a pixel larger, so that no gaps open between neighbours.
  vec2 to_edge = (1.0 - on_face) * half_pixels;
  float nearest_edge = min(to_edge.x, to_edge.y);
  if (!(nearest_edge >= -0.5)) { discard; }
  float shade = across_x ? face_shades.x : across_y ? face_shades.y : face_shades.z;
  shade *= 1.0 - edge_strength * (1.0 - clamp(nearest_edge - 0.5, 0.0, 1.0));
  color = vec4(tint * shade, alpha);
}
