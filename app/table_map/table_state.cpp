#include "app/table_map/table_state.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace slotscape {

FamilyInfo const& family_of(TableState const& state)
{
  return family_info(state.settings.table.family);
}

Guarantees guarantees_of(TableState const& state)
{
  return family_of(state).guarantees(state.settings.table);
}

void ask_for_refilled(TableState& state, TableSettings const& table, std::uint64_t seed)
{
  DriveSettings& drive = state.settings.drive;
  FamilyInfo const& family = family_info(table.family);
  if (drive.hold_load) { drive.target_load = capped_to_safe_load(family, table, drive.target_load); }
  double const load =
      drive.hold_load ? drive.target_load : capped_to_safe_load(family, table, state.statistics.load_factor());
  bool const mix_fills = drive.running && drive.hold_load;
  state.ask(NewTable{table, seed});
  if (load > 0.0 && !mix_fills) { state.act(FillTo{load}); }
}

void ask_for_typed_seed(TableState& state)
{
  std::string const& text = state.seed_text;
  auto const seed = parse_number<std::uint64_t>(text);
  if (!seed) {
    return state.ask(ErrorMessage{
        fmt::format("Seed: '{}' is invalid; it must be a whole number from 0 to 18446744073709551615", text)});
  }
  if (*seed != state.settings.seed) { ask_for_refilled(state, state.settings.table, *seed); }
}

void ask_for_slots(TableState& state, std::uint64_t slots)
{
  TableSettings table = state.settings.table;
  if (slots == table.slots) { return; }
  if (state.statistics.live > 0) {
    state.pending_slots = slots;
    return;
  }
  table.slots = slots;
  state.ask(NewTable{table, state.settings.seed});
}

void ask_for_typed_slots(TableState& state)
{
  auto const slots = parse_slots(state.slots_entry);
  if (!slots) {
    return state.ask(
        ErrorMessage{fmt::format("Slots: '{}' is invalid; it must be {}", state.slots_entry,
                                 allowed_slot_counts(family_of(state).slot_counts, state.settings.table.slots))});
  }
  TableSettings table = state.settings.table;
  table.slots = *slots;
  try {
    validate(table, state.device.backend);
  } catch (Error const& error) {
    return state.ask(ErrorMessage{error.what()});
  }
  ask_for_slots(state, *slots);
}

Rehash rehash_to(TableState const& state, std::uint64_t slots)
{
  return Rehash{suitable_slots(family_of(state).slot_counts, slots)};
}

BatchRequest press_of(Operation operation, DriveSettings const& drive)
{
  switch (operation) {
    case Operation::find: {
      BatchRequest request = BatchRequest::finds(drive.batch, drive.find_keys);
      request.hit_share = drive.hit_share;
      return request;
    }
    case Operation::erase: return BatchRequest::erases(drive.batch);
    case Operation::insert: break;
  }
  return BatchRequest::inserts(drive.batch);
}

DriveSettings steering_alone(DriveSettings drive)
{
  drive.running = true;
  drive.hold_load = true;
  drive.full_speed = false;
  drive.rate = 0.0;
  return drive;
}

BatchRequest single_batch(DriveSettings const& drive)
{
  double const sum = drive.insert + drive.find + drive.erase;
  if (sum <= 0.0) { return BatchRequest::inserts(drive.batch); }
  return {.count = drive.batch,
          .insert = drive.insert / sum,
          .find = drive.find / sum,
          .erase = drive.erase / sum,
          .find_keys = drive.find_keys,
          .hit_share = drive.hit_share};
}

TheoryFit theory_fit(TableState const& state)
{
  return theory_fit(family_of(state), state.settings.table, state.settings.keys.distribution, state.statistics);
}

double scale_share(TableState const& state, double value)
{
  double const end = scale_end(state);
  return state.settings.view.log_scale ? std::log1p(value) / std::log1p(end) : value / end;
}

double scale_end(TableState const& state)
{
  ViewSettings const& view = state.settings.view;
  if (view.scale_max > 0.0) { return view.scale_max; }
  bool const of_clusters = view.color_by == ColorBy::cluster_length;
  std::uint64_t const longest = of_clusters ? state.statistics.clusters.max : state.statistics.probe_length.max;
  return static_cast<double>(std::bit_ceil(std::max<std::uint64_t>(longest, 8)));
}

}  // namespace slotscape
