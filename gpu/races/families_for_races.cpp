#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/races/shared_table.hpp"

#include <fmt/format.h>

#include <string>

namespace slotscape::races {
namespace {

MakeSharedTable maker_of(std::string const& family)
{
  for (SharedFamily const& shared : shared_families()) {
    if (shared.name == family) { return shared.make; }
  }
  throw Error(tr("There is no table family '{}'.", family));
}

}  // namespace

bool can_race(std::string const& family)
{
  return maker_of(family) != nullptr;
}

std::unique_ptr<SharedTable> make_shared_table(TableSettings const& settings, std::span<Call const> before)
{
  MakeSharedTable const make = maker_of(settings.family);
  if (make == nullptr) {
    throw Error(tr("{} runs its operations on one thread: choose a family whose table threads can share.",
                   family_info(settings.family).title));
  }
  return make(settings, before);
}

}  // namespace slotscape::races
