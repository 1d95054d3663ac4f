#pragma once

#include "gpu/base/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace slotscape::watch {

/// The bytes of a file: loaded or, if they are many, mapped. Throws Error that names the file if it cannot be read.
class MappedFile {
public:
  /// A file that becomes shorter while it is mapped takes its reader down with it: only what is too large to be loaded
  /// is mapped.
  static constexpr std::uint64_t max_loaded = std::uint64_t{1} << 30;

  /// Throws Cancelled, too.
  explicit MappedFile(std::filesystem::path const& file, std::uint64_t loaded_up_to = max_loaded,
                      Progress const& progress = {});
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(MappedFile const&) = delete;
  MappedFile& operator=(MappedFile const&) = delete;
  ~MappedFile();

  std::span<std::byte const> bytes() const { return bytes_; }
  bool is_mapped() const { return mapped_ != nullptr; }
  /// Whether the file has been written since, or is gone.
  bool is_stale() const;

private:
  struct Stamp {
    std::uint64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    std::uint64_t number = 0;  ///< of the file on its disk
    friend bool operator==(Stamp const&, Stamp const&) = default;
  };
  static Stamp stamp_of(std::filesystem::path const& file);

  std::filesystem::path file_;
  Stamp stamp_;
  std::vector<std::byte> loaded_;
  void* mapped_ = nullptr;
  std::span<std::byte const> bytes_;
};

}  // namespace slotscape::watch
