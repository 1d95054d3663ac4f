// Eye-dome lighting (Boucheny 2009): what lies behind its neighbours on the canvas is darker, so that shapes show
// without normals.

uniform int eye_dome;  // pixels to the neighbours; 0: everything keeps its colour

// The near plane / depth, so many columns and rows away; 0 where there is nothing. Who includes this defines it.
float nearness_beside(int x, int y);

// `here`: nearness_beside(0, 0), above 0.
float eye_dome_shade(float here)
{
  const float most = 0.01;  // so much nearer, as a share of the depth, a neighbour darkens no further
  const float strength = 250.0;
  vec4 around = vec4(nearness_beside(eye_dome, 0), nearness_beside(-eye_dome, 0), nearness_beside(0, eye_dome),
                     nearness_beside(0, -eye_dome));
  vec4 nearer = clamp(around / here - 1.0, 0.0, most);
  return exp2(-0.25 * strength * dot(nearer, vec4(1.0)));
}
