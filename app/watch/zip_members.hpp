#pragma once

#include "gpu/base/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace slotscape::watch {

/// A member of a ZIP archive.
struct ZipMember {
  std::string name;
  std::span<std::byte const> stored;  ///< its content, if it is not compressed; else empty
  bool is_compressed = false;
};

/// The members of an archive, as its directory lists them; also of one with 64-bit sizes, which numpy.savez writes.
/// Throws Error that names the file if it is no archive, or damaged.
std::vector<ZipMember> zip_members(std::filesystem::path const& file, std::span<std::byte const> archive);

/// Of all compressed members together: a few bytes can unpack to anything.
inline constexpr std::uint64_t max_unpacked = std::uint64_t{1} << 30;

/// The content of a compressed member. Throws Error likewise, and if it has more than `room` of these bytes; and
/// Cancelled.
std::vector<std::byte> unpacked(std::filesystem::path const& file, std::string const& member, std::uint64_t room,
                                Progress const& progress = {});

}  // namespace slotscape::watch
