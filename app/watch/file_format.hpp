#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace slotscape::watch {

/// The format of a file that is not a table's raw memory, in words for users: "a text file", "an HDF5 file". Empty if
/// it may be raw memory.
std::string other_format(std::span<std::byte const> bytes);

}  // namespace slotscape::watch
