#pragma once

#include <filesystem>

namespace slotscape {

/// A file of the program's own, which it removes with this object. A document that is to be opened later needs a copy.
class TemporaryFile {
public:
  explicit TemporaryFile(std::filesystem::path const& file);
  ~TemporaryFile();
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;

private:
  std::filesystem::path file_;
};

/// Whether it is one of them.
bool is_temporary(std::filesystem::path const& file);

}  // namespace slotscape
