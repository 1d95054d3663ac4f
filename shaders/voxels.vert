#version 450 core

// A voxel's three faces that can face the eye, which share 7 of its 8 corners: bit 0 of gl_VertexID says whether the
// corner is on the eye's side along x, bit 1 along y, bit 2 along z.
layout(location = 0) in vec3 position;
layout(location = 1) in uint paint;
layout(location = 2) in vec4 normal;

uniform mat4 projection_of_directions;  // from the eye, in the axes of the world
uniform vec3 eye;
uniform float voxel;            // side, in units of the world
uniform float pixels_per_unit;  // of what is one unit away

out vec3 local;  // 1 on the faces towards the eye, -1 on the others
flat out vec3 tint;
flat out vec3 face_shades;  // of the faces across x, y and z
flat out float edge_strength;

#include "paint.glsl"

void main()
{
  vec3 from_eye = position - eye;
  float pixels = voxel * pixels_per_unit / max(length(from_eye), 1e-6);
  vec3 towards = mix(vec3(-1.0), vec3(1.0), lessThan(from_eye, vec3(0.0)));
  local = vec3(ivec3(gl_VertexID, gl_VertexID >> 1, gl_VertexID >> 2) & 1) * 2.0 - 1.0;
  float gap = 0.05 * smoothstep(10.0, 30.0, pixels);
  vec3 corner = from_eye + 0.5 * voxel * (1.0 - gap) * towards * local;
  gl_Position = is_drawn(paint) ? projection_of_directions * vec4(corner, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);

  // Small voxels are lit as the surface that they are part of, large ones as cubes.
  float surface = light_on_surface(normal.xyz, -normalize(from_eye));
  vec3 faces = vec3(light_on(vec3(towards.x, 0.0, 0.0)), light_on(vec3(0.0, towards.y, 0.0)),
                    light_on(vec3(0.0, 0.0, towards.z)));
  float cubic = mix(0.25, 0.6, smoothstep(3.0, 24.0, pixels));
  face_shades = mix(vec3(surface), faces * (0.55 + 0.5 * surface), cubic);
  tint = paint_color(paint);
  edge_strength = 0.42 * smoothstep(4.0, 14.0, pixels);
}
