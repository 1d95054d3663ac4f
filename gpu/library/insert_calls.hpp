#pragma once

#include "gpu/base/types.hpp"
#include "gpu/library/options.hpp"

#include <cstdint>

namespace slotscape::library {

/// The ways to insert pairs, which differ in what happens to existing keys. For tables that have `insert_as` with a
/// `Combine`.
template <class Table>
class InsertCalls {
public:
  /// --- Insertion. New keys get their value. Existing keys keep the value that they have.
  template <class Keys, class Values>
  Inserted insert(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return table().insert_as(Combine::keep_first, keys, values, count, options);
  }
  /// Existing keys get the new value; of several in one call, any of them.
  template <class Keys, class Values>
  Inserted insert_or_assign(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return table().insert_as(Combine::replace, keys, values, count, options);
  }
  /// Existing keys get the sum, at most `largest_value`.
  template <class Keys, class Values>
  Inserted insert_or_add(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return table().insert_as(Combine::add, keys, values, count, options);
  }
  /// Existing keys get the smaller value.
  template <class Keys, class Values>
  Inserted insert_or_min(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return table().insert_as(Combine::min, keys, values, count, options);
  }
  /// Existing keys get the larger value.
  template <class Keys, class Values>
  Inserted insert_or_max(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return table().insert_as(Combine::max, keys, values, count, options);
  }

private:
  Table& table() { return static_cast<Table&>(*this); }
};

}  // namespace slotscape::library
