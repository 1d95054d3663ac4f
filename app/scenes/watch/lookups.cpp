#include "app/scenes/watch/scene.hpp"

#include "app/keys/key_text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <limits>
#include <optional>
#include <utility>

/// Keys that are typed, and where they are looked up.
namespace slotscape {

/// Of a table of keys with a sign, that of the number; else as it is typed.
watch::AnyKey WatchScene::typed_key(Key key) const
{
  if (!table_ || !table_->description().key.is_signed) { return key; }
  NumberCode const code = table_->description().key.code();
  std::int64_t const number = signed_of_key(key);
  std::int64_t const least = std::numeric_limits<std::int64_t>::min() >> (64 - code.bits);
  if (number < least || number > ~least) {
    throw Error(tr("'{}' is not a key of this table: its keys are numbers from {} to {}.", number, least, ~least));
  }
  return code.word_of_integer(static_cast<std::uint64_t>(number));
}

void WatchScene::require_in_slots(watch::AnyKey key) const
{
  watch::Description const& table = table_->description();
  bool const is_beside = table.beside_from && key >= *table.beside_from;
  if (is_beside) {
    throw Error(tr(
        "The table keeps key {} beside its slots, if it is there: it cannot be looked up here. Ask the table itself.",
        key_text(shown_key(key), state_.table.settings.view.keys_as)));
  }
  if (table.key.meaning != watch::Meaning::fingerprint || table_->slot_of(key)) { return; }
  throw Error(tr(
      "No slot holds the fingerprint {}. The slots hold fingerprints instead of keys: type one of those, and ask the "
      "table itself for a key.",
      key_text(shown_key(key), state_.table.settings.view.keys_as)));
}

Key WatchScene::shown_key(watch::AnyKey key) const
{
  watch::Part const& part = table_->description().key;
  if (!part.is_signed) { return static_cast<Key>(key); }
  return key_of_signed(static_cast<std::int64_t>(part.code().number(static_cast<std::uint64_t>(key))));
}

Lookup WatchScene::lookup_of(watch::AnyKey key)
{
  Lookup lookup{shown_key(key), table_->path_of(key), wide_text(key)};
  bool const may_be_lost = !lookup.path.value && table_->lost_keys().unreachable != 0;
  if (may_be_lost) { lookup.lies_in = table_->slot_of(key); }
  return lookup;
}

void WatchScene::look_up(watch::AnyKey key)
{
  if (!table_) { return; }
  require_in_slots(key);
  if (!table_->description().knows_paths()) { return show_key(key); }
  looked_up_ = key;
  Lookup lookup = lookup_of(key);
  if (!lookup.path.slots.empty()) { view_.fly_to(lookup.path.slots.back(), 110.0); }
  state_.table.selection.pinned.reset();
  state_.table.selection.lookup = std::move(lookup);
}

/// Where no path is known: the slot that holds the key.
void WatchScene::show_key(watch::AnyKey key)
{
  if (std::optional<Slot> const slot = table_->slot_of(key)) { return handle(ShowSlot{*slot}); }
  bool const has_homes = table_->description().home_of == watch::HomeOf::array;
  throw Error(has_homes
                  ? tr("That key is in no slot, and where it belongs is not known: the program gives homes of stored "
                       "keys only.")
                  : tr("That key is in no slot. Its lookup is not known: the description has no \"hash\" or "
                       "\"probing\" that finds keys."));
}

}  // namespace slotscape
