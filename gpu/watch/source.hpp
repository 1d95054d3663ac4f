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

/// So many bytes of an array belong to the first `step` of so many steps, in which several arrays are read together.
constexpr std::uint64_t part_of(std::uint64_t bytes, std::uint64_t step, std::uint64_t steps)
{
  return bytes / steps * step + bytes % steps * step / steps;
}

/// What a program says while it runs.
struct Event {
  enum class Kind { mark, moved, ended };
  Kind kind;
  std::string text;  ///< of an end: a sentence, if it was not as it should be
  double seconds;    ///< since the source was opened
};

/// A table in somebody's memory: of a running program, or of a file. Used from one thread.
class Source {
public:
  virtual ~Source() = default;

  /// Where `arrays` are: in the host's memory, or in that of a CUDA device.
  virtual Backend backend() const = 0;
  /// What the program called it, or the file's name.
  virtual std::string name() const = 0;
  /// JSON.
  virtual std::string description() const = 0;
  /// As of the last `refresh`.
  virtual std::span<Array const> arrays() = 0;
  /// Brings the memory up to date where it is copied; true if arrays or description changed.
  virtual bool refresh() = 0;
  /// Those since the last call.
  virtual std::vector<Event> take_events() = 0;
  /// How the memory is reached, in words: "shared memory", "copied 10 times a second".
  virtual std::string manner() const = 0;
  /// The program is there; after its end, the last state stays readable.
  virtual bool alive() const = 0;
  /// Files were written since they were opened, or are gone: whoever wants to see that opens them again. Never of
  /// a running program.
  virtual bool is_stale() { return false; }
  /// Files are read in place: what is written to them may be seen, and a file that becomes shorter must not be read.
  virtual bool is_mapped() const { return false; }
};

}  // namespace slotscape::watch
