#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// Encodes bytes as text (RFC 4648).
std::string base64(std::string_view bytes);
/// Base64 for addresses (URLs): with '-' and '_', without padding.
std::string base64_url(std::string_view bytes);
/// Decodes text from `base64_url`; nullopt if the text is invalid.
std::optional<std::string> decode_base64_url(std::string_view text);

}  // namespace slotscape
