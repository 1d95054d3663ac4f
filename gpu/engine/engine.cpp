#include "gpu/engine/engine.hpp"

#include "gpu/error.hpp"
#include "gpu/exec/memory.hpp"
#include "gpu/tables/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace slotscape {

// Each family's own file defines these.
#if SLOTSCAPE_HAS_CUDA
#define SLOTSCAPE_FAMILY(family)                                            \
  FamilyInfo const& info_##family();                                        \
  std::unique_ptr<Engine> make_cpu_##family(TableSettings const& settings); \
  std::unique_ptr<Engine> make_cuda_##family(TableSettings const& settings);
#else
#define SLOTSCAPE_FAMILY(family)     \
  FamilyInfo const& info_##family(); \
  std::unique_ptr<Engine> make_cpu_##family(TableSettings const& settings);
#endif
#include "families.inc"
#undef SLOTSCAPE_FAMILY

namespace {

struct Family {
  FamilyInfo const& info;
  std::unique_ptr<Engine> (*make_cpu)(TableSettings const&);
  std::unique_ptr<Engine> (*make_cuda)(TableSettings const&);
};

std::vector<Family> families()
{
  return
  {
#if SLOTSCAPE_HAS_CUDA
#define SLOTSCAPE_FAMILY(family) {info_##family(), make_cpu_##family, make_cuda_##family},
#else
#define SLOTSCAPE_FAMILY(family) {info_##family(), make_cpu_##family, nullptr},
#endif
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  };
}

Family find_family(std::string const& name)
{
  for (Family const& family : families()) {
    if (family.info.name == name) { return family; }
  }
  throw Error(fmt::format("There is no table family '{}'. There is: {}.", name, fmt::join(family_names(), ", ")));
}

/// A word, a live key, an occupancy bit with its tree, and a byte for recent changes.
constexpr double bytes_per_slot = 8 + 4 + 0.13 + 1;

}  // namespace

std::vector<std::string> family_names()
{
  std::vector<std::string> names;
  for (Family const& family : families()) { names.emplace_back(family.info.name); }
  return names;
}

FamilyInfo const& family_info(std::string const& name)
{
  return find_family(name).info;
}

void validate(TableSettings const& settings, Backend backend)
{
  find_family(settings.family);
  if (!std::has_single_bit(settings.slots) || settings.slots < min_slots || settings.slots > max_slots) {
    std::uint64_t const nearest = std::bit_floor(std::clamp(settings.slots, min_slots, max_slots));
    throw Error(
        fmt::format("A table cannot have {} slots: the number must be a power of two from {} to {}. {} would do.",
                    settings.slots, min_slots, max_slots, nearest));
  }
  double const needed = static_cast<double>(settings.slots) * bytes_per_slot;
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
  Family const family = find_family(settings.family);
  return backend == Backend::cuda ? family.make_cuda(settings) : family.make_cpu(settings);
}

}  // namespace slotscape
