#include "app/simulation/small_keys.hpp"

#include "gpu/base/random.hpp"

#include <numeric>
#include <utility>

namespace slotscape {
namespace {

constexpr char const* file_of_small_keys = "<1 to 99>";  ///< cannot be the name of an existing file

/// A single shared list, so that equal settings compare equal.
std::shared_ptr<std::vector<Key> const> const& all_small_keys()
{
  static auto const keys = [] {
    std::vector<Key> list(max_small_key);
    std::iota(list.begin(), list.end(), Key{1});
    return std::make_shared<std::vector<Key> const>(std::move(list));
  }();
  return keys;
}

}  // namespace

KeySettings small_keys(KeySettings keys)
{
  keys.distribution = KeyDistribution::file;
  keys.file_keys = all_small_keys();
  keys.file_name = file_of_small_keys;
  keys.file_column.clear();
  keys.file_repeats = true;
  return keys;
}

bool are_small(KeySettings const& keys)
{
  return keys.distribution == KeyDistribution::file && keys.file_name == file_of_small_keys;
}

KeySettings without_small_keys(KeySettings keys)
{
  if (keys.file_name != file_of_small_keys) { return keys; }
  if (keys.distribution == KeyDistribution::file) { keys.distribution = KeyDistribution::uniform; }
  keys.file_keys.reset();
  keys.file_name.clear();
  keys.file_repeats = false;
  return keys;
}

bool holds_small_keys(TableSettings const& table)
{
  return table.slots <= max_small_key;
}

KeySettings in_order_of_seed(KeySettings keys, std::uint64_t seed)
{
  if (!are_small(keys)) { return keys; }
  std::vector<Key> order = *all_small_keys();
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[random_below(seed, left, left)]);
  }
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::move(order));
  return keys;
}

}  // namespace slotscape
