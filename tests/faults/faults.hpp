#pragma once

#include <cstdint>
#include <string>

/// Faults of the system: what is linked with faults.cpp, or is started with it in LD_PRELOAD, has its calls counted,
/// and one of them fails.
namespace slotscape::faults {

enum class Call : std::uint8_t { memory, write, fsync, rename, thread };
inline constexpr int call_count = 5;

/// Counts anew. The call of this kind that comes after so many others of it fails: of memory (operator new), with
/// std::bad_alloc. `lasting`: so do all after it.
void fail(Call call, std::uint64_t after, bool lasting = false);
/// None fails from now on. Returns whether one has.
bool stop();

/// How many calls there were since `fail` or the beginning.
std::uint64_t count(Call call);
/// Those of files in their order since then: "write write fsync rename fsync".
std::string order();

}  // namespace slotscape::faults
