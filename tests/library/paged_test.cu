// Tables that are larger than a GPU's memory, small: in pages, and in pinned memory where they lie.

#include "tests/library/on_cuda.cuh"
#include "tests/library/paged_cases.hpp"

namespace slotscape {
namespace {

using PagedCases = testing::Types<Case<OnCuda, families::linear_probing, std::uint64_t>,
                                  Case<OnCuda, families::segmented_cuckoo, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryPages, PagedCases);

template <class Case>
class LibraryPinned : public LibraryTable<Case> {
};
using PinnedCases = testing::Types<Case<OnCuda, families::linear_probing, std::uint64_t>,
                                   Case<OnCuda, families::segmented_cuckoo, std::uint32_t>>;
TYPED_TEST_SUITE(LibraryPinned, PinnedCases);

TYPED_TEST(LibraryPinned, TableDoesWhatAMapDoesOnCuda)
{
  using Key = typename TestFixture::Key;
  using Table = typename TestFixture::Table;
  auto const keys = some_keys<Key>(many);
  auto const values = this->values_of(keys);
  typename TestFixture::template Array<Key> k(keys), v(values), found(keys.size());
  Table table({.slots = Table::slots_for(many), .memory = PinnedMemory{}, .scratch = DeviceMemory{}}, OnCuda::stream());
  cudaPointerAttributes attributes{};
  SLOTSCAPE_CUDA_CHECK(cudaPointerGetAttributes(&attributes, table.slot_memory()));
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  auto const model = this->insert_add_and_erase(table, keys, values, k, v);
  table.find(k.data(), found.data(), many);
  std::vector<Key> expected;
  for (Key const key : keys) {
    auto const its = model.find(key);
    expected.push_back(its != model.end() ? its->second : Table::empty_value);
  }
  EXPECT_EQ(found.host(), expected);
}

}  // namespace
}  // namespace slotscape
