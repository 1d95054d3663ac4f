#include "gpu/sparse/engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/sparse/make_engine.hpp"

#include <algorithm>

namespace slotscape::sparse {
namespace {

void require_within(int number, int largest, std::string const& what)
{
  if (number < 1 || number > largest) {
    throw Error(what + " must be from 1 to " + std::to_string(largest) + ", not " + std::to_string(number) + ".");
  }
}

}  // namespace

void validate(SparseSettings const& settings)
{
  if (std::ranges::find(table_families, settings.family) == table_families.end()) {
    throw Error("Sites can be kept in linear_probing, two_level_cuckoo, segmented_cuckoo or cuckoo, not in '" +
                settings.family + "'.");
  }
  if (!(settings.load_factor >= min_load_factor && settings.load_factor <= max_load_factor)) {
    throw Error("The load factor must be from 0.05 to 0.95.");
  }
  require_within(settings.kernel, max_kernel, "The kernel's size");
  require_within(settings.stride, max_stride, "The stride");
  require_within(settings.dilation, max_dilation, "The dilation");
  if (settings.mode == Mode::submanifold && settings.stride != 1) {
    throw Error("A submanifold convolution has stride 1: choose the mode 'sparse' for a coarser output.");
  }
  if (settings.search == Search::symmetric && (settings.mode != Mode::submanifold || settings.kernel % 2 == 0)) {
    throw Error(
        "Only a submanifold convolution with an odd kernel is symmetric: look up each neighbour (--search each).");
  }
  if (settings.search == Search::shared &&
      (settings.order != Order::row_major || settings.dilation != 1 || settings.mode == Mode::transposed)) {
    throw Error(
        "Lookups can be shared along rows in row-major order, with dilation 1, and not in a transposed "
        "convolution: look up each neighbour (--search each).");
  }
}

Kernel kernel_of(SparseSettings const& settings, Extents const& extents)
{
  int const deep_size = extents.flat ? 1 : settings.kernel;
  int const deep_stride = extents.flat ? 1 : settings.stride;
  return {{settings.kernel, settings.kernel, deep_size},
          {settings.stride, settings.stride, deep_stride},
          settings.dilation};
}

std::unique_ptr<SparseEngine> make_sparse_engine(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_engine_on<Exec>(); });
}

}  // namespace slotscape::sparse
