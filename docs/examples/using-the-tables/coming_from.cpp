// What docs/coming-from-cucollections.md shows of tables on the CPU, as a program: each function is a piece of one that
// used std::unordered_map.

#include <slotscape/table.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace families = slotscape::families;
using Map = slotscape::CpuTable<families::swiss, std::int64_t, double>;

void expect(bool is_right, char const* what)
{
  if (!is_right) { throw std::runtime_error(what); }
}

/// Instead of a loop over map[key] += value.
void add_up(std::vector<std::int64_t> const& keys, std::vector<double> const& values)
{
  Map map({.slots = 64, .grow_at = 0.8});
  map.insert_or_add(keys.data(), values.data(), keys.size()).or_throw();

  std::vector<double> sums(keys.size());
  map.find(keys.data(), sums.data(), keys.size());
  expect(sums[0] == 1.5 && sums[1] == 2.0, "add up");

  map.erase_if([](std::int64_t, double sum) { return sum < 2.0; });
  expect(map.size() == 1, "erase_if");
}

/// One key at a time, by any number of threads.
void one_by_one()
{
  Map map({.slots = Map::slots_for(1000)});
  Map::MutableView const view = map.mutable_view();
  view.insert(7, 0.5);
  view.update(7, [](double value) { return 2.0 * value; });
  if (auto const found = view.find(7)) { expect(found.value == 1.0, "find"); }
  expect(view.erase(8) == slotscape::Outcome::missing, "erase");
}

/// Memory of one's own.
void from_an_arena()
{
  std::pmr::monotonic_buffer_resource arena;
  std::vector<std::byte> scratch(1 << 20);
  slotscape::MemoryBlock block(scratch.data(), scratch.size());
  Map map({.slots = 1024, .memory = arena, .scratch = block});
  std::vector<std::int64_t> const keys{1, 2, 3};
  std::vector<double> const values{0.1, 0.2, 0.3};
  map.insert(keys.data(), values.data(), keys.size()).or_throw();
  expect(map.size() == 3 && block.most_used() != 0, "arena");
}

}  // namespace

int main()
{
  try {
    add_up({5, -6, 5}, {0.5, 2.0, 1.0});
    one_by_one();
    from_an_arena();
    std::puts("everything is as it was with std::unordered_map");
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
