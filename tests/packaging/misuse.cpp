// What a program compiled without NDEBUG finds out about itself: library_test.sh builds and runs this.

#include <slotscape/table.hpp>

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace families = slotscape::families;
using Words = slotscape::CpuTable<families::linear_probing, std::uint32_t>;
using Packed = slotscape::CpuTable<families::swiss, int, float>;
using Moving = slotscape::CpuTable<families::robin_hood, std::uint32_t>;
struct Point {
  long x, y;
};
using Rows = slotscape::CpuTable<families::linear_probing, Point, int>;
using Many = slotscape::CpuMultiTable<families::linear_probing, int, int>;

int failures = 0;

/// Expects an exception with these words.
template <class F>
void refuses(char const* what, std::string_view words, F const& f)
{
  try {
    f();
    std::fprintf(stderr, "%s was not found out\n", what);
    ++failures;
  } catch (slotscape::Error const& error) {
    if (std::string_view(error.what()).find(words) != std::string_view::npos) { return; }
    std::fprintf(stderr, "%s: %s\n", what, error.what());
    ++failures;
  }
}
template <class F>
void allows(char const* what, F const& f)
{
  try {
    f();
  } catch (slotscape::Error const& error) {
    std::fprintf(stderr, "%s: %s\n", what, error.what());
    ++failures;
  }
}

/// change(table) makes views invalid.
template <class Table, class Change>
void outdates(char const* what, typename Table::Key key, Change const& change)
{
  Table table({.slots = 64});
  auto const view = table.view();
  allows("a look", [&] { view.contains(key); });
  change(table);
  refuses(what, "Take a new view", [&] { view.contains(key); });
  allows("a new view", [&] { table.view().contains(key); });
}

void use_old_views()
{
  std::vector<std::uint32_t> const keys{1, 2, 3};
  std::vector<Point> const points{{1, 2}};
  std::vector<int> const numbers{1, 2, 3};
  outdates<Words>("a rehash", 1, [](Words& table) { table.rehash(128); });
  outdates<Packed>("a copy", 1, [](Packed& table) { table.copy_from(table); });
  outdates<Words>("another table in its place", 1, [](Words& table) { table = Words({.slots = 64}); });
  outdates<Moving>("an insertion that moves keys", 1,
                   [&](Moving& table) { static_cast<void>(table.insert(keys.data(), keys.data(), 3)); });
  outdates<Moving>("clear where keys move", 1, [](Moving& table) { table.clear(); });
  outdates<Rows>("an insertion of rows", Point{1, 2},
                 [&](Rows& table) { static_cast<void>(table.insert(points.data(), numbers.data(), 1)); });

  Words growing({.slots = 64, .grow_at = 0.5});
  auto const before = growing.mutable_view();
  std::vector<std::uint32_t> many(100);
  for (std::uint32_t i = 0; i < 100; ++i) { many[i] = i; }
  growing.insert(many.data(), many.data(), 100).or_throw();
  refuses("growth", "Take a new view", [&] { before.insert(7, 7); });

  Many several;
  several.build(numbers.data(), numbers.data(), 3);
  auto const of_first = several.view();
  several.build(numbers.data(), numbers.data(), 3);
  refuses("a second build", "Take a new view", [&] { of_first.contains(1); });

  auto* const gone = new Packed({.slots = 64});  // cppcheck-suppress legacyUninitvar
  auto const left = gone->view();
  delete gone;
  refuses("a table that is gone", "Take a new view", [&] { left.contains(1); });

  Words settled({.slots = 64});
  auto const kept = settled.mutable_view();
  allows("what moves nothing", [&] {
    settled.insert(keys.data(), keys.data(), 3).or_throw();
    settled.clear();
    kept.insert(1, 1);
    Words const moved(std::move(settled));
    kept.contains(1);
  });
}

void use_moved_tables()
{
  Packed from({.slots = 64});
  auto const view = from.mutable_view();
  view.insert(1, 0.5f);
  Packed to(std::move(from));
  allows("a view of what has moved", [&] { view.contains(1); });
  refuses("size after a move", "moved from", [&] { static_cast<void>(from.size()); });
  refuses("slots after a move", "moved from", [&] { static_cast<void>(from.slots()); });
  refuses("a view after a move", "moved from", [&] { static_cast<void>(from.view()); });
  refuses("clear after a move", "moved from", [&] { from.clear(); });
  from = std::move(to);
  allows("what moved back", [&] { static_cast<void>(from.size()); });
  Packed other({.slots = 64});
  std::swap(from, other);
  allows("what was swapped", [&] { static_cast<void>(from.size() + other.size()); });
}

}  // namespace

int main()
{
  use_old_views();
  use_moved_tables();
  return failures == 0 ? 0 : 1;
}
