#pragma once

#include "gpu/base/random.hpp"
#include "gpu/library/table.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Random histories of a table of the library, held to what a map would do; one that fails is cut down to a few lines.
namespace slotscape::histories {

/// One call. What it does to which keys is all in it, so that a printed history can be replayed.
struct Step {
  enum class Call : std::uint8_t {
    insert,
    insert_or_assign,
    insert_or_add,
    insert_or_min,
    insert_or_max,
    insert_async,  ///< assigns; families in which keys move: as `insert_or_assign`
    erase,
    erase_async,
    erase_if,  ///< keys that are multiples of 3
    find,
    find_async,
    merge,  ///< another table with these pairs; adds
    rehash,
    copy,  ///< into another table, with which the history goes on
    move,  ///< the same
    clear
  };
  Call call;
  std::vector<std::uint64_t> keys = {};  ///< their lower 32 bits, in tables of 32 bits
  std::uint64_t value = 1;               ///< of all of them
  std::uint64_t slots = 0;               ///< of rehash
};

struct History {
  std::uint64_t slots = 64;
  Deletion deletion = Deletion::empty_value;
  HashKind hash = HashKind::murmur3;
  double grow_at = 0.0;
  bool short_of_memory = false;  ///< each call is repeated until it has every piece of memory that it needs
  std::vector<Step> steps = {};
};

/// A history of so many calls with up to `most_keys` keys each, in tables of up to as many slots.
History random_history(std::uint64_t seed, int bits, std::uint64_t steps, std::uint64_t most_keys);

/// What is wrong, or nothing.
using Replay = std::function<std::string(History const&)>;

/// A history as short as can be found that fails, too. `replay` need not fail each time: it is called a few times.
History shrunk(History history, Replay const& replay);

/// As C++: `EXPECT_EQ((wrong_in<OnCpu, families::swiss, std::uint32_t>({...})), "");`
std::string code_of(History const& history, std::string_view family, int bits);

}  // namespace slotscape::histories
