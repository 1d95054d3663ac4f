#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Compressed, with zlib's header (RFC 1950).
std::string compressed(std::string_view content);
/// What `compressed` made; nothing if it is damaged, or has more than `most` bytes.
std::optional<std::string> uncompressed(std::string_view content, std::size_t most);
/// Of a ZIP archive's member (RFC 1951), which has just so many bytes; nothing if it is damaged.
std::optional<std::vector<std::byte>> inflated(std::span<std::byte const> content, std::size_t bytes);

}  // namespace slotscape
