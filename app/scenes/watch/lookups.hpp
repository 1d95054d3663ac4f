#pragma once

#include "app/scenes/watch/reader.hpp"
#include "app/scenes/watch/state.hpp"
#include "app/table_map/map_view.hpp"
#include "gpu/watch/watched_table.hpp"

#include <string>

namespace slotscape {

/// Typed keys and their lookups.
class WatchLookups {
public:
  /// The referenced objects must outlive this.
  WatchLookups(WatchState& state, MapView& view, WatchReader const& reader)
      : state_(state), view_(view), reader_(reader)
  {
  }

  /// Throws Error with the reason if the key cannot be looked up in the table.
  void look_up(OnKeys const& typed);
  /// Repeats the last lookup in the table's current state.
  void refresh();
  /// Pins a slot and flies to it.
  void show(Slot slot);
  /// Adds facts to slot cards that only foreign tables have.
  void complete_cards();

private:
  watch::AnyKey typed_key(Key key) const;
  Key shown_key(watch::AnyKey key) const;
  /// Throws Error with the reason if the slots cannot tell whether the table contains the key.
  void require_in_slots(watch::AnyKey key) const;
  Lookup lookup_of(watch::AnyKey key);
  void look_up(watch::AnyKey key);
  void show_key(watch::AnyKey key);
  std::string wide_text(watch::AnyKey key) const;

  WatchState& state_;
  MapView& view_;
  WatchReader const& reader_;
  watch::AnyKey looked_up_ = 0;
};

}  // namespace slotscape
