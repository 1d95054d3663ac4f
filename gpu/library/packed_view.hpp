#pragma once

#include "gpu/library/packed_passes.hpp"
#include "gpu/library/view.hpp"

namespace slotscape {

/// A `TableView` whose keys and values have other types than words.
template <class Words, class Key_, class Value_>
class PackedView {
protected:
  using Format = typename Words::Inner::Format;
  using KeyCode = library::Code<Key_, typename Format::Key>;
  using ValueCode = library::Code<Value_, typename Format::Value>;
  /// Narrower keys never become reserved words.
  static constexpr bool has_reserved = sizeof(Key_) == sizeof(typename Format::Key);

public:
  using Key = Key_;
  using Value = Value_;

  PackedView(Words const& words, library::ReservedKeys<Format> reserved) : words_(words), reserved_(reserved) {}

  SLOTSCAPE_HOST_DEVICE Found<Value> find(Key const& key) const
  {
    auto const word = find_word(KeyCode::encode(key));
    return {ValueCode::decode(word.value), word.found};
  }
  SLOTSCAPE_HOST_DEVICE bool contains(Key const& key) const { return find_word(KeyCode::encode(key)).found; }

  SLOTSCAPE_HOST_DEVICE int lanes() const { return words_.lanes(); }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Found<Value> find(Group group, Key const& key) const
  {
    auto const word = find_word(KeyCode::encode(key), group);
    return {ValueCode::decode(word.value), word.found};
  }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE bool contains(Group group, Key const& key) const
  {
    return find_word(KeyCode::encode(key), group).found;
  }

protected:
  template <class... Group>
  SLOTSCAPE_HOST_DEVICE auto find_word(typename Format::Key key, Group... group) const -> Found<typename Format::Value>
  {
    if constexpr (has_reserved) {
      if (Format::is_reserved(key)) {
        auto const value = reserved_.find(key);
        return {value, value != Format::empty_value};
      }
    }
    return words_.find(group..., key);
  }

  Words words_;
  library::ReservedKeys<Format> reserved_;
};

/// A `MutableTableView` whose keys and values have other types than words.
template <class Words, class Key_, class Value_>
class MutablePackedView : public PackedView<Words, Key_, Value_> {
  using Base = PackedView<Words, Key_, Value_>;
  using typename Base::Format;
  using typename Base::KeyCode;
  using typename Base::ValueCode;

public:
  using typename Base::Key;
  using typename Base::Value;

  MutablePackedView(Words const& words, library::ReservedKeys<Format> reserved, Combine combine)
      : Base(words, reserved), combine_(combine)
  {
  }

  /// `inserted`, `updated` if the key existed, `full` if it finds no place, or `rejected` if the value is reserved.
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key const& key, Value const& value) const
  {
    auto const word = KeyCode::encode(key);
    if constexpr (Base::has_reserved) {
      if (Format::is_reserved(word)) { return this->reserved_.insert(word, ValueCode::encode(value), combine_); }
    }
    return this->words_.insert(word, ValueCode::encode(value));
  }
  /// `erased` or `missing`.
  SLOTSCAPE_HOST_DEVICE Outcome erase(Key const& key) const
  {
    auto const word = KeyCode::encode(key);
    if constexpr (Base::has_reserved) {
      if (Format::is_reserved(word)) { return this->reserved_.erase(word); }
    }
    return this->words_.erase(word);
  }
  /// The same operations by a group of threads, as in `MutableTableView`.
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Outcome insert(Group group, Key const& key, Value const& value) const
  {
    auto const word = KeyCode::encode(key);
    if constexpr (Base::has_reserved) {
      if (Format::is_reserved(word)) {
        return library::serve_once<Machine, Group>(
            [&] { return this->reserved_.insert(word, ValueCode::encode(value), combine_); });
      }
    }
    return this->words_.insert(group, word, ValueCode::encode(value));
  }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Outcome erase(Group group, Key const& key) const
  {
    auto const word = KeyCode::encode(key);
    if constexpr (Base::has_reserved) {
      if (Format::is_reserved(word)) {
        return library::serve_once<Machine, Group>([&] { return this->reserved_.erase(word); });
      }
    }
    return this->words_.erase(group, word);
  }
  /// See `MutableTableView::update`; no key is `rejected`.
  SLOTSCAPE_HOST_DEVICE Outcome update(Key const& key, Value const& value) const
  {
    return change(key, library::Always<ValueWord>{ValueCode::encode(value)});
  }
  template <class F>
  requires std::is_invocable_v<F const&, Value_> SLOTSCAPE_HOST_DEVICE Outcome update(Key const& key, F const& f)
  const { return change(key, OfValue<F>{f}); }

private:
  using Machine = typename Words::MachineType;
  using ValueWord = typename Format::Value;

  /// Applies f(value) to the value encoded in a word, and encodes the result.
  template <class F>
  struct OfValue {
    F const& f;

    SLOTSCAPE_HOST_DEVICE ValueWord operator()(ValueWord word) const
    {
      return ValueCode::encode(static_cast<Value>(library::call<Machine>(f, ValueCode::decode(word))));
    }
  };
  template <class F>
  SLOTSCAPE_HOST_DEVICE Outcome change(Key const& key, F const& f) const
  {
    auto const word = KeyCode::encode(key);
    if constexpr (Base::has_reserved) {
      if (Format::is_reserved(word)) { return this->reserved_.update(word, f); }
    }
    return this->words_.update(word, f);
  }

  Combine combine_;
};

}  // namespace slotscape
