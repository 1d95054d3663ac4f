#pragma once

#include "gpu/workloads/settings.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Why keys of two files are equal by chance only, or though their numbers differ, and what to do: texts and numbers,
/// texts and several columns, negative numbers and those above the signed ones, whole numbers and the bits of others,
/// and times in two units. Else empty.
std::string why_not_comparable(KeySettings const& left, KeySettings const& right);
/// Throws Error that says so.
void check_comparable(KeySettings const& left, KeySettings const& right);

/// A hint at texts of a file, `asked`, that another file does not have, though it has ones that look the same or nearly
/// so: how many, such as which, and what they differ in. Empty if there are none, and for keys of no file.
std::string look_alike_hint(KeySettings const& stored, KeySettings const& asked);

/// The same of a text that was typed in vain and became this key: "The file has 'Zoé' in line 3, ...".
std::string look_alike_hint(KeySettings const& stored, std::string_view typed, Key key);

/// The first one for who asks in every frame.
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
  std::vector<Hint> hints_;  ///< the last few
};

}  // namespace slotscape
