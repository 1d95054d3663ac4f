#include "app/scenes/slots/step/key_sources.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr Key most_new_key = 9999;  ///< at first; tenfold with every key that is there already
constexpr std::uint64_t slots_a_look = 4096;
constexpr int looks = 64;

/// Slots from a random one on.
std::vector<Slot> some_slots(std::uint64_t slots, std::mt19937_64& random)
{
  std::uint64_t const start = random() % slots;
  std::vector<Slot> some(std::min(slots, slots_a_look));
  for (std::uint64_t i = 0; i < some.size(); ++i) { some[i] = static_cast<Slot>((start + i) % slots); }
  return some;
}

}  // namespace

Key new_key(Engine& engine, std::mt19937_64& random)
{
  std::uint64_t most = most_new_key;
  for (;;) {
    Key const key = static_cast<Key>(1 + random() % most);
    if (!engine.probe_path(key).value) { return key; }
    most = std::min<std::uint64_t>(most * 10, 999'999'999);
  }
}

std::optional<Key> random_live_key(Engine& engine, std::mt19937_64& random)
{
  for (int look = 0; look < looks; ++look) {
    std::vector<SlotInfo> slots = engine.slots(some_slots(engine.table().slots, random));
    std::erase_if(slots, [](SlotInfo const& slot) { return slot.state != SlotState::live; });
    if (!slots.empty()) { return slots[random() % slots.size()].pair.key; }
  }
  return std::nullopt;
}

std::optional<Key> key_in(Engine& engine, Slot slot)
{
  SlotInfo const info = engine.slot(slot);
  return info.has_key ? std::optional(info.pair.key) : std::nullopt;
}

}  // namespace slotscape
