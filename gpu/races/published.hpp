#pragma once

#include "gpu/races/shared_table.hpp"

#include <span>
#include <string_view>

namespace slotscape::races {

/// A table as it has been published: to see what goes wrong with it. None of them is a family of the program.
struct Published {
  FamilyInfo const* info;
  std::string_view flaw;  ///< empty: nothing is wrong, it is shown for comparison
  MakeSharedTable make;
};
std::span<Published const> published_tables();
/// By `FamilyInfo::name`; null if there is none of that name.
Published const* find_published(std::string_view name);

}  // namespace slotscape::races
