// Comparing bytes at once, by each of the ways there are, with comparing them one by one.

#include "gpu/tables/byte_group.hpp"
#include "gpu/base/random.hpp"

#include <gtest/gtest.h>

namespace slotscape::byte_group_tests {
namespace {

/// Numbers of bytes that are often equal, or differ by one or in their high bit: what a carry between bytes confuses.
std::uint64_t similar_bytes(std::uint64_t seed)
{
  constexpr std::uint8_t some[]{0x00, 0x01, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x7e};
  std::uint64_t word = 0;
  for (int lane = 0; lane < 8; ++lane) { word = with_byte(word, lane, some[random64(seed, lane) % 8]); }
  return word;
}

template <int numbers>
std::uint64_t equal_one_by_one(ByteGroup<numbers> const& group, std::uint8_t byte)
{
  std::uint64_t bits = 0;
  for (int lane = 0; lane < 8 * numbers; ++lane) {
    bits |= std::uint64_t{group.words[lane / 8] >> (lane % 8 * 8) % 64 << 56 >> 56 == byte} << lane;
  }
  return bits;
}

template <int numbers>
void expect_equal_bits()
{
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ByteGroup<numbers> group;
    for (int i = 0; i < numbers; ++i) { group.words[i] = similar_bytes(seed * numbers + i); }
    for (int byte = 0; byte < 256; ++byte) {
      auto const sought = static_cast<std::uint8_t>(byte);
      ASSERT_EQ(group.equal(sought), equal_one_by_one(group, sought)) << seed << ", byte " << byte;
    }
  }
}

TEST(ByteGroups, AreComparedAtOnce)
{
  expect_equal_bits<1>();
  expect_equal_bits<2>();
  expect_equal_bits<4>();
  expect_equal_bits<8>();
}

TEST(ByteGroups, AreComparedAlikeWithAndWithoutVectors)
{
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    std::uint64_t const first = similar_bytes(2 * seed);
    std::uint64_t const second = similar_bytes(2 * seed + 1);
    for (int byte = 0; byte < 256; ++byte) {
      auto const sought = static_cast<std::uint8_t>(byte);
      ASSERT_EQ(bytes::equal_in_two(first, second, sought),
                bytes::equal_in_word(first, sought) | bytes::equal_in_word(second, sought) << 8);
    }
  }
}

TEST(ByteGroups, OneByteChangesAlone)
{
  std::uint64_t const word = 0x0123456789abcdefu;
  for (int lane = 0; lane < 16; ++lane) {
    std::uint64_t const changed = with_byte(word, lane, 0x5a);
    EXPECT_EQ(byte_in(changed, lane), 0x5a);
    for (int other = 0; other < 8; ++other) {
      if (other != lane % 8) { EXPECT_EQ(byte_in(changed, other), byte_in(word, other)); }
    }
  }
}

}  // namespace
}  // namespace slotscape::byte_group_tests
