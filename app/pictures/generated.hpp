#pragma once

#include "gpu/matching/engine.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Pictures that the program draws itself, and transformations of them.
namespace slotscape::pictures {

enum class Kind : std::uint8_t {
  shapes,  ///< discs, rings, polygons and stars
  text,    ///< lines of letters
  map      ///< streets, blocks, a river, a park
};

inline constexpr std::uint32_t usual_width = 640;
inline constexpr std::uint32_t usual_height = 480;

/// The same seed gives the same picture. Its content scales with the shorter side.
matching::Picture generate(Kind kind, std::uint64_t seed, std::uint32_t width = usual_width,
                           std::uint32_t height = usual_height);

/// Built-in pictures by name: 'shapes-1', 'text-1', 'map-1' and so on, eight of each kind.
std::vector<std::string> const& builtin_names();
bool is_builtin(std::string_view name);
/// Throws Error that lists the built-in pictures if there is no such picture.
matching::Picture make_builtin(std::string_view name, std::uint32_t width = usual_width,
                               std::uint32_t height = usual_height);

}  // namespace slotscape::pictures
