#include "app/table_map/map_state.hpp"

#include "app/simulation/families.hpp"
#include "app/table_map/chain_places.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_map/plane.hpp"
#include "gpu/tables/shards.hpp"

namespace slotscape {

ViewSettings view_of(MapState const& state)
{
  ViewSettings view = state.settings.view;
  view.write_values = view.write_values && !state.settings.table.keys_only;
  return view;
}

FamilyInfo const& family_of(MapState const& state)
{
  return state.foreign != nullptr ? *state.foreign : family_info(state.settings.table.family);
}

bool reserves(MapState const& state)
{
  bool const moves_keys = state.foreign == nullptr && !family_of(state).moves.name.empty();
  return moves_keys && guarantees_of(state).erase_frees_slot;
}

bool is_reserved(MapState const& state, SlotInfo const& slot)
{
  return slot.state == SlotState::tombstone && !slot.has_key && reserves(state);
}

std::uint64_t slots_on_map(MapState const& state)
{
  return places_of(family_of(state), state.settings.table);
}

namespace {

bool has_few_chains(MapState const& state)
{
  TableSettings const& table = state.settings.table;
  FamilyInfo const& family = family_of(state);
  bool const has_chains = !family.places_by.empty() || family.growth == Growth::by_directory;
  return has_chains && table.shards == 1 && table.slots <= max_drawn_heads &&
         state.settings.view.layout == Layout::rows;
}

}  // namespace

bool can_draw_chains(MapState const& state)
{
  return has_few_chains(state) && state.settings.view.arrangement == Arrangement::fitting;
}

bool can_draw_links(MapState const& state)
{
  constexpr std::uint64_t max_linked = 4096;
  TableSettings const& table = state.settings.table;
  FamilyInfo const& family = family_of(state);
  return family.places_by.empty() && family.growth == Growth::none && table.shards == 1 && table.slots <= max_linked;
}

bool is_arranged(MapState const& state)
{
  return has_few_chains(state) || is_arranged(slots_on_map(state), state.settings.view);
}

Guarantees guarantees_of(MapState const& state)
{
  return guarantees_of(family_of(state), state.settings.table);
}

double scale_share(MapState const& state, double value)
{
  return scale_share(state.settings.view, state.statistics, family_of(state).measure.name, value);
}

double scale_end(MapState const& state)
{
  return scale_end(state.settings.view, state.statistics, family_of(state).measure.name);
}

}  // namespace slotscape
