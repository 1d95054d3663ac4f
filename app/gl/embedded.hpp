#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace slotscape::gl {

/// A file embedded in the binary at build time: "shaders/slot_map.frag", "fonts/ui.ttf". Throws std::logic_error for an
/// unknown name.
std::span<std::byte const> embedded(std::string_view name);
/// An embedded file as text.
std::string_view embedded_text(std::string_view name);
/// The names of all embedded files, sorted.
std::vector<std::string_view> embedded_names();

}  // namespace slotscape::gl
