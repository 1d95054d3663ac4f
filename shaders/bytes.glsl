// Four shares of 1, the first one in the lowest byte.
vec4 shares_of_bytes(uint bytes)
{
  return vec4(uvec4(bytes, bytes >> 8, bytes >> 16, bytes >> 24) & 255u) / 255.0;
}
