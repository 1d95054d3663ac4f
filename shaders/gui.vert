layout(location = 0) in vec2 place;  // pixels from the top left
layout(location = 1) in vec2 place_in_image;
layout(location = 2) in vec4 color;

uniform mat4 projection;

out vec2 at;
out vec4 tint;

void main()
{
  at = place_in_image;
  tint = color;
  gl_Position = projection * vec4(place, 0.0, 1.0);
}
