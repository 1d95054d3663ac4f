#pragma once

#include "gpu/library/row_passes.hpp"
#include "gpu/library/view.hpp"

namespace slotscape {

namespace library {

/// A hash made of a key's bits: the key itself if it has at most 64.
template <class Key>
struct BitsHash {
  SLOTSCAPE_HOST_DEVICE std::uint64_t operator()(Key const& key) const
  {
    if constexpr (sizeof(Key) <= sizeof(std::uint64_t)) {
      return Code<Key, std::uint64_t>::encode(key);
    } else {
      std::uint64_t hash = sizeof(Key);
      for_each_piece(key, [&](std::uint64_t piece) { hash = random64(hash, piece); });
      return hash;
    }
  }

  /// Calls f(piece) for every 8 bytes.
  template <class F>
  SLOTSCAPE_HOST_DEVICE static void for_each_piece(Key const& key, F const& f)
  {
    auto const* const bytes = reinterpret_cast<unsigned char const*>(&key);
    for (std::size_t at = 0; at < sizeof(Key); at += sizeof(std::uint64_t)) {
      std::uint64_t piece = 0;
      __builtin_memcpy(&piece, bytes + at, sizeof(Key) - at < sizeof(piece) ? sizeof(Key) - at : sizeof(piece));
      f(piece);
    }
  }
};
template <class Key>
struct BitsEqual {
  SLOTSCAPE_HOST_DEVICE bool operator()(Key const& a, Key const& b) const
  {
    if constexpr (sizeof(Key) <= sizeof(std::uint64_t)) {
      return BitsHash<Key>{}(a) == BitsHash<Key>{}(b);
    } else {
      auto const* const left = reinterpret_cast<unsigned char const*>(&a);
      auto const* const right = reinterpret_cast<unsigned char const*>(&b);
      for (std::size_t i = 0; i < sizeof(Key); ++i) {
        if (left[i] != right[i]) { return false; }
      }
      return true;
    }
  }
};

}  // namespace library

/// A view of a table whose pairs are stored beside it, for lookups by single threads.
template <class Words, class Key_, class Value_, class HashedBy>
class RowView {
  using Row = library::rows::Row<Key_, Value_>;
  using Fingerprints = library::rows::Fingerprints<typename Words::Format, HashedBy>;

public:
  using Key = Key_;
  using Value = Value_;

  RowView(Words const& words, Row const* rows, HashedBy const& hashed_by, std::uint32_t attempts)
      : words_(words), rows_(rows), fingerprints_{hashed_by}, attempts_(attempts)
  {
  }

  SLOTSCAPE_HOST_DEVICE int lanes() const { return words_.lanes(); }

  /// The key's row, or null if the key is missing. Called by one thread, or by a group of threads.
  template <class... Group>
  SLOTSCAPE_HOST_DEVICE Row const* row_of(Key const& key, Group... group) const
  {
    for (std::uint32_t attempt = 0; attempt < attempts_; ++attempt) {
      auto const found = words_.find(group..., fingerprints_(key, attempt));
      if (found && fingerprints_.hashed_by.equal(rows_[found.value].key, key)) { return rows_ + found.value; }
    }
    return nullptr;
  }
  SLOTSCAPE_HOST_DEVICE Found<Value> find(Key const& key) const { return value_in(row_of(key)); }
  SLOTSCAPE_HOST_DEVICE bool contains(Key const& key) const { return row_of(key) != nullptr; }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Found<Value> find(Group group, Key const& key) const
  {
    return value_in(row_of(key, group));
  }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE bool contains(Group group, Key const& key) const
  {
    return row_of(key, group) != nullptr;
  }

private:
  SLOTSCAPE_HOST_DEVICE static Found<Value> value_in(Row const* row)
  {
    return row == nullptr ? Found<Value>{Value{}, false} : Found<Value>{row->value, true};
  }

  Words words_;
  Row const* rows_;
  Fingerprints fingerprints_;
  std::uint32_t attempts_;
};

}  // namespace slotscape
