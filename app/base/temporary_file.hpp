#pragma once

#include <filesystem>

namespace slotscape {

/// A temporary file, removed when this object is destroyed. Documents that will be opened later need a copy of it.
class TemporaryFile {
public:
  explicit TemporaryFile(std::filesystem::path const& file);
  ~TemporaryFile();
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;

private:
  std::filesystem::path file_;
};

/// Whether the file is a `TemporaryFile`.
bool is_temporary(std::filesystem::path const& file);

}  // namespace slotscape
