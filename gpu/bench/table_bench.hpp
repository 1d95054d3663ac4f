#pragma once

#include "gpu/execution/backend.hpp"
#include "gpu/tables/settings.hpp"
#include "gpu/workloads/settings.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

/// What tables can do on a device, and what its memory would allow.
namespace slotscape::bench {

/// What is timed, in the order in which a table goes through it.
enum class Timed : std::uint8_t {
  insert,     ///< distinct keys of the stream into an empty table, up to its load
  find_hit,   ///< each of these keys, in another order
  find_miss,  ///< as many keys that are not there
  mixed,      ///< a quarter inserts, half finds, a quarter erases, so that the load stays; half as many in all
  erase       ///< each key that is there, in another order
};
inline constexpr int timed_count = 5;
using TimedMask = std::uint8_t;
constexpr TimedMask mask_of(Timed timed)
{
  return static_cast<TimedMask>(1u << static_cast<unsigned>(timed));
}

/// Keys of one stream in a table of these settings.
struct TableCase {
  TableSettings table;
  double load_factor = 0.5;  ///< keys inserted / slots; above 0, up to 1
  KeySettings keys;
  std::uint64_t batch = 0;  ///< operations submitted together; 0: all, up to `most_batch`
};
inline constexpr std::uint64_t most_batch = 1u << 28;

/// Memory accesses of lookups, as `Table::count_accesses` counts them; of up to 2^20 keys.
struct Accesses {
  double mean = 0.0;
  std::uint32_t p99 = 0;
  std::uint32_t max = 0;
};

/// One timed operation on all its keys.
struct TimedRun {
  std::uint64_t count = 0;   ///< operations
  double seconds = 0.0;      ///< of the table's own work: device events, or wall clock on the CPU
  std::uint64_t failed = 0;  ///< insertions that found no place
};
using Round = std::array<std::optional<TimedRun>, timed_count>;

/// Asked between batches whether to go on.
using GoOn = std::function<bool()>;

/// A table in the memory of one device, which goes through all operations as often as wanted.
class TableBench {
public:
  virtual ~TableBench() = default;

  /// With the actual number of slots.
  virtual TableSettings const& table() const = 0;
  virtual std::uint64_t keys() const = 0;
  virtual std::uint64_t batch() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
  virtual std::string device_name() const = 0;

  /// Empties the table and runs what is wanted, on the keys of a seed; inserts always, since the others need them.
  /// Checks every answer, and throws Error if one is wrong. Nothing if `go_on` said no.
  virtual std::optional<Round> run(std::uint64_t seed, TimedMask wanted, GoOn const& go_on) = 0;
  /// The lookups of the first wanted round, of a kind that was run; nothing for others.
  virtual std::optional<Accesses> accesses(Timed timed) const = 0;
};

/// Throws Error if no such table can be made on this device, or its memory does not suffice.
std::unique_ptr<TableBench> make_table_bench(Backend backend, TableCase const& subject);

}  // namespace slotscape::bench
