#pragma once

#include "gpu/base/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::watch {

/// A member of a ZIP archive.
struct ZipMember {
  std::string name;
  std::span<std::byte const> stored;  ///< as it lies in the archive
  std::uint64_t bytes = 0;            ///< of its content
  std::uint32_t method = 0;           ///< how it is compressed; 0: not at all
};

/// The members of an archive, as its directory lists them; also of one with 64-bit sizes, which numpy.savez writes.
/// Throws Error that names the file if it is no archive, or damaged.
std::vector<ZipMember> zip_members(std::filesystem::path const& file, std::span<std::byte const> archive);

/// Throws Error that names the file.
[[noreturn]] void refuse_archive(std::filesystem::path const& file, std::string_view why);

/// Of all compressed members together: a few bytes can unpack to anything.
inline constexpr std::uint64_t max_unpacked = std::uint64_t{1} << 30;

/// The content of a compressed member. Throws Error likewise, and if it has more than `room` of these bytes; and
/// Cancelled.
std::vector<std::byte> unpacked(std::filesystem::path const& file, ZipMember const& member, std::uint64_t room,
                                Progress const& progress = {});

}  // namespace slotscape::watch
