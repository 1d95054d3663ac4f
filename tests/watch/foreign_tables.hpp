#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/watch/watched_table.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace slotscape::watch::test {

/// Somebody's memory: bytes with a name, and what lies in them.
struct Memory {
  std::string name = "slots";
  std::vector<std::byte> bytes;

  Memory() = default;
  Memory(std::string called, std::uint64_t size) : name(std::move(called)), bytes(size) {}

  template <class U>
  void write(std::uint64_t at, U number)
  {
    std::memcpy(bytes.data() + at, &number, sizeof(number));
  }
  template <class U>
  U read(std::uint64_t at) const
  {
    U number;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    return number;
  }
  Array array() const { return {name, bytes.data(), bytes.size()}; }
};

/// The number-th different key.
inline std::uint32_t key32(std::uint64_t number)
{
  return make_shuffle(11, std::uint64_t{1} << 31)(static_cast<std::uint32_t>(number)) + 1;
}
inline std::uint64_t key64(std::uint64_t number)
{
  return random64(13, number) >> 1;
}

inline std::unique_ptr<WatchedTable> watched(Description const& description, std::vector<Array> const& arrays)
{
  return make_watched_table(Backend::cpu, "somebody's", description, arrays);
}

/// What an error says; empty if there is none.
template <class Call>
std::string error_of(Call const& call)
{
  try {
    call();
  } catch (Error const& error) {
    return error.what();
  }
  return {};
}

}  // namespace slotscape::watch::test
