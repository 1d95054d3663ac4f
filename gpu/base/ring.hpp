#pragma once

#include "gpu/base/types.hpp"

namespace slotscape {

/// Steps around a table of `layout.slots()` slots, whose last slot is followed by the first.
template <class Layout>
SLOTSCAPE_HOST_DEVICE Slot slot_after(Layout const& layout, Slot slot)
{
  return slot + 1 == layout.slots() ? 0 : slot + 1;
}
/// The slot `steps` before `slot`; steps <= slots.
template <class Layout>
SLOTSCAPE_HOST_DEVICE Slot slot_before(Layout const& layout, Slot slot, Slot steps)
{
  return slot >= steps ? slot - steps : static_cast<Slot>(slot + layout.slots() - steps);
}
/// Slots from a key's home to `slot`.
template <class Layout, class Key>
SLOTSCAPE_HOST_DEVICE Slot displacement(Layout const& layout, Slot slot, Key key)
{
  return slot_before(layout, slot, layout.home(key));
}

}  // namespace slotscape
