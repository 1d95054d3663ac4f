#pragma once

#include "gpu/execution/backend.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape::watch {

/// A named block of memory of a source.
struct Array {
  std::string name;
  std::byte const* data = nullptr;  ///< device memory if the source's backend is CUDA
  std::uint64_t bytes = 0;
};

/// How many bytes of an array belong to the first `step` of `steps` steps, in which several arrays are read together.
constexpr std::uint64_t part_of(std::uint64_t bytes, std::uint64_t step, std::uint64_t steps)
{
  return bytes / steps * step + bytes % steps * step / steps;
}

/// A message from a running program.
struct Event {
  enum class Kind { mark, moved, ended };
  Kind kind;
  std::string text;  ///< for an end that was not normal: a sentence
  double seconds;    ///< since the source was opened
};

/// A table in foreign memory: of a running program, or in a file. Used from one thread.
class Source {
public:
  virtual ~Source() = default;

  /// Whether `arrays` are in host memory or in that of a CUDA device.
  virtual Backend backend() const = 0;
  /// The program's name for the table, or the file's name.
  virtual std::string name() const = 0;
  /// JSON.
  virtual std::string description() const = 0;
  /// The arrays at the last `refresh`.
  virtual std::span<Array const> arrays() = 0;
  /// Updates the memory if it is a copy; returns true if the arrays or the description changed.
  virtual bool refresh() = 0;
  /// The events since the last call.
  virtual std::vector<Event> take_events() = 0;
  /// How the memory is accessed, as text: "shared memory", "copied 10 times a second".
  virtual std::string manner() const = 0;
  /// Whether the program still runs. After its end, the last state stays readable.
  virtual bool alive() const = 0;
  /// Whether files were written or removed since they were opened: open them again to see the changes. Always false for
  /// a running program.
  virtual bool is_stale() { return false; }
  /// Whether files are read in place: changes to them may be visible, and a file that becomes shorter must not be read.
  virtual bool is_mapped() const { return false; }
};

}  // namespace slotscape::watch
