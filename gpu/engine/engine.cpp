#include "gpu/engine/make_engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace slotscape {
namespace {

void validate_width(FamilyInfo const& family, int key_bits)
{
  if (key_bits == 32 || (key_bits == 64 && family.wide)) { return; }
  throw Error(fmt::format("{} does not support {}-bit keys: its keys and values have 32{} bits.", family.title,
                          key_bits, family.wide ? " or 64" : ""));
}

/// The bytes of a pair, or of a key without a value.
double bytes_of_pair(TableSettings const& settings)
{
  double const key = settings.key_bits / 8.0;
  return settings.keys_only ? key : 2.0 * key;
}

/// Bytes on the first device, which holds everything needed for display. Counts the pairs of its shards, a live key,
/// the mark, an occupancy bit with its tree, and a byte for recent changes.
double bytes_per_slot(TableSettings const& settings, std::uint32_t devices)
{
  double const of_pairs = settings.memory == TableMemory::device ? bytes_of_pair(settings) : 0.0;
  return of_pairs * share_of_first_device(settings, devices) + settings.key_bits / 8.0 + 4 + 0.13 + 1;
}

/// Throws Error if this many bytes per slot exceed the free memory.
void expect_room(TableSettings const& settings, double of_each, std::uint64_t free, std::string_view where)
{
  double const needed = static_cast<double>(places_of(family_info(settings.family), settings)) * of_each;
  if (needed <= static_cast<double>(free)) { return; }
  throw Error(fmt::format("A table of {} slots needs {:.1f} GiB, and {} has {:.1f} GiB free: choose fewer slots.",
                          settings.slots, needed / 0x1p30, where, static_cast<double>(free) / 0x1p30));
}

}  // namespace

std::vector<std::string> family_names()
{
  std::vector<std::string> names;
  for (FamilyEntry const& family : family_entries()) { names.emplace_back(family.info->name); }
  return names;
}

FamilyInfo const& family_info(std::string const& name)
{
  for (FamilyEntry const& family : family_entries()) {
    if (family.info->name == name) { return *family.info; }
  }
  throw Error(fmt::format("There is no table family '{}'. Choose one of: {}.", name, fmt::join(family_names(), ", ")));
}

/// The names of the families with this property.
std::string families_with(bool FamilyInfo::*what)
{
  std::vector<std::string_view> names;
  for (FamilyEntry const& family : family_entries()) {
    if (family.info->*what) { names.push_back(family.info->name); }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void validate_set(FamilyInfo const& family, TableSettings const& settings)
{
  if (!family.keys_alone) {
    throw Error(fmt::format("{} stores keys with values only. Without values: {}.", family.title,
                            families_with(&FamilyInfo::keys_alone)));
  }
  if (settings.deletion != Deletion::tombstone_reuse) {
    throw Error("A key without a value leaves a tombstone when it is erased: choose deletion=tombstone_reuse.");
  }
  if (settings.combine != Combine::replace) {
    throw Error("Keys without values have none to combine: choose combine=replace.");
  }
}

void validate_deletion(FamilyInfo const& family, TableSettings const& settings)
{
  if (settings.deletion != Deletion::shift || !family.deletes_two_ways || family.shifts_back) { return; }
  throw Error(
      fmt::format("{} cannot move keys back when one is erased: choose deletion=tombstone_reuse, or one of: {}.",
                  family.title, families_with(&FamilyInfo::shifts_back)));
}

void validate(TableSettings const& settings, Backend backend)
{
  FamilyInfo const& family = family_info(settings.family);
  validate_parameters(family, settings);
  validate_slots(family, settings);
  validate_width(family, settings.key_bits);
  if (settings.keys_only) { validate_set(family, settings); }
  validate_deletion(family, settings);
  expect_room(settings, bytes_per_slot(settings, device_count(backend)), free_memory(backend),
              backend == Backend::cuda ? "the GPU" : "this machine");
  if (backend == Backend::cuda && settings.memory == TableMemory::host) {
    expect_room(settings, bytes_of_pair(settings), free_memory(Backend::cpu), "this machine");
  }
}

std::unique_ptr<Engine> make_engine(Backend backend, TableSettings const& settings)
{
  validate(settings, backend);
  return dispatch(backend, [&]<class Exec>() { return make_engine_on<Exec>(settings); });
}

}  // namespace slotscape
