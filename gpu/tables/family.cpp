#include "gpu/tables/family.hpp"

#include <stdexcept>
#include <string>

namespace slotscape {

std::uint32_t parameter_of(FamilyInfo const& info, TableSettings const& settings, std::string_view name)
{
  if (auto const set = settings.parameters.find(std::string(name)); set != settings.parameters.end()) {
    return set->second;
  }
  for (Parameter const& parameter : info.parameters) {
    if (parameter.name == name) { return parameter.fallback; }
  }
  throw std::logic_error("family " + std::string(info.name) + " has no parameter " + std::string(name));
}

}  // namespace slotscape
