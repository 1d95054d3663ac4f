#pragma once

#include <stdexcept>

namespace slotscape {

/// The message says what went wrong and what the user can do about it. The command line prints it and exits with 2; the
/// window shows it and continues.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace slotscape
