#pragma once

#include "gpu/tables/family.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// One of a table's guarantees, for people.
struct Promise {
  std::string_view about;  ///< "Erasing"
  std::string text;        ///< a sentence
};

/// What a table with these guarantees promises. Every place that tells people takes the sentences from here.
std::vector<Promise> promises_of(Guarantees const& guarantees);

/// What a person who wants this load should know: empty up to the safe load.
std::string beyond_safe_load(Guarantees const& guarantees, double load);

/// The load factor that a table with these settings is to be filled to at most, where it is filled unasked.
double capped_load(FamilyInfo const& family, TableSettings const& table, double load);

}  // namespace slotscape
