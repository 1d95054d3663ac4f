#pragma once

#include "app/base/temporary_file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

/// Inputs that can be read only once, such as standard input, as files: scenes read their sources again when settings
/// change. The files are there for as long as this object.
class PipedInputs {
public:
  PipedInputs() = default;
  ~PipedInputs();
  PipedInputs(PipedInputs const&) = delete;
  PipedInputs& operator=(PipedInputs const&) = delete;

  /// A file with the content of standard input for "-" and "/dev/stdin", and with that of a pipe; other words are
  /// unchanged. Reads to the end. Throws Error if that fails, or there is too much.
  std::string file_of(std::string const& word);

private:
  std::filesystem::path path_for(std::string const& name);

  std::filesystem::path folder_;
  std::map<std::string, std::string> files_;  ///< by what was read
  std::vector<std::unique_ptr<TemporaryFile>> temporary_;
};

}  // namespace slotscape
