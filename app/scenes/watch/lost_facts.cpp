#include "app/scenes/watch/advice.hpp"

#include "app/keys/key_text.hpp"

#include <algorithm>

namespace slotscape {
namespace {

std::string text_of_key(watch::WatchedTable& table, SlotInfo const& info)
{
  watch::Part const& part = table.description().key;
  KeyStyle const style = part.is_signed ? KeyStyle::with_sign : KeyStyle::numbers;
  return part.bits > 64 ? watch::hex_of(table.key_in(info.slot)) : key_text(info.pair.key, style);
}

/// Whether the same key is in most of the listed slots.
void note_repeated(watch::WatchedTable& table, LostFacts& lost)
{
  constexpr std::size_t many = 16;
  if (lost.slots.size() < many) { return; }
  std::vector<SlotInfo> infos = table.slots(lost.slots);
  auto const key_of = [](SlotInfo const& info) { return info.pair.key; };
  std::ranges::sort(infos, {}, key_of);
  SlotInfo const& middle = infos[infos.size() / 2];
  auto const repeats = static_cast<std::uint64_t>(std::ranges::count(infos, middle.pair.key, key_of));
  if (2 * repeats < infos.size()) { return; }
  lost.repeats = repeats;
  lost.repeated_key = text_of_key(table, middle);
}

/// Finds what the slots of lost keys have in common.
void note_causes(watch::WatchedTable& table, LostFacts& lost)
{
  using watch::Reach;
  bool const is_downward = table.description().probing.scheme == watch::Scheme::downward;
  bool const is_linear = table.description().probing.scheme == watch::Scheme::linear || is_downward;
  std::uint64_t const slots = table.description().slots;
  std::vector<watch::ReachedSlot> const reached = table.reached(lost.slots);
  std::vector<SlotInfo> const infos = table.slots(lost.slots);
  std::vector<std::uint64_t> distances;  // the shorter way round
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    watch::Reached const& lookup = reached[i].reached;
    if (lookup.reach == Reach::elsewhere) {
      ++lost.copies;
      lost.copies_behind += reached[i].comes_later ? 1 : 0;
    } else if (lookup.reach == Reach::nowhere && lookup.first != no_slot) {
      ++lost.behind_own_key;
    } else if (lookup.reach == Reach::nowhere && is_linear && infos[i].home < slots) {
      std::uint64_t const ahead = (lost.slots[i] + slots - infos[i].home) % slots;
      std::uint64_t const behind = is_downward ? (slots - ahead) % slots : ahead;
      before += 2 * behind > slots ? 1 : 0;
      distances.push_back(std::min(behind, slots - behind));
    }
  }
  if (distances.empty()) { return; }
  auto const middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  lost.distance = *middle;
  lost.distances = distances.size();
  lost.lie_before = 2 * before > distances.size();
}

}  // namespace

LostFacts lost_facts(watch::WatchedTable& table, watch::Check const& check)
{
  constexpr std::uint64_t max_slots_named = 1000;
  LostFacts lost{.keys = table.lost_keys(), .unreachable_key = {}, .twice_key = {}, .slots = {}, .repeated_key = {}};
  if (lost.count() != 0) {
    lost.slots = table.lost_slots(max_slots_named);
    note_repeated(table, lost);
    note_causes(table, lost);
  } else if (check.repeats != 0) {
    lost.repeats = check.repeats;
    lost.repeated_key = text_of_key(table, table.slot(check.repeated));
  }
  auto const fill = [&](std::uint64_t count, Slot slot, SlotInfo& info, std::string& key) {
    if (count == 0) { return; }
    info = table.slot(slot);
    key = text_of_key(table, info);
  };
  fill(lost.keys.unreachable, lost.keys.first_unreachable, lost.unreachable, lost.unreachable_key);
  fill(lost.keys.twice, lost.keys.first_twice, lost.twice, lost.twice_key);
  return lost;
}

}  // namespace slotscape
