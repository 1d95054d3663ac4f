// Looks at a running table without a window: viewer NAME KEYS EMPTY_KEY [STRIDE BITS]. It waits until the table has so
// many keys, for at most half a minute, and says how it reaches them.

#include "gpu/base/error.hpp"
#include "gpu/watch/live.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

using namespace slotscape;

std::size_t count_keys(watch::Source& source, std::uint64_t empty, std::size_t stride, std::size_t bytes)
{
  std::size_t count = 0;
  for (watch::Array const& array : source.arrays()) {
    for (std::uint64_t at = 0; at + stride <= array.bytes; at += stride) {
      std::uint64_t key = 0;
      std::memcpy(&key, array.data + at, bytes);
      count += key != empty ? 1 : 0;
    }
  }
  return count;
}

int look(char** arguments)
{
  std::string const name = arguments[1];
  std::size_t const wanted = std::strtoull(arguments[2], nullptr, 0);
  std::uint64_t const empty = std::strtoull(arguments[3], nullptr, 0);
  std::size_t const stride = std::strtoull(arguments[4], nullptr, 0);
  std::size_t const bytes = std::strtoull(arguments[5], nullptr, 0) / 8;
  std::unique_ptr<watch::Source> source;
  constexpr int patience = 3000;
  for (int i = 0; i < patience; ++i) {
    if (source == nullptr) {
      for (watch::Announced const& table : watch::announced()) {
        // Without a GPU engine here, memory of a device is copied to the host.
        if (table.name == name) { source = watch::connect(table, BackendChoice::cpu); }
      }
    } else {
      source->refresh();
      std::size_t const keys = count_keys(*source, empty, stride, bytes);
      if (keys >= wanted) {
        std::printf("%s has %zu keys, %s\n", name.c_str(), keys, source->manner().c_str());
        return 0;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::fprintf(stderr, "%s: %s\n", name.c_str(),
               source == nullptr ? "it is not announced" : "it does not get its keys");
  return 1;
}

}  // namespace

int main(int count, char** arguments)
{
  constexpr int needed = 6;
  if (count != needed) {
    std::fprintf(stderr, "viewer NAME KEYS EMPTY_KEY STRIDE BITS\n");
    return 2;
  }
  try {
    return look(arguments);
  } catch (Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
