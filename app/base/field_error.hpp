#pragma once

#include "gpu/base/error.hpp"

#include <string>
#include <utility>

namespace slotscape {

/// A value of a JSON document that cannot be used, with its path there: "steps[2].count"; empty for the whole.
struct FieldError : Error {
  FieldError(std::string const& what, std::string at) : Error(what), path(std::move(at)) {}
  std::string path;
};

}  // namespace slotscape
