// Where a vertex is drawn that the camera sees at `place`, whose depth goes from 0 to 1.
vec4 clip_place(vec4 place)
{
  return depth_from_zero ? place : vec4(place.xy, 2.0 * place.z - place.w, place.w);
}
