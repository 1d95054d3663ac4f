#version 450 core

flat in vec4 line_color;
flat in float half_width;
in float from_middle;

out vec4 color;

void main()
{
  float covered = clamp(half_width + 0.5 - abs(from_middle), 0.0, 1.0);
  color = vec4(line_color.rgb, line_color.a * covered);
}
