#pragma once

#include "app/serve/origin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::serve {

/// The page that shows the pictures: HTML that needs nothing else. Its script and its style have this nonce.
std::string live_page(std::string const& nonce);

/// The value of the header Content-Security-Policy for it: nothing but that script and style, pictures that the script
/// makes, and the WebSockets of `host`, which is a value of the header Host, and of the origins.
std::string policy_of_page(std::string const& nonce, std::string_view host, std::vector<Origin> const& origins);

/// A page that says why there is no picture, and what to do.
std::string refusal_page(std::string_view why);

}  // namespace slotscape::serve
