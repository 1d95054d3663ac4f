#include "app/scenes/watch/lookups.hpp"

#include "app/keys/key_text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <limits>
#include <optional>
#include <utility>

namespace slotscape {

/// For signed keys, converts the number to the stored word; otherwise returns the key as typed.
watch::AnyKey WatchLookups::typed_key(Key key) const
{
  if (!reader_.table() || !reader_.table()->description().key.is_signed) { return key; }
  NumberCode const code = reader_.table()->description().key.code();
  std::int64_t const number = signed_of_key(key);
  std::int64_t const least = std::numeric_limits<std::int64_t>::min() >> (64 - code.bits);
  if (number < least || number > ~least) {
    throw Error(tr("'{}' is not a key of this table: its keys are numbers from {} to {}.", number, least, ~least));
  }
  return code.word_of_integer(static_cast<std::uint64_t>(number));
}

void WatchLookups::require_in_slots(watch::AnyKey key) const
{
  watch::Description const& table = reader_.table()->description();
  bool const is_beside = table.beside_from && key >= *table.beside_from;
  if (is_beside) {
    throw Error(
        tr("If the table holds key {}, it keeps the key outside its slots, so it cannot be looked up here. Query the "
           "table itself.",
           key_text(shown_key(key), state_.table.settings.view.keys_as)));
  }
  if (table.key.meaning != watch::Meaning::fingerprint || reader_.table()->slot_of(key)) { return; }
  throw Error(
      tr("No slot holds the fingerprint {}. The slots hold fingerprints instead of keys: type a fingerprint here; to "
         "look up a key, query the table itself.",
         key_text(shown_key(key), state_.table.settings.view.keys_as)));
}

Key WatchLookups::shown_key(watch::AnyKey key) const
{
  watch::Part const& part = reader_.table()->description().key;
  if (!part.is_signed) { return static_cast<Key>(key); }
  return key_of_signed(static_cast<std::int64_t>(part.code().number(static_cast<std::uint64_t>(key))));
}

Lookup WatchLookups::lookup_of(watch::AnyKey key)
{
  Lookup lookup{shown_key(key), reader_.table()->path_of(key), wide_text(key)};
  bool const may_be_lost = !lookup.path.value && reader_.table()->lost_keys().unreachable != 0;
  if (may_be_lost) { lookup.lies_in = reader_.table()->slot_of(key); }
  return lookup;
}

void WatchLookups::look_up(watch::AnyKey key)
{
  if (!reader_.table()) { return; }
  require_in_slots(key);
  if (!reader_.table()->description().knows_paths()) { return show_key(key); }
  looked_up_ = key;
  Lookup lookup = lookup_of(key);
  if (!lookup.path.slots.empty()) { view_.fly_to(lookup.path.slots.back(), 110.0); }
  state_.table.selection.pinned.reset();
  state_.table.selection.lookup = std::move(lookup);
}

/// If no path is known, shows the slot that holds the key.
void WatchLookups::show_key(watch::AnyKey key)
{
  if (std::optional<Slot> const slot = reader_.table()->slot_of(key)) { return show(*slot); }
  bool const has_homes = reader_.table()->description().home_of == watch::HomeOf::array;
  throw Error(
      has_homes ? tr("No slot holds that key, and its home is not known: the program gives homes of stored keys only.")
                : tr("No slot holds that key. Its lookup is not known: the description has no \"hash\" or \"probing\" "
                     "that finds keys."));
}

void WatchLookups::show(Slot slot)
{
  if (!reader_.table()) { return; }
  constexpr double close = 110.0;  // pixels per slot
  state_.table.selection.lookup.reset();
  state_.table.selection.pinned = slot;
  view_.fly_to(slot, close);
}

void WatchLookups::refresh()
{
  auto& lookup = state_.table.selection.lookup;
  if (lookup) { lookup = lookup_of(looked_up_); }
}

/// The digits of a 16-byte key, which is otherwise shown by its hash; empty for other keys.
std::string WatchLookups::wide_text(watch::AnyKey key) const
{
  return reader_.table()->description().key.bits > 64 ? watch::hex_of(key) : std::string();
}

void WatchLookups::complete_cards()
{
  for (auto* const detail : {&state_.table.inspected.pinned, &state_.table.inspected.hovered}) {
    if (!*detail || !(*detail)->slot.has_key) { continue; }
    SlotInfo const& slot = (*detail)->slot;
    (*detail)->wide_key = wide_text(reader_.table()->key_in(slot.slot));
    if (slot.state != SlotState::link) { continue; }
    watch::Reached const lookup = reader_.table()->reached(std::span(&slot.slot, 1)).front().reached;
    if (lookup.reach == watch::Reach::elsewhere) { (*detail)->found_in = lookup.first; }
  }
}

void WatchLookups::look_up(OnKeys const& typed)
{
  Pair const& key = typed.pairs->front();
  bool const is_wide = state_.table.foreign_facts.typed_key_bits > 64;
  if (!is_wide) { state_.table.typed.note(typed); }
  look_up(is_wide ? watch::AnyKey{key.value} << 64 | key.key : typed_key(key.key));
}

}  // namespace slotscape
