#pragma once

#include <string>

/// The memory of tables of the library, and what they say of it. By itself, because the library and the scenes have
/// names in common.
namespace slotscape::test {

struct LibraryDump {
  std::string bytes;
  std::string layout;
};
/// Of int32_t and float: -5 is 1.5, 7 is -2, 0 is 0, and the largest key is 3.
LibraryDump dump_of_numbers();
/// Of uint32_t, and values of 16 bytes: the key 7.
LibraryDump dump_of_rows();
/// Of 700 keys in 1,024 slots.
LibraryDump dump_of_hopscotch();

}  // namespace slotscape::test
