#pragma once

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

/// The content of a compressed member. Throws Error likewise.
std::vector<std::byte> unpacked(std::filesystem::path const& file, std::string const& member);

}  // namespace slotscape::watch
