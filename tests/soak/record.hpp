#pragma once

#include "gpu/execution/backend.hpp"
#include "tests/soak/slope.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::soak {

inline constexpr double longest_frame = 0.25;  ///< seconds of processor time
inline constexpr std::size_t warm_up = 4;      ///< cycles of a run, in which caches fill

/// What must not grow.
struct Measure {
  std::string_view name;
  Allowance allowance;
};
inline constexpr std::array measures{
    Measure{"MiB of the host", {4.0, 4.0}},   Measure{"MiB allocated", {4.0, 4.0}},
    Measure{"MiB of the device", {4.0, 4.0}}, Measure{"files", {2.0, 1.0}},
    Measure{"threads", {2.0, 1.0}},           Measure{"OpenGL objects", {2.0, 1.0}},
};
using Resources = std::array<double, measures.size()>;

/// As it is now: memory of the process without files that are mapped into it, once free parts of the heap were given
/// back (`malloc_trim`); what of it is allocated from the heap, which tells a leak from free memory between what is in
/// use; memory of the device that is in use, by whomever; and what there is of the others. The OpenGL context must be
/// current.
Resources resources_now(Backend backend);

/// The state at the end of a cycle, which is the same each time.
struct Sample {
  std::size_t run;    ///< from 1
  std::size_t cycle;  ///< of this run, from 1
  double seconds;     ///< since its start
  Resources resources;
};

struct LongFrame {
  double seconds = 0.0;  ///< of processor time of the thread that draws
  std::string what;
};

/// All that is known of a soak, which goes on over several runs.
struct Record {
  Backend backend = Backend::cpu;
  std::uint64_t seed = 1;
  std::size_t runs = 0;
  std::uint64_t cycles = 0;  ///< in all
  double seconds = 0.0;
  std::map<std::string, std::uint64_t> counts = {};            ///< of what was done
  std::map<std::string, LongFrame, std::less<>> longest = {};  ///< by scene
  std::map<std::string, std::uint64_t> messages = {};          ///< that the program showed as errors
  std::map<std::string, std::uint64_t> broken = {};            ///< what must not happen at all
  std::vector<Sample> samples = {};

  void note_frame(std::string_view scene, std::string_view what, double seconds);
  Slope slope(std::size_t measure) const;
  /// What is wrong, each in a sentence.
  std::vector<std::string> problems() const;
  /// All of it, for people.
  std::string text() const;
};

/// Throws Error if it cannot be written.
void write(std::filesystem::path const& file, Record const& record);
/// An empty one if there is no such file. Throws Error if it is none of these.
Record read(std::filesystem::path const& file);

}  // namespace slotscape::soak
