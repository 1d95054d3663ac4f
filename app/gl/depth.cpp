#include "app/gl/depth.hpp"

#include <glad/gl.h>

namespace slotscape::gl {

DepthFromZero::DepthFromZero()
{
  if (is_native()) { glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE); }
}

DepthFromZero::~DepthFromZero()
{
  if (is_native()) { glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE); }
}

bool DepthFromZero::is_native()
{
  return GLAD_GL_ARB_clip_control != 0;
}

void begin_depth_test()
{
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GEQUAL);
  glDepthMask(GL_TRUE);
  GLfloat const infinity = 0.0f;
  glClearBufferfv(GL_DEPTH, 0, &infinity);
}

void end_depth_test()
{
  glDisable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
}

}  // namespace slotscape::gl
