#pragma once

#include "gpu/engine/engine.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace slotscape {

/// The table to use for the distinct keys of another computation.
struct TableChoice {
  std::string family;
  HashChoice hash = {};
  double load_factor = 0.5;         ///< keys / slots
  std::string_view keys = "Keys";   ///< the subject of the error message if they are too wide for the family
  std::string_view what = "keys";   ///< their name in the error message if they do not fit
  std::string_view other_way = {};  ///< a way to make keys narrower, instead of another family: ", or a larger radius"
};

/// An empty table with this many slots, or more if the family needs them. Throws Error that says what to do if the
/// family does not store such keys, or not at this load factor.
template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<BatchTable<Exec, Format>> empty_table(Exec& exec, TableChoice const& choice, std::uint64_t slots)
{
  constexpr std::uint64_t fewest_slots = 16;
  FamilyInfo const& family = family_info(choice.family);
  TableSettings settings{.family = choice.family, .hash = choice.hash, .key_bits = Format::bits};
  settings.slots = std::ranges::max(nearest_slots(slot_counts_of(family, settings), std::max(slots, fewest_slots)));
  if (Format::bits == 64 && !family.wide) {
    throw Error(std::string(choice.keys) + " take 64 bits, which " + choice.family +
                " does not store: choose linear_probing" + std::string(choice.other_way) + ".");
  }
  validate(settings, Exec::backend);
  double const safe = family.guarantees(settings).safe_load;
  if (choice.load_factor > safe) {
    throw Error(choice.family + " supports load factors up to " + std::to_string(safe).substr(0, 4) +
                " here: choose a lower one.");
  }
  return family_on<Exec>(choice.family).template tables<Format>(settings.hash)(exec, settings);
}

/// A table with `count` keys. insert(table) must insert them into an empty table and return the outcomes; it is called
/// again with a larger table if some keys found no place. Throws Error like `empty_table`, and if the keys do not fit.
template <exec::Executor Exec, PairFormat Format, class Insert>
std::unique_ptr<BatchTable<Exec, Format>> filled_table(Exec& exec, TableChoice const& choice, std::uint64_t count,
                                                       Insert const& insert)
{
  constexpr int max_attempts = 4;
  constexpr double growth = 1.25;
  double slots = static_cast<double>(count) / choice.load_factor;
  for (int attempt = 0; attempt < max_attempts; ++attempt, slots *= growth) {
    auto table = empty_table<Exec, Format>(exec, choice, static_cast<std::uint64_t>(std::ceil(slots)));
    if (insert(*table)[Outcome::full] == 0) { return table; }
  }
  throw Error("These " + std::string(choice.what) + " do not fit in a " + choice.family +
              " table: choose a lower load factor.");
}

}  // namespace slotscape
