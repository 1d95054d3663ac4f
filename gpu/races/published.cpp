#include "gpu/races/published.hpp"

#include "gpu/races/family_table.hpp"
#include "gpu/races/published/first_tombstone.hpp"
#include "gpu/races/published/hopscotch_moves.hpp"
#include "gpu/races/published/split_pairs.hpp"

#include <algorithm>
#include <array>

namespace slotscape::races {
namespace {

template <class Table>
constexpr Published published_as()
{
  return {&Table::info, Table::flaw, family_table<Table>};
}

}  // namespace

std::span<Published const> published_tables()
{
  using namespace published;
  static constexpr std::array tables{
      published_as<FirstTombstone>(),        published_as<CopyThenClear>(), published_as<BitmapHopscotch<false>>(),
      published_as<BitmapHopscotch<true>>(), published_as<ValueAfterKey>(), published_as<PublishedKey<false>>(),
      published_as<PublishedKey<true>>(),
  };
  return tables;
}

Published const* find_published(std::string_view name)
{
  std::span<Published const> const tables = published_tables();
  auto const found = std::ranges::find_if(tables, [=](Published const& table) { return table.info->name == name; });
  return found == tables.end() ? nullptr : &*found;
}

}  // namespace slotscape::races
