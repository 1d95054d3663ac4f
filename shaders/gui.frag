in vec2 at;
in vec4 tint;

uniform sampler2D image;

out vec4 color;

void main()
{
  color = tint * texture(image, at);
}
