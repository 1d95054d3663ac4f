// A table of the library on the CPU, which can be looked at while it is filled, and rehashed.

#include <slotscape/table.hpp>
#include <slotscape/watch_table.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <thread>
#include <vector>

using Table = slotscape::CpuTable<slotscape::families::linear_probing, std::uint32_t>;

/// library_table [SECONDS]
int main(int count, char** arguments)
{
  try {
    int const seconds = count > 1 ? std::atoi(arguments[1]) : 60;
    Table table({.slots = 1 << 18});
    slotscape::Watch watch = slotscape::watch_table("orders", table);

    std::vector<std::uint32_t> keys(1024);
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    for (std::uint32_t first = 1; std::chrono::steady_clock::now() < end; first += 1024) {
      std::iota(keys.begin(), keys.end(), first);
      if (table.load_factor() > 0.85) {
        if (table.slots() >= 1 << 22) { break; }
        table.rehash(2 * table.slots());
        slotscape::table_moved(watch, table, "rehashed to twice the slots");
      }
      table.insert(keys.data(), keys.data(), keys.size()).or_throw();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_until(end);
    std::printf("%llu orders\n", static_cast<unsigned long long>(table.size()));
    return watch.problem().empty() ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
