#pragma once

#include "gpu/base/error.hpp"

#include <filesystem>
#include <string>
#include <utility>

namespace slotscape {

/// A value of a JSON document is invalid. `path` locates it: "steps[2].count"; empty for the whole document.
struct FieldError : Error {
  FieldError(std::string const& what, std::string at) : Error(what), path(std::move(at)) {}
  std::string path;
};

/// A document names a file that it may not read without permission: see `Reach`.
struct OutsideFile : FieldError {
  OutsideFile(std::string const& what, std::string at, std::filesystem::path outside)
      : FieldError(what, std::move(at)), file(std::move(outside))
  {
  }
  std::filesystem::path file;
};

}  // namespace slotscape
