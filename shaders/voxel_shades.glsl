// How the three faces of a voxel that face the eye are lit, and how its edges are drawn.

struct VoxelShades {
  vec3 faces;   // across x, y and z
  float edges;  // strength
  float gap;    // to the next voxel, as a share of the side
};

// `pixels`: the voxel's side; `towards`: 1 or -1, the side of the voxel that the eye is on. Small voxels are lit as
// part of the surface they form, large ones as cubes.
VoxelShades voxel_shades(vec3 normal, vec3 towards_eye, vec3 towards, float pixels)
{
  float surface = light_on_surface(normal, towards_eye);
  vec3 faces = vec3(light_on(vec3(towards.x, 0.0, 0.0)), light_on(vec3(0.0, towards.y, 0.0)),
                    light_on(vec3(0.0, 0.0, towards.z)));
  float cubic = mix(0.25, 0.6, smoothstep(3.0, 24.0, pixels));
  VoxelShades shades;
  shades.faces = mix(vec3(surface), faces * (0.55 + 0.5 * surface), cubic);
  shades.edges = 0.42 * smoothstep(4.0, 14.0, pixels);
  shades.gap = 0.05 * smoothstep(10.0, 30.0, pixels);
  return shades;
}
