#include "app/base/npy.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

namespace slotscape {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NpyTest : public testing::Test {
protected:
  /// A file of NumPy's format 1 with this dictionary and these bytes.
  std::filesystem::path file(std::string header, std::string_view data) const
  {
    header += '\n';
    std::string content = "\x93NUMPY\x01";
    content += '\0';
    content += static_cast<char>(header.size() & 0xff);
    content += static_cast<char>(header.size() >> 8);
    return folder_.write("a.npy", content + header + std::string(data));
  }
  std::string error_of(std::string const& header, std::string_view data) const
  {
    return message_of<Error>([&] { read_npy(file(header, data)); });
  }
  TemporaryFolder folder_;
};

TEST_F(NpyTest, BringsBackWhatWasWritten)
{
  std::array<std::int32_t, 6> const numbers{1, -2, 3, 4, 5, 2'000'000'000};
  NpyRows const table = read_npy(folder_.write("a.npy", npy_of(numbers, {2, 3})));
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns, 3u);
  EXPECT_THAT(table.numbers, ElementsAre(1, -2, 3, 4, 5, 2'000'000'000));
  std::array<std::int64_t, 2> const wide{-1, 1ll << 60};
  NpyRows const column = read_npy(folder_.write("b.npy", npy_of(wide, {2})));
  EXPECT_EQ(column.columns, 1u);
  EXPECT_THAT(column.numbers, ElementsAre(-1, 1ll << 60));
  EXPECT_THROW(npy_of(numbers, {2, 2}), std::invalid_argument);
}

TEST_F(NpyTest, ReadsOtherTypesAndColumnsFirst)
{
  NpyRows const bytes = read_npy(file("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3), }", "\x01\x02\xff"));
  EXPECT_THAT(bytes.numbers, ElementsAre(1, 2, 255));
  NpyRows const columns =
      read_npy(file("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", "\x01\x04\x02\x05\x03\xff"));
  EXPECT_THAT(columns.numbers, ElementsAre(1, 2, 3, 4, 5, -1));
  NpyRows const big =
      read_npy(file("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", {"\x01\x02\xff\xfe", 4}));
  EXPECT_THAT(big.numbers, ElementsAre(258, -2));
  NpyRows const whole = read_npy(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }",
                                      {"\x00\x00\x00\xc0\x00\x00\x80\x3f", 8}));  // -2 and 1
  EXPECT_THAT(whole.numbers, ElementsAre(-2, 1));
  NpyRows const none = read_npy(file("{'descr': '<i8', 'fortran_order': False, 'shape': (0, 4), }", ""));
  EXPECT_EQ(none.rows, 0u);
}

TEST_F(NpyTest, WhatCannotBeReadIsExplained)
{
  std::string const ints = "{'descr': '<i4', 'fortran_order': False, 'shape': ";
  EXPECT_THAT(message_of<Error>([&] { read_npy(folder_.write("a.npy", "hello")); }), HasSubstr("numpy.save"));
  std::string_view const half("\x00\x00\x00\x3f", 4);
  EXPECT_THAT(error_of("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", half),
              HasSubstr("a.npy: 0.5 in row 1 is not a whole number"));
  EXPECT_THAT(error_of("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }", "1234"),
              HasSubstr("Python objects"));
  EXPECT_THAT(error_of("{'descr': '<f16', 'fortran_order': False, 'shape': (1, 1), }", "1234"), HasSubstr("64 bits"));
  EXPECT_THAT(error_of("{'descr': '<U1', 'fortran_order': False, 'shape': (1, 1), }", "1234"),
              HasSubstr("not numbers"));
  EXPECT_THAT(error_of("{'descr': [('a', '<i4'), 'fortran_order': False, 'shape': (1,), }", "1234"), HasSubstr("type"));
  EXPECT_THAT(error_of("{'fortran_order': False, 'shape': (1, 1), }", "1234"), HasSubstr("no 'descr'"));
  EXPECT_THAT(error_of(ints + "(2, 2), }", "1234"), HasSubstr("it ends early: it should have 2 rows of 2 numbers"));
  EXPECT_THAT(error_of(ints + "(4611686018427387904, 4), }", "1234"), HasSubstr("it ends early"));
  EXPECT_THAT(error_of(ints + "(1, 1, 1), }", "1234"), HasSubstr("3 dimensions"));
  EXPECT_THAT(error_of(ints + "(), }", "1234"), HasSubstr("0 dimensions"));
  EXPECT_THAT(error_of(ints + "(1, x), }", "1234"), HasSubstr("shape"));
  EXPECT_THAT(error_of(ints + "(1, 1", "1234"), HasSubstr("shape"));
  std::string cut("\x93NUMPY\x01\x00\xff\x7f{'descr'", 18);
  EXPECT_THAT(message_of<Error>([&] { read_npy(folder_.write("a.npy", cut)); }), HasSubstr("within its header"));
}

TEST_F(NpyTest, ArchivesThatCannotBeWrittenAreNamed)
{
  EXPECT_THAT(message_of<Error>([&] { write_npz(folder_ / "none/a.npz", {}); }), HasSubstr("none/a.npz"));
}

}  // namespace
}  // namespace slotscape
