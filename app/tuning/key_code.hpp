#pragma once

#include "gpu/workloads/settings.hpp"

#include <string>

namespace slotscape::tuning {

/// Code that computes the stored numbers from the keys of a file.
struct KeyCode {
  std::string includes;  ///< needed by the code, one per line
  std::string code;      ///< a function in C++17; empty if the keys already are numbers
  std::string remark;    ///< a note; may be empty
};
KeyCode code_of_keys(KeySettings const& keys);

/// The listing with this code inserted after its last #include.
std::string with_key_code(std::string listing, KeyCode const& keys);

}  // namespace slotscape::tuning
