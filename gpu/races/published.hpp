#pragma once

#include "gpu/races/shared_table.hpp"

#include <span>
#include <string_view>

namespace slotscape::races {

/// A table as published, which shows what can go wrong. None of them is a family of this program.
struct Published {
  FamilyInfo const* info;
  std::string_view flaw;  ///< empty: correct, shown for comparison
  MakeSharedTable make;
};
std::span<Published const> published_tables();
/// Finds a table by `FamilyInfo::name`; null if there is none of that name.
Published const* find_published(std::string_view name);

}  // namespace slotscape::races
