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
  std::span<std::byte const> stored;  ///< the bytes as stored in the archive
  std::uint64_t bytes = 0;            ///< size of the content
  std::uint32_t method = 0;           ///< compression method; 0: uncompressed
};

/// The members in an archive's directory; also supports 64-bit sizes, which numpy.savez writes. Throws Error naming the
/// file if it is not an archive, or damaged.
std::vector<ZipMember> zip_members(std::filesystem::path const& file, std::span<std::byte const> archive);

/// Throws Error naming the file.
[[noreturn]] void refuse_archive(std::filesystem::path const& file, std::string_view why);

/// Limit on all compressed members together: a few bytes can unpack to any size.
inline constexpr std::uint64_t max_unpacked = std::uint64_t{1} << 30;

/// The content of a compressed member. Throws Error naming the file, also if the content exceeds `room` bytes; throws
/// Cancelled.
std::vector<std::byte> unpacked(std::filesystem::path const& file, ZipMember const& member, std::uint64_t room,
                                Progress const& progress = {});

}  // namespace slotscape::watch
