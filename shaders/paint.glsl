// What an instance looks like; gpu/spatial/engine.hpp defines the bits of `Paint` and the values of PaintBy.

uniform sampler2D palettes;  // one palette a row

uniform int paint_by;        // as enum class PaintBy
uniform bool shows_colours;  // by attribute: its values are 0xRRGGBB
uniform int palette_row;
uniform float scale_max;
uniform bool log_scale;
uniform vec3 status_colors[4];
uniform vec3 model_colors[2];
uniform vec3 nowhere_color;  // of points outside the grid
uniform vec3 neutral_color;  // where there is no value
uniform vec3 key_light;      // unit vector towards it

const uint model_b = 1u << 26;
const uint no_voxel = 1u << 27;
const uint no_value = 1u << 28;
const uint cut_off = 1u << 29;

const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);  // where nothing is drawn

vec3 palette_at(float value)
{
  float t = log_scale ? log(1.0 + value) / log(1.0 + scale_max) : value / scale_max;
  return texelFetch(palettes, ivec2(clamp(t, 0.0, 1.0) * 255.0 + 0.5, palette_row), 0).rgb;
}

vec3 paint_color(uint paint)
{
  if ((paint & no_voxel) != 0u) { return nowhere_color; }
  if (paint_by == 0) { return status_colors[(paint >> 24) & 3u]; }
  if (paint_by == 1) { return model_colors[(paint & model_b) != 0u ? 1 : 0]; }
  if ((paint & no_value) != 0u) { return neutral_color; }
  if (shows_colours) { return shares_of_bytes(paint).zyx; }
  return palette_at(float(paint & 0xffffffu));
}

// Soft light from a sky above and a lamp near the eye.
float light_on(vec3 normal)
{
  return 0.56 + 0.12 * normal.z + 0.42 * max(dot(normal, key_light), 0.0);
}

// Shading of a surface seen along `towards_eye`: both sides alike, because the sign of a normal may be a guess. A normal
// of length 0 is lit from everywhere.
float light_on_surface(vec3 normal, vec3 towards_eye)
{
  if (dot(normal, normal) < 0.25) { return 0.78; }
  vec3 unit = normalize(normal);
  float inner = smoothstep(-0.3, 0.3, -dot(unit, towards_eye));  // at the rim, the normals of voxels are slightly off
  return mix(light_on(unit), light_on(-unit), inner);
}
