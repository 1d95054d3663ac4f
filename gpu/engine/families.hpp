#pragma once

#include "gpu/engine/table.hpp"
#include "gpu/tables/table_parts.hpp"

#include <algorithm>
#include <concepts>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace slotscape {

/// The description of a family without its templates; its pseudocode is the text file beside its header.
struct FamilyEntry {
  FamilyInfo const* info;
  std::string_view pseudocode;
  TableParts (*parts)(TableSettings const&);
};

/// The functions that make a family's tables on an executor. Null: the family has no such tables.
template <exec::Executor Exec>
struct TableMakers {
  MakeTable<Exec, Narrow> narrow = nullptr;
  MakeTable<Exec, Wide> wide = nullptr;
  MakeTable<Exec, NarrowSet> narrow_set = nullptr;
  MakeTable<Exec, WideSet> wide_set = nullptr;

  template <PairFormat Format>
  MakeTable<Exec, Format> of() const
  {
    if constexpr (std::same_as<Format, Narrow>) {
      return narrow;
    } else if constexpr (std::same_as<Format, Wide>) {
      return wide;
    } else if constexpr (std::same_as<Format, NarrowSet>) {
      return narrow_set;
    } else {
      return wide_set;
    }
  }
};

template <exec::Executor Exec>
struct FamilyOn {
  std::string_view name;
  TableMakers<Exec> compiled_in;
  TableMakers<Exec> by_formula = {};  ///< for hashes that are not compiled in, if the family takes a hash

  /// Makes tables with this hash.
  template <PairFormat Format>
  MakeTable<Exec, Format> tables(HashChoice const& hash) const
  {
    bool const interprets = !hash.is_compiled_in() && by_formula.narrow != nullptr;
    return interprets ? by_formula.template of<Format>() : compiled_in.template of<Format>();
  }
  template <PairFormat Format>
  MakeTable<Exec, Format> tables() const
  {
    return compiled_in.template of<Format>();
  }
};

/// All families, in the order of gpu/tables/families.cmake. scripts/families.cmake writes these functions.
std::span<FamilyEntry const> family_entries();
template <exec::Executor Exec>
std::span<FamilyOn<Exec> const> families_on();

/// The family of this name, which must exist.
template <exec::Executor Exec>
FamilyOn<Exec> const& family_on(std::string_view name)
{
  auto const families = families_on<Exec>();
  auto const found = std::ranges::find(families, name, &FamilyOn<Exec>::name);
  if (found == families.end()) { throw std::logic_error("no such family: " + std::string(name)); }
  return *found;
}

}  // namespace slotscape
