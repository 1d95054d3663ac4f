#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Compresses the content, with zlib's header (RFC 1950).
std::string compressed(std::string_view content);
/// Reverses `compressed`; nothing if the content is damaged or would have more than `most` bytes.
std::optional<std::string> uncompressed(std::string_view content, std::size_t most);
/// Inflates a member of a ZIP archive (RFC 1951) to exactly `bytes` bytes; nothing if it is damaged.
std::optional<std::vector<std::byte>> inflated(std::span<std::byte const> content, std::size_t bytes);

}  // namespace slotscape
