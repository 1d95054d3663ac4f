#pragma once

#include "app/scenes/watch/reader.hpp"
#include "app/scenes/watch/state.hpp"
#include "app/table_map/map_view.hpp"
#include "gpu/watch/watched_table.hpp"

#include <string>

namespace slotscape {

/// Keys that are typed, and where they are looked up.
class WatchLookups {
public:
  /// The references outlive it.
  WatchLookups(WatchState& state, MapView& view, WatchReader const& reader)
      : state_(state), view_(view), reader_(reader)
  {
  }

  /// Throws Error that says why if the table cannot be asked for the key.
  void look_up(OnKeys const& typed);
  /// The key that was looked up last, in the table as it is now.
  void refresh();
  /// Pins a slot, and flies there.
  void show(Slot slot);
  /// What cards say of slots in somebody else's table only.
  void complete_cards();

private:
  watch::AnyKey typed_key(Key key) const;
  Key shown_key(watch::AnyKey key) const;
  /// Throws Error, saying why, if the slots cannot tell whether the table has the key.
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
