#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/tables/hash.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotscape {

/// Keys that are not in a table, equally many for each home slot: the absent keys that its lookups can meet. They
/// depend only on the table, and their order is the same for all tables of its size: any prefix is a fair sample.
template <PairFormat Format>
class MissesByHome {
public:
  using Key = typename Format::Key;

  MissesByHome() = default;
  /// per_home: number of keys for each home slot; far fewer than exist.
  MissesByHome(HasherOf<Format> const& hasher, std::uint64_t per_home) : hasher_(hasher), per_home_(per_home)
  {
    std::uint64_t const homes = hasher_.slots();
    for (std::uint64_t i = 0; i < homes * per_home_; ++i) { numbers_.push_back(number(i % per_home_)); }
    Shuffle const order = make_shuffle(0x6d697373u, numbers_.size());
    for (std::uint64_t i = 0; i < numbers_.size(); ++i) {
      all_.push_back(allowed(i, numbers_[i]));
      order_.push_back(order(static_cast<std::uint32_t>(i)));
    }
  }

  std::uint64_t count() const { return all_.size(); }

  /// words: of all slots of the table.
  std::vector<Key> absent_from(std::span<typename Format::Word const> words) const
  {
    std::vector<Key> keys = all_;
    std::vector<std::uint64_t> numbers = numbers_;
    while (replace_stored(words, keys, numbers)) {}
    std::vector<Key> in_order;
    in_order.reserve(keys.size());
    for (std::uint32_t const place : order_) { in_order.push_back(keys[place]); }
    return in_order;
  }

private:
  /// Spreads the keys evenly over all keys of a home.
  std::uint64_t number(std::uint64_t i) const { return hasher_.keys_per_home() * (2 * i + 1) / (2 * per_home_); }

  /// The key at `place` with this number, or the next one that is not reserved.
  Key allowed(std::uint64_t place, std::uint64_t& number) const
  {
    auto const home = static_cast<Slot>(place / per_home_);
    for (;; ++number) {
      Key const key = hasher_.key_with_home(home, number);
      if (!Format::is_reserved(key)) { return key; }
    }
  }

  /// Replaces each key that is in the table by the next key. Returns whether there were any.
  bool replace_stored(std::span<typename Format::Word const> words, std::vector<Key>& keys,
                      std::vector<std::uint64_t>& numbers) const
  {
    bool any = false;
    for (auto const word : words) {
      Key const stored = key_of(word);
      if (Format::is_reserved(stored)) { continue; }
      std::uint64_t const first = std::uint64_t{hasher_.home(stored)} * per_home_;
      for (std::uint64_t i = first; i < first + per_home_; ++i) {
        if (keys[i] != stored) { continue; }
        keys[i] = allowed(i, ++numbers[i]);
        any = true;
      }
    }
    return any;
  }

  HasherOf<Format> hasher_;
  std::uint64_t per_home_ = 1;
  std::vector<std::uint64_t> numbers_;  ///< each key's number among the keys of its home
  std::vector<Key> all_;                ///< by home
  std::vector<std::uint32_t> order_;
};

}  // namespace slotscape
