#pragma once

#include <cstdlib>
#include <iterator>

namespace slotscape::test {

/// Under a sanitizer everything takes many times as long, and finds what it finds in fewer rounds.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
/// Whether the test runs under compute-sanitizer: whoever runs it says so (docs/contributing.md).
inline bool is_device_sanitized()
{
  return std::getenv("SLOTSCAPE_DEVICE_SANITIZER") != nullptr;
}

inline bool is_sanitized()
{
  return sanitized || is_device_sanitized();
}

inline int rounds(int plain)
{
  return is_sanitized() ? (plain + 7) / 8 : plain;
}

/// Of cases that differ in their numbers alone: all of them, or the first one for a sanitizer, which sees no more in
/// others.
template <class List>
List first_of(List cases)
{
  if (sanitized && cases.size() > 1) { cases.erase(std::next(cases.begin()), cases.end()); }
  return cases;
}

/// Whether a sanitizer is to see what it sees elsewhere already: `scripts/test --thorough` asks for that.
inline bool is_thorough()
{
  return !sanitized || std::getenv("SLOTSCAPE_THOROUGH") != nullptr;
}

}  // namespace slotscape::test
