#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace slotscape::watch {

/// What a file of bytes is instead of the memory of a table, in words for people: "a text file", "an HDF5 file". Empty
/// if nothing speaks against memory.
std::string other_format(std::span<std::byte const> bytes);

}  // namespace slotscape::watch
