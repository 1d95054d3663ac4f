#pragma once

#include "app/serve/origin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::serve {

/// The page that shows the pictures: self-contained HTML. Its script and style have this nonce.
std::string live_page(std::string const& nonce);

/// The page's Content-Security-Policy header. It allows only the script and style with this nonce, pictures that the
/// script makes, and WebSockets to `host` (from the Host header) and to `origins`.
std::string policy_of_page(std::string const& nonce, std::string_view host, std::vector<Origin> const& origins);

/// A page that says why there is no picture, and what to do.
std::string refusal_page(std::string_view why);

}  // namespace slotscape::serve
