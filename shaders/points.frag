flat in vec3 tint;
flat in float pixels;

uniform float alpha;

out vec4 color;

void main()
{
  float radius = length(gl_PointCoord * 2.0 - 1.0);
  float inside = pixels < 2.0 ? 1.0 : clamp((1.0 - radius) * pixels * 0.5 + 0.5, 0.0, 1.0);
  if (inside <= 0.0) { discard; }
  float rim = smoothstep(3.0, 10.0, pixels) * 0.35 * radius * radius;
  color = vec4(tint * (1.0 - rim), alpha * inside);
}
