#pragma once

#include <string>

namespace slotscape {

/// Whether the program runs in a web page.
#ifdef __EMSCRIPTEN__
inline constexpr bool is_in_page = true;
#else
inline constexpr bool is_in_page = false;
#endif

/// The address of the web page that runs the program. Outside a browser, the address of a page that was configured at
/// build time (the CMake variable SLOTSCAPE_PAGE_ADDRESS). Empty: unknown.
std::string page_address();

}  // namespace slotscape
