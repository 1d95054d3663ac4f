#version 450 core

flat in vec4 line_color;

out vec4 color;

void main()
{
  color = line_color;
}
