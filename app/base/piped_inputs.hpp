#pragma once

#include "app/base/temporary_file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

/// Files with the content of inputs that can be read only once, such as standard input: scenes read their sources again
/// when settings change. The files exist as long as this object.
class PipedInputs {
public:
  PipedInputs() = default;
  ~PipedInputs();
  PipedInputs(PipedInputs const&) = delete;
  PipedInputs& operator=(PipedInputs const&) = delete;

  /// Returns a file with the content of standard input for "-" and "/dev/stdin", or with that of a pipe; other words
  /// are returned unchanged. Reads to the end. Throws Error if that fails or the input is too large.
  std::string file_of(std::string const& word);

private:
  std::filesystem::path path_for(std::string const& name);

  std::filesystem::path folder_;
  std::map<std::string, std::string> files_;  ///< temporary files by the word that named the input
  std::vector<std::unique_ptr<TemporaryFile>> temporary_;
};

}  // namespace slotscape
