// The concepts, against types that satisfy them and types that do not. The compiler is the test.
#include "gpu/execution/cpu.hpp"
#include "gpu/execution/scheduled.hpp"
#include "gpu/execution/traced.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "gpu/tables/slab.hpp"
#include "gpu/tables/sorted_array.hpp"

#include <vector>

namespace slotscape::family_contract_tests {
namespace {

static_assert(TableFamily<LinearProbing> && RunsByThread<LinearProbing>);
static_assert(TableFamily<Slab> && RunsByTile<Slab>);
static_assert(TableFamily<SortedArray> && IsStatic<SortedArray> && !IsStatic<Slab>);

struct WithoutErase : LinearProbing {
  template <class Table>
  static void erase(Table const&, typename Table::Key) = delete;
};
static_assert(!RunsByThread<WithoutErase> && !TableFamily<WithoutErase>);

struct WithoutInfo : OpenAddressing<WithoutInfo> {};
static_assert(!DescribesItself<WithoutInfo> && !TableFamily<WithoutInfo>);

/// A layout that cannot travel to the device.
struct LayoutThatOwnsMemory : LinearProbing {
  template <PairFormat Format>
  struct Layout : LinearProbing::Layout<Format> {
    std::vector<int> memory;
  };
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const&);
};
static_assert(!LaysOutTables<LayoutThatOwnsMemory> && !TableFamily<LayoutThatOwnsMemory>);

/// `lane_choices` without `lanes`: neither by thread nor by tile.
struct TilesWithoutLanes : Slab {
  template <class Layout>
  static void lanes(Layout const&);
};
static_assert(!UsesTiles<TilesWithoutLanes> && !TableFamily<TilesWithoutLanes>);

static_assert(Machine<HostMachine<Wide>> && Machine<TracedMachine<Narrow>> && Machine<ScheduledMachine>);
static_assert(Machine<CountingMachine<HostMachine<Narrow>>>);
static_assert(!Machine<FreshMachine<HostMachine<Narrow>>>, "it only loads");

static_assert(exec::Executor<exec::Cpu> && !exec::Executor<HostMachine<Narrow>>);

}  // namespace
}  // namespace slotscape::family_contract_tests
