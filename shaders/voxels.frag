in vec3 local;
flat in vec3 tint;
flat in vec3 face_shades;
flat in float edge_strength;

uniform float alpha;

out vec4 color;

void main()
{
  // The largest of the three coordinates tells which face this is; the larger of the other two, how far it is to the
  // edge.
  vec3 within = abs(local);
  bool across_x = local.x >= local.y && local.x >= local.z;
  bool across_y = !across_x && local.y >= local.z;
  float shade = across_x ? face_shades.x : across_y ? face_shades.y : face_shades.z;
  if (edge_strength > 0.0) {
    vec2 on_face = across_x ? within.yz : across_y ? within.xz : within.xy;
    vec2 to_edge = (1.0 - on_face) / max(fwidth(on_face), 1e-6);  // pixels
    float near_edge = 1.0 - clamp(min(to_edge.x, to_edge.y) - 0.5, 0.0, 1.0);
    shade *= 1.0 - edge_strength * near_edge;
  }
  color = vec4(tint * shade, alpha);
}
