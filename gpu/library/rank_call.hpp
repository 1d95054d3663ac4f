#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/shard_report.hpp"
#include "gpu/execution/executor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace slotscape {

/// How a distributed table splits its calls. All ranks must choose the same `pieces`.
struct PieceOptions {
  /// Number of pieces of a large call: while one is sent, the next is dealt, and the previous one is looked up.
  std::uint32_t pieces = 4;
  std::uint64_t min_piece = std::uint64_t{1} << 22;    ///< keys: smaller pieces are slower
  std::uint64_t max_at_once = std::uint64_t{1} << 28;  ///< keys per rank; larger calls are sent in several parts
  /// If ranks can read each other's memory, lookups of at most this many keys per rank read the other shards directly,
  /// and nothing is sent. 0: never.
  std::uint64_t max_direct = std::uint64_t{1} << 18;
};

/// Statistics of a distributed table's calls on one rank since it was cleared.
struct RankReport {
  ShardWork work;  ///< of the rank's own shard
  /// Bytes to and from each rank, including results. Nothing is sent to the rank itself.
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> received;
  std::uint64_t looked_up_directly = 0;  ///< keys that this rank looked up in its own and other shards
  /// Device seconds. If parts overlap, their sum exceeds `whole`; the exchange includes waiting for other ranks.
  ShardSeconds seconds;
  double whole = 0.0;  ///< host seconds spent in calls
};

namespace library {

enum class RankCall : std::uint8_t {
  insert,
  insert_or_assign,
  insert_or_add,
  insert_or_min,
  insert_or_max,
  find,
  erase,
  clear,
  rehash,
  size
};
inline constexpr std::array<std::string_view, 10> rank_call_names{"insert",        "insert_or_assign",
                                                                  "insert_or_add", "insert_or_min",
                                                                  "insert_or_max", "find",
                                                                  "erase",         "clear",
                                                                  "rehash",        "size"};

/// The ranks made different calls. All of them get this error, and nothing was done.
struct DifferentCalls : Error {
  using Error::Error;
};

/// What a rank tells all others before a call, packed into one number.
struct CallWords {
  RankCall call;
  bool wants_outcomes = false;
  bool distinct = false;
  bool goes_on = false;      ///< the rank has more keys than it sends at once
  bool directly = false;     ///< the rank can look up its keys in all shards, and has few
  std::uint32_t pieces = 0;  ///< number of pieces in which the rank has keys

  std::uint64_t number() const
  {
    return static_cast<std::uint64_t>(call) | (wants_outcomes ? 256u : 0u) | (distinct ? 512u : 0u) |
           (goes_on ? 1024u : 0u) | (directly ? 2048u : 0u) | std::uint64_t{pieces} << 16;
  }
  static CallWords of(std::uint64_t number)
  {
    return {static_cast<RankCall>(number & 255),
            (number & 256) != 0,
            (number & 512) != 0,
            (number & 1024) != 0,
            (number & 2048) != 0,
            static_cast<std::uint32_t>(number >> 16)};
  }
};

/// Adds up the time of an executor's work by purpose.
template <exec::Executor Exec>
class PartTimes {
public:
  explicit PartTimes(Exec& exec) : laps_(exec) {}
  void start()
  {
    parts_.clear();
    laps_.start();
  }
  /// Assigns the work submitted since the last call to this part; null: to none, for example waiting.
  void lap(double ShardSeconds::*part)
  {
    parts_.push_back(part);
    laps_.lap();
  }
  ShardSeconds seconds() const
  {
    ShardSeconds sum;
    if (parts_.empty()) { return sum; }
    std::vector<double> const laps = laps_.seconds();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i] != nullptr) { sum.*parts_[i] += laps[i]; }
    }
    return sum;
  }

private:
  typename Exec::Laps laps_;
  std::vector<double ShardSeconds::*> parts_;
};

}  // namespace library

}  // namespace slotscape
