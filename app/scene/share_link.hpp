#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// A scenario in the address of the page that runs the program: after "#s=", compressed (app/base/deflate), as text for
/// addresses (app/base/base64).

/// What messengers and mail programs pass on whole.
inline constexpr std::size_t longest_link = 8000;
/// What a link may unpack to: people write scenarios of some thousand characters.
inline constexpr std::size_t longest_shared = std::size_t{1} << 20;

/// `page`: the address of the page; empty: the part after it alone. Throws Error if the link would be too long.
std::string link_of(std::string_view page, std::string_view scenario);
/// The scenario in an address, or in the part of it from '#' on; nothing if there is none in it. Throws Error if it is
/// damaged.
std::optional<std::string> scenario_in_link(std::string_view address);

}  // namespace slotscape
