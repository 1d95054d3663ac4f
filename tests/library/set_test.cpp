// Sets on the CPU, and which families there are of them.

#include "tests/library/on_cpu.hpp"
#include "tests/library/set_cases.hpp"

namespace slotscape {
namespace {

using Cases = testing::Types<
    Case<OnCpu, families::linear_probing, std::uint32_t>, Case<OnCpu, families::linear_probing, std::uint64_t>,
    Case<OnCpu, families::quadratic, std::uint32_t>, Case<OnCpu, families::double_hashing, std::uint64_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibrarySet, Cases);

static_assert(StoresKeysAlone<families::simple_hash> && !StoresKeysAlone<families::cuckoo>);
static_assert(sizeof(NarrowSet::Word) == 4 && sizeof(WideSet::Word) == 8);

template <class Table>
concept FindsValues = requires(typename Table::View view)
{
  view.find(1u);
};
template <class Table>
concept TakesPairs = requires(Table table)
{
  table.mutable_view().insert(1u, 1u);
};
template <class Table>
concept TakesKeys = requires(Table table)
{
  table.mutable_view().insert(1u);
};
using Set = CpuSet<families::linear_probing>;
using Table = CpuTable<families::linear_probing>;
static_assert(FindsValues<Table> && TakesPairs<Table> && !TakesKeys<Table>);
static_assert(!FindsValues<Set> && !TakesPairs<Set> && TakesKeys<Set>);

}  // namespace
}  // namespace slotscape
