#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// Bytes as text (RFC 4648).
std::string base64(std::string_view bytes);
/// The same for addresses: with '-' and '_', and nothing that fills up.
std::string base64_for_address(std::string_view bytes);
/// Nothing if the text is not what `base64_for_address` writes.
std::optional<std::string> bytes_of_address(std::string_view text);

}  // namespace slotscape
