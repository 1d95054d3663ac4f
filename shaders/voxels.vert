// The three faces of a voxel that can face the eye share 7 of its 8 corners: bit 0 of gl_VertexID says whether the
// corner is on the eye's side along x, bit 1 along y, bit 2 along z.
layout(location = 0) in vec3 position;
layout(location = 1) in uint paint;
layout(location = 2) in vec4 normal;

uniform mat4 projection_of_directions;  // from the eye, in the axes of the world
uniform vec3 eye;
uniform float voxel;            // side, in units of the world
uniform float pixels_per_unit;  // at a distance of one unit

out vec3 local;  // 1 on the faces towards the eye, -1 on the others
flat out vec3 tint;
flat out vec3 face_shades;  // of the faces across x, y and z
flat out float edge_strength;

#include "bytes.glsl"
#include "depth.glsl"
#include "paint.glsl"
#include "voxel_shades.glsl"

void main()
{
  vec3 from_eye = position - eye;
  float distance = max(length(from_eye), 1e-6);
  vec3 towards = mix(vec3(-1.0), vec3(1.0), lessThan(from_eye, vec3(0.0)));
  VoxelShades shades = voxel_shades(normal.xyz, -from_eye / distance, towards, voxel * pixels_per_unit / distance);
  local = vec3(ivec3(gl_VertexID, gl_VertexID >> 1, gl_VertexID >> 2) & 1) * 2.0 - 1.0;
  vec3 corner = from_eye + 0.5 * voxel * (1.0 - shades.gap) * towards * local;
  gl_Position = (paint & cut_off) != 0u ? nowhere : clip_place(projection_of_directions * vec4(corner, 1.0));
  tint = paint_color(paint);
  face_shades = shades.faces;
  edge_strength = shades.edges;
}
