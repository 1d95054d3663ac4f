#include "gpu/engine/make_engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slotscape {

// Each family's own file defines this.
#define SLOTSCAPE_FAMILY(family) FamilyInfo const& info_##family();
#include "families.inc"
#undef SLOTSCAPE_FAMILY

namespace {

std::vector<FamilyInfo const*> families()
{
  return {
#define SLOTSCAPE_FAMILY(family) &info_##family(),
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  };
}

void validate_width(FamilyInfo const& family, int key_bits)
{
  if (key_bits == 32 || (key_bits == 64 && family.wide)) { return; }
  throw Error(fmt::format("{} does not support {}-bit keys: its keys and values have 32{} bits.", family.title,
                          key_bits, family.wide ? " or 64" : ""));
}

/// Counts a pair, a live key, the mark, an occupancy bit with its tree, and a byte for recent changes.
double bytes_per_slot(int key_bits)
{
  return 2.0 * key_bits / 8 + key_bits / 8.0 + 4 + 0.13 + 1;
}

}  // namespace

std::vector<std::string> family_names()
{
  std::vector<std::string> names;
  for (FamilyInfo const* family : families()) { names.emplace_back(family->name); }
  return names;
}

FamilyInfo const& family_info(std::string const& name)
{
  for (FamilyInfo const* family : families()) {
    if (family->name == name) { return *family; }
  }
  throw Error(fmt::format("There is no table family '{}'. Choose one of: {}.", name, fmt::join(family_names(), ", ")));
}

void validate_set(FamilyInfo const& family, TableSettings const& settings)
{
  if (!family.keys_alone) {
    std::vector<std::string_view> able;
    for (FamilyInfo const* other : families()) {
      if (other->keys_alone) { able.push_back(other->name); }
    }
    throw Error(
        fmt::format("{} stores keys with values only. Without values: {}.", family.title, fmt::join(able, ", ")));
  }
  if (settings.deletion != Deletion::tombstone_reuse) {
    throw Error("A key without a value leaves a tombstone when it is erased: choose deletion=tombstone_reuse.");
  }
}

void validate(TableSettings const& settings, Backend backend)
{
  FamilyInfo const& family = family_info(settings.family);
  validate_slots(family, settings.slots);
  validate_width(family, settings.key_bits);
  validate_parameters(family, settings);
  if (settings.keys_only) { validate_set(family, settings); }
  double const needed = static_cast<double>(settings.slots) * bytes_per_slot(settings.key_bits);
  double const free = static_cast<double>(free_memory(backend));
  if (needed > free) {
    throw Error(fmt::format("A table of {} slots needs {:.1f} GiB, and {} has {:.1f} GiB free: choose fewer slots.",
                            settings.slots, needed / 0x1p30, backend == Backend::cuda ? "the GPU" : "this machine",
                            free / 0x1p30));
  }
}

std::unique_ptr<Engine> make_engine(Backend backend, TableSettings const& settings)
{
  validate(settings, backend);
  if (settings.keys_only) { throw std::logic_error("engines have no sets"); }
#if SLOTSCAPE_HAS_CUDA
  if (backend == Backend::cuda) { return make_cuda_engine(settings); }
#endif
  return make_cpu_engine(settings);
}

}  // namespace slotscape
