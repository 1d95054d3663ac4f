// One cell of the map: gpu/analysis/picture.hpp says what each field means.
struct Texel {
  uint shares;
  float value;
  uint flash;
  uint slots;
};

uniform texel_sampler texels;
uniform sampler2D palettes;  // one palette a row

uniform vec2 canvas_corner;  // of the canvas in the framebuffer, bottom left
uniform float canvas_height;
uniform vec2 origin;  // of the picture's first cell on the canvas, pixels from its top left, y downwards
uniform float cell;   // pixels
uniform uvec2 size;   // of the picture, in cells
uniform int arrangement;  // of the cells, as enum class Plane::Kind
uniform uvec2 plane;      // columns and rows of cells
uniform uint level;
uniform int color_by;  // as enum class ColorBy
uniform int palette_row;
uniform float scale_max;
uniform bool log_scale;
uniform vec3 empty_color;
uniform vec3 tombstone_color;
uniform vec3 live_color;
uniform vec3 link_color;
uniform vec3 canvas_color;
uniform vec3 insert_flash;
uniform vec3 find_flash;
uniform vec3 erase_flash;
uniform float recent_dim;
uniform float tombstone_strength;

out vec4 color;

const int by_state = 0;
const int by_recent = 3;
const int ring = 2;
const int arrays = 3;
const int chains = 4;

vec3 state_mix(float live, float tombstone, float link)
{
  float empty = max(0.0, 1.0 - live - tombstone - link);
  return empty_color * empty + tombstone_color * tombstone + live_color * live + link_color * link;
}

vec3 palette_at(float value)
{
  float t = log_scale ? log(1.0 + value) / log(1.0 + scale_max) : value / scale_max;
  return texelFetch(palettes, ivec2(clamp(t, 0.0, 1.0) * 255.0 + 0.5, palette_row), 0).rgb;
}

vec3 with_flashes(vec3 base, uint flash)
{
  float inserted = float(flash & 255u) / 255.0;
  float found = float((flash >> 8) & 255u) / 255.0;
  float erased = float((flash >> 16) & 255u) / 255.0;
  base = mix(base, find_flash, found);
  base = mix(base, erase_flash, erased);
  return mix(base, insert_flash, inserted);
}

vec3 texel_color(Texel texel)
{
  float live = float(texel.shares & 0xffffu) / 65535.0;
  float tombstone = float(texel.shares >> 16) / 65535.0;
  float link = float(texel.flash >> 24) / 255.0;
  if (color_by == by_state) { return state_mix(live, tombstone, link); }
  if (color_by == by_recent) {
    vec3 states = mix(empty_color, state_mix(live, tombstone, link), recent_dim);
    return with_flashes(states, texel.flash);
  }
  if (texel.value >= 0.0) { return palette_at(texel.value); }
  return mix(mix(empty_color, tombstone_color, tombstone_strength * tombstone), link_color, link);
}

// Tombstones are hatched where there is room, so that they can be told apart without colour.
float hatch(Texel texel, vec2 at)
{
  bool is_tombstone = level == 0u && (texel.shares >> 16) != 0u;
  if (!is_tombstone || cell < 10.0) { return 0.0; }
  float period = clamp(cell / 5.0, 5.0, 12.0);
  float distance = abs(fract((at.x + at.y) / period) - 0.5) * period;
  float strength = mix(0.45, 0.2, clamp((cell - 40.0) / 20.0, 0.0, 1.0));  // fainter behind text
  return strength * smoothstep(0.0, 1.0, period * 0.22 - distance + 0.5);
}

float grid_line(vec2 within)
{
  if (level != 0u || cell < 8.0) { return 0.0; }
  bool on_line = within.x < 1.0 || within.y < 1.0;
  return on_line ? clamp((cell - 6.0) / 14.0, 0.25, 1.0) : 0.0;
}

// The index of the texel in this cell, or one that is too large where there is none.
uint texel_at(uvec2 cell_at)
{
  uint nowhere = size.x * size.y;
  if (arrangement == chains) { return nowhere; }  // they are drawn over it
  if (arrangement == arrays) { return cell_at.y % 2u == 0u ? nowhere : cell_at.y / 2u * plane.x + cell_at.x; }
  if (arrangement != ring) { return cell_at.y * plane.x + cell_at.x; }
  uint right = plane.x - 1u;
  uint bottom = plane.y - 1u;
  if (cell_at.y == 0u) { return cell_at.x; }
  if (cell_at.x == right) { return right + cell_at.y; }
  if (cell_at.y == bottom) { return right + bottom + (right - cell_at.x); }
  return cell_at.x == 0u ? 2u * right + bottom + (bottom - cell_at.y) : nowhere;
}

Texel texel_of(uint index)
{
  uvec4 words = fetch_texel(index);
  return Texel(words.x, uintBitsToFloat(words.y), words.z, words.w);
}

void main()
{
  vec2 pixel = gl_FragCoord.xy - canvas_corner;
  vec2 at = vec2(pixel.x, canvas_height - pixel.y) - origin;
  vec2 index = floor(at / cell);
  if (any(lessThan(index, vec2(0.0))) || any(greaterThanEqual(index, vec2(plane)))) {
    color = vec4(canvas_color, 1.0);
    return;
  }
  uint place = texel_at(uvec2(index));
  if (place >= size.x * size.y) {
    color = vec4(canvas_color, 1.0);
    return;
  }
  Texel texel = texel_of(place);
  if (texel.slots == 0u) {
    color = vec4(canvas_color, 1.0);
    return;
  }
  vec3 tint = texel_color(texel);
  tint = mix(tint, empty_color, hatch(texel, at));
  tint = mix(tint, canvas_color, grid_line(at - index * cell));
  color = vec4(tint, 1.0);
}
