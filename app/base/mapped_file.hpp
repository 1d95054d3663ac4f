#pragma once

#include "gpu/base/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {

/// The bytes as characters, without a copy.
inline std::string_view characters_of(std::span<std::byte const> bytes)
{
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

/// The bytes of a file: loaded, or memory-mapped if the file is large. Throws Error that names the file if it cannot be
/// read.
class MappedFile {
public:
  /// A file that is truncated while it is mapped crashes its reader, so only files that are too large to load are
  /// mapped.
  static constexpr std::uint64_t max_loaded = std::uint64_t{1} << 30;

  /// Also throws Cancelled.
  explicit MappedFile(std::filesystem::path const& file, std::uint64_t loaded_up_to = max_loaded,
                      Progress const& progress = {});
  MappedFile(MappedFile&& other) noexcept
      : file_(std::move(other.file_)),
        stamp_(other.stamp_),
        loaded_(std::move(other.loaded_)),
        mapped_(std::exchange(other.mapped_, nullptr)),
        bytes_(std::exchange(other.bytes_, {}))
  {
  }
  MappedFile& operator=(MappedFile&& other) noexcept
  {
    std::swap(file_, other.file_);
    std::swap(stamp_, other.stamp_);
    std::swap(loaded_, other.loaded_);
    std::swap(mapped_, other.mapped_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  MappedFile(MappedFile const&) = delete;
  MappedFile& operator=(MappedFile const&) = delete;
  ~MappedFile();

  std::span<std::byte const> bytes() const { return bytes_; }
  bool is_mapped() const { return mapped_ != nullptr; }
  /// Whether the file has been written or removed since it was opened.
  bool is_stale() const { return stamp_of(file_) != stamp_; }

private:
  struct Stamp {
    std::uint64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    std::uint64_t number = 0;  ///< the inode number
    friend bool operator==(Stamp const&, Stamp const&) = default;
  };
  static Stamp stamp_of(std::filesystem::path const& file);

  std::filesystem::path file_;
  Stamp stamp_;
  std::vector<std::byte> loaded_;
  void* mapped_ = nullptr;
  std::span<std::byte const> bytes_;
};

}  // namespace slotscape
