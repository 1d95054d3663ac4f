#pragma once

#include <glad/gl.h>

#include <string_view>

namespace slotscape::gl {

#ifdef NDEBUG
inline constexpr bool debug_context = false;
#else
inline constexpr bool debug_context = true;  ///< OpenGL reports its errors on stderr
#endif

/// What to do about an OpenGL that is too old, for the end of an Error's message.
inline constexpr std::string_view advice_for_old_opengl =
    "Slotscape needs OpenGL 4.5: update the graphics driver, or use Mesa's software renderer by setting "
    "LIBGL_ALWAYS_SOFTWARE=1";

/// Loads the functions of the current context. Throws Error where it is older than OpenGL 4.5.
void load_functions(GLADloadfunc load);

}  // namespace slotscape::gl
