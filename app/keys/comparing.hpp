#pragma once

#include "gpu/workloads/settings.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Why keys of two files match only by chance, or have different numbers for equal values, and what to do: texts and
/// numbers, texts and several columns, negative numbers and those beyond the signed range, integers and the bits of
/// floating-point numbers, and times in two units. Otherwise empty.
std::string why_not_comparable(KeySettings const& left, KeySettings const& right);
/// Throws Error with this reason if the keys are not comparable.
void check_comparable(KeySettings const& left, KeySettings const& right);

/// A hint about texts in a file, `asked`, that are missing from the other file although it has texts that look the same
/// or similar: how many, an example, and how they differ. Empty if there are none, and for keys that are not from a
/// file.
std::string look_alike_hint(KeySettings const& stored, KeySettings const& asked);

/// A hint about a typed text that became this key and was not found: "The file has 'Zoé' in line 3, ...".
std::string look_alike_hint(KeySettings const& stored, std::string_view typed, Key key);

/// Caches `look_alike_hint` for callers that need it in every frame.
class LookAlikes {
public:
  std::string const& hint(KeySettings const& stored, KeySettings const& asked);

private:
  using Keys = std::shared_ptr<std::vector<Key> const>;
  struct Hint {
    Keys stored;
    Keys asked;
    std::string text;
  };
  std::vector<Hint> hints_;  ///< the most recent ones
};

}  // namespace slotscape
