#include "gpu/watch/rehash.hpp"

#include "gpu/base/random.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace slotscape::watch {
namespace {

/// Which slots of the imagined table are taken. Whoever looks for an absent key needs to know no more.
class Taken {
public:
  Taken(TableView const& view) : view_(view), taken_(view.slots, 0) {}

  /// How many windows an insertion reads; 0 if it finds no place.
  std::uint64_t insert(std::uint64_t key)
  {
    TableView::Path path = view_.path_of(key);
    do {
      for (std::uint64_t i = 0; i < view_.window; ++i) {
        char& there = taken_[view_.slot_of(path, i)];
        if (there == 0) {
          there = 1;
          return path.number + 1;
        }
      }
    } while (view_.next(path, key));
    return 0;
  }
  std::uint64_t miss(std::uint64_t key) const
  {
    TableView::Path path = view_.path_of(key);
    do {
      for (std::uint64_t i = 0; i < view_.window; ++i) {
        if (taken_[view_.slot_of(path, i)] == 0) { return path.number + 1; }
      }
    } while (view_.next(path, key));
    return path.number;
  }

private:
  TableView const& view_;
  std::vector<char> taken_;
};

}  // namespace

std::optional<LookupCosts> costs_after_rehash(TableView view, std::uint64_t slots, std::span<Pair const> live)
{
  constexpr std::uint64_t sampled_misses = 1u << 14;
  bool const stays =
      view.scheme == Scheme::linear || view.scheme == Scheme::quadratic || view.scheme == Scheme::double_hashing;
  bool const masks = std::any_of(view.hashes.begin(), view.hashes.begin() + view.hash_count,
                                 [](Hash const& hash) { return hash.reduction == Reduction::mask; });
  bool const suits =
      slots % view.align == 0 && slots / view.window >= 2 && (!masks || std::has_single_bit(slots / view.align));
  if (!view.knows_paths() || !stays || !suits || live.empty() || live.size() >= slots) { return std::nullopt; }
  view.slots = slots;
  Taken taken(view);
  double hits = 0.0;
  for (Pair const& pair : live) {
    std::uint64_t const accesses = taken.insert(pair.key);
    if (accesses == 0) { return std::nullopt; }
    hits += static_cast<double>(accesses);
  }
  double misses = 0.0;
  for (std::uint64_t i = 0; i < sampled_misses; ++i) {
    std::uint64_t const key = random64(31, i);
    misses += static_cast<double>(taken.miss(view.key.bits == 32 ? static_cast<std::uint32_t>(key) : key));
  }
  return LookupCosts{hits / static_cast<double>(live.size()), misses / static_cast<double>(sampled_misses)};
}

}  // namespace slotscape::watch
