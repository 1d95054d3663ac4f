#pragma once

#include "gpu/workloads/settings.hpp"

#include <string>

namespace slotscape::tuning {

/// How the numbers that a table stores come from the keys of a file.
struct KeyCode {
  std::string includes;  ///< that the code needs, a line each
  std::string code;      ///< a function in C++17; empty where keys are numbers as they are
  std::string remark;    ///< what to know; may be empty
};
KeyCode code_of_keys(KeySettings const& keys);

/// The listing with the code after its last #include.
std::string with_key_code(std::string listing, KeyCode const& keys);

}  // namespace slotscape::tuning
