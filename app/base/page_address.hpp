#pragma once

#include <string>

namespace slotscape {

/// Whether the program runs in a page of a browser.
#ifdef __EMSCRIPTEN__
inline constexpr bool is_in_page = true;
#else
inline constexpr bool is_in_page = false;
#endif

/// The address of the page that runs the program; of a program on a computer, that of a page which was named when it
/// was built (the CMake variable SLOTSCAPE_PAGE_ADDRESS). Empty: none is known.
std::string page_address();

}  // namespace slotscape
