#include "app/scenes/slots/state.hpp"

#include "app/files/number.hpp"
#include "gpu/analysis/theory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace slotscape {

void ask_for_refilled(SlotsState& state, TableSettings const& table, std::uint64_t seed)
{
  DriveSettings const& drive = state.settings.drive;
  double const load = drive.hold_load ? drive.target_load : state.statistics.load_factor();
  bool const mix_fills = drive.running && drive.hold_load;
  state.ask(NewTable{table, seed});
  if (load > 0.0 && !mix_fills) { state.act(FillTo{load}); }
}

void ask_for_typed_seed(SlotsState& state)
{
  std::string const& text = state.seed_text;
  auto const seed = parse_number<std::uint64_t>(text);
  if (!seed) {
    return state.ask(
        Complaint{fmt::format("Seed: '{}' is wrong; it must be a whole number from 0 to 18446744073709551615", text)});
  }
  if (*seed != state.settings.seed) { ask_for_refilled(state, state.settings.table, *seed); }
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

TheoryFit theory_fit(SlotsState const& state)
{
  if (!theory::spreads_well(state.settings.table.hash, state.settings.keys.distribution)) {
    return {false, false, "Theory is for keys that a hash spreads at random; these are not, so it does not apply."};
  }
  if (state.statistics.tombstones == 0) { return {true, true, {}}; }
  if (state.settings.table.deletion == Deletion::tombstone_reuse) {
    return {false, false, "Theory is for a table without erasures: reused tombstones change where keys come to lie."};
  }
  return {true, false, "With tombstones, theory takes the effective load; its probe length is for a table without."};
}

double scale_share(SlotsState const& state, double value)
{
  double const end = scale_end(state);
  return state.settings.view.log_scale ? std::log1p(value) / std::log1p(end) : value / end;
}

double scale_end(SlotsState const& state)
{
  ViewSettings const& view = state.settings.view;
  if (view.scale_max > 0.0) { return view.scale_max; }
  bool const of_clusters = view.color_by == ColorBy::cluster_length;
  std::uint64_t const longest = of_clusters ? state.statistics.clusters.max : state.statistics.probe_length.max;
  return static_cast<double>(std::bit_ceil(std::max<std::uint64_t>(longest, 8)));
}

}  // namespace slotscape
