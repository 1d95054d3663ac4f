#include "tests/watched/dumps.hpp"

#include "gpu/library/table.hpp"
#include "gpu/library/watch_table.hpp"

#include <array>
#include <limits>
#include <vector>

namespace slotscape::test {
namespace {

template <class Table>
LibraryDump dump_of(Table const& table)
{
  auto const* const words = table.slot_memory();
  return {{reinterpret_cast<char const*>(words), table.slots() * sizeof(*words)}, watch_layout(table).json()};
}

}  // namespace

LibraryDump dump_of_numbers()
{
  CpuTable<families::linear_probing, std::int32_t, float> table({.slots = 64});
  std::array<std::int32_t, 4> const keys{-5, 7, 0, std::numeric_limits<std::int32_t>::max()};
  std::array<float, 4> const values{1.5f, -2.0f, 0.0f, 3.0f};
  table.insert(keys.data(), values.data(), keys.size()).or_throw();
  return dump_of(table);
}

LibraryDump dump_of_rows()
{
  CpuTable<families::linear_probing, std::uint32_t, std::array<float, 4>> table({.slots = 64});
  std::uint32_t const key = 7;
  std::array<float, 4> const value{};
  table.insert(&key, &value, 1).or_throw();
  return dump_of(table);
}

LibraryDump dump_of_hopscotch()
{
  CpuTable<families::hopscotch, std::uint32_t> table({.slots = 1024});
  std::vector<std::uint32_t> keys(700);
  for (std::uint32_t i = 0; i < keys.size(); ++i) { keys[i] = 7919 * (i + 1); }
  table.insert(keys.data(), keys.data(), keys.size()).or_throw();
  return dump_of(table);
}

}  // namespace slotscape::test
