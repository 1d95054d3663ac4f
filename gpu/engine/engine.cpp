#include "gpu/engine/make_engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/tables/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

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

bool is_prime(std::uint64_t number)
{
  if (number < 4) { return number > 1; }
  if (number % 2 == 0) { return false; }
  for (std::uint64_t divisor = 3; divisor * divisor <= number; divisor += 2) {
    if (number % divisor == 0) { return false; }
  }
  return true;
}

void validate_slots(FamilyInfo const& family, std::uint64_t slots)
{
  if (slots < min_slots || slots > max_slots) {
    throw Error(fmt::format("A table cannot have {} slots: choose from {} to {}, for example {}.", slots, min_slots,
                            max_slots, std::bit_floor(std::clamp(slots, min_slots, max_slots))));
  }
  if (suits(family.slot_counts, slots)) { return; }
  std::string near = fmt::format("for example {}", std::bit_floor(slots));
  if (family.slot_counts == SlotCounts::power_of_two_or_prime) {
    std::uint64_t prime = slots;
    while (!is_prime(prime)) { --prime; }
    near += fmt::format(" or {}", prime);
  }
  throw Error(fmt::format("{} cannot have {} slots: choose a power of two{}, {}.", family.title, slots,
                          family.slot_counts == SlotCounts::power_of_two ? "" : " or a prime", near));
}

void validate_parameters(FamilyInfo const& family, TableSettings const& settings)
{
  for (auto const& [name, value] : settings.parameters) {
    auto const known = std::ranges::find(family.parameters, name, &Parameter::name);
    if (known == family.parameters.end()) {
      std::vector<std::string_view> names;
      for (Parameter const& parameter : family.parameters) { names.push_back(parameter.name); }
      throw Error(names.empty() ? fmt::format("{} has no parameters: remove '{}'.", family.title, name)
                                : fmt::format("{} has no parameter '{}'. It has: {}.", family.title, name,
                                              fmt::join(names, ", ")));
    }
    if (std::ranges::find(known->choices, value) == known->choices.end()) {
      throw Error(fmt::format("'{}' of {} cannot be {}. Choose one of: {}.", name, family.title, value,
                              fmt::join(known->choices, ", ")));
    }
  }
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

bool suits(SlotCounts rule, std::uint64_t slots)
{
  if (slots < min_slots || slots > max_slots) { return false; }
  if (rule == SlotCounts::any || std::has_single_bit(slots)) { return true; }
  return rule == SlotCounts::power_of_two_or_prime && is_prime(slots);
}

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

void validate(TableSettings const& settings, Backend backend)
{
  FamilyInfo const& family = family_info(settings.family);
  validate_slots(family, settings.slots);
  validate_width(family, settings.key_bits);
  validate_parameters(family, settings);
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
#if SLOTSCAPE_HAS_CUDA
  if (backend == Backend::cuda) { return make_cuda_engine(settings); }
#endif
  return make_cpu_engine(settings);
}

}  // namespace slotscape
