#pragma once

#include "app/base/npy.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace slotscape::test {

/// Pairs of 32 bits in linear probing from a masked MurmurHash3 finaliser, as SimpleGPUHashTable has them: filled by
/// code of its own.
class DumpedTable {
public:
  static constexpr std::uint32_t empty = 0xffffffffu;

  DumpedTable(std::uint32_t slots, std::uint32_t keys) : words_(2 * std::size_t{slots}, empty), slots_(slots)
  {
    for (std::uint32_t i = 0; i < keys; ++i) { insert(key(i), i); }
  }
  static std::uint32_t key(std::uint32_t i) { return 2654435769u * (i + 1); }
  static std::uint32_t hash(std::uint32_t x)
  {
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
  }
  std::uint32_t place(std::uint32_t wanted) const
  {
    std::uint32_t slot = hash(wanted) & (slots_ - 1);
    while (words_[2 * std::size_t{slot}] != empty && words_[2 * std::size_t{slot}] != wanted) {
      slot = (slot + 1) & (slots_ - 1);
    }
    return slot;
  }
  void insert(std::uint32_t key, std::uint32_t value)
  {
    std::size_t const slot = place(key);
    words_[2 * slot] = key;
    words_[2 * slot + 1] = value;
  }
  void erase(std::uint32_t key) { words_[2 * std::size_t{place(key)} + 1] = empty; }
  /// Whatever is right: the key of a slot, with some value; or nothing.
  void overwrite(std::uint32_t slot, std::uint32_t key)
  {
    words_[2 * std::size_t{slot}] = key;
    words_[2 * std::size_t{slot} + 1] = key == empty ? empty : 7;
  }
  std::uint32_t key_in(std::uint32_t slot) const { return words_[2 * std::size_t{slot}]; }

  std::uint32_t slots() const { return slots_; }
  std::string raw() const { return {reinterpret_cast<char const*>(words_.data()), 4 * words_.size()}; }
  /// Keys, or values, alone.
  std::string column(std::size_t which) const
  {
    std::string bytes;
    for (std::size_t i = which; i < words_.size(); i += 2) {
      bytes.append(reinterpret_cast<char const*>(&words_[i]), 4);
    }
    return bytes;
  }
  /// Bytes as a .npy file of this type and shape.
  static std::string npy(std::string const& type, std::string const& shape, std::string const& bytes)
  {
    std::string header = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}\n", type, shape);
    std::string content = "\x93NUMPY\x01";
    content += '\0';
    content += static_cast<char>(header.size() & 0xff);
    content += static_cast<char>(header.size() >> 8);
    return content + header + bytes;
  }
  std::string structured() const
  {
    return npy("[('key', '<u4'), ('value', '<u4')]", fmt::format("({},)", slots_), raw());
  }

private:
  std::vector<std::uint32_t> words_;
  std::uint32_t slots_;
};

}  // namespace slotscape::test
