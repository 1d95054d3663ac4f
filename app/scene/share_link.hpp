#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// A scenario in the address of the web page that runs the program: after "#s=", compressed (app/base/deflate) and
/// encoded as text for addresses (app/base/base64).

/// The length that messengers and mail programs pass on unchanged.
inline constexpr std::size_t longest_link = 8000;
/// The limit for an unpacked link; scenarios written by people have some thousand characters.
inline constexpr std::size_t longest_shared = std::size_t{1} << 20;

/// `page`: the address of the page; empty: returns only the part after it. Throws Error if the link would be too long.
std::string link_of(std::string_view page, std::string_view scenario);
/// The scenario in an address, or in the part of it from '#' on; nothing if it contains none. Throws Error if the
/// scenario is damaged.
std::optional<std::string> scenario_in_link(std::string_view address);

}  // namespace slotscape
