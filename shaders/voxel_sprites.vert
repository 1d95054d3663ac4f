#version 450 core

// A voxel as one point, in which the fragment shader finds the cube.
layout(location = 0) in vec3 position;
layout(location = 1) in uint paint;
layout(location = 2) in vec4 normal;

uniform mat4 projection_of_directions;  // from the eye, in the axes of the world
uniform vec3 eye;
uniform vec3 right;  // unit vectors of the view
uniform vec3 up;
uniform vec3 forward;
uniform float voxel;            // side, in units of the world
uniform float pixels_per_unit;  // at a depth of one unit

flat out vec3 center;  // from the eye
flat out float half_side;
flat out float half_pixels;
flat out vec3 tint;
flat out vec3 face_shades;
flat out float edge_strength;

#include "paint.glsl"
#include "voxel_shades.glsl"

void main()
{
  center = position - eye;
  float depth = max(dot(center, forward), 1e-6);
  vec3 towards = mix(vec3(-1.0), vec3(1.0), lessThan(center, vec3(0.0)));
  float pixels = voxel * pixels_per_unit / depth;
  VoxelShades shades = voxel_shades(normal.xyz, -normalize(center), towards, pixels);
  half_side = 0.5 * voxel * (1.0 - shades.gap);
  half_pixels = 0.5 * pixels;
  tint = paint_color(paint);
  face_shades = shades.faces;
  edge_strength = shades.edges;

  // The cube's extent on the canvas: how far its half-sides reach along the canvas's axes, seen from the eye.
  vec2 slope = vec2(dot(center, right), dot(center, up)) / depth;
  float reach = max(dot(abs(right - slope.x * forward), vec3(1.0)), dot(abs(up - slope.y * forward), vec3(1.0)));
  gl_PointSize = pixels * reach * (1.0 + voxel / depth) + 1.0;
  gl_Position = projection_of_directions * vec4(center, 1.0);
}
