#include "app/table_scene/sizes.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/tables.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

/// The actual number of slots of a table with these settings, because families that store buckets round up.
std::uint64_t slots_of_table(TableSettings const& settings)
{
  return make_engine(Backend::cpu, settings)->table().slots;
}

}  // namespace

void ask_for_table(TableState& state, TableSettings const& table, std::vector<TableSettings> compared)
{
  std::vector<TableSettings> asked = compared.empty() ? std::vector{table} : std::move(compared);
  std::vector<TableSettings> given = fitted(asked);
  TableSettings const first = given.front();
  DriveSettings& drive = state.settings.drive;
  if (drive.hold_load) { drive.target_load = capped_to_safe_load(family_info(first.family), first, drive.target_load); }
  if (given.size() == 1) { given.clear(); }
  state.ask(ReplaceTables{first, state.settings.seed, true, std::move(given), std::move(asked)});
}

void ask_for_seed(TableState& state, std::uint64_t seed)
{
  DriveSettings const& drive = state.settings.drive;
  TableSettings const& table = state.settings.table;
  bool const empty = state.statistics.live == 0;
  double const present = capped_to_safe_load(family_of(state), table, state.statistics.load_factor());
  state.ask(ReplaceTables{table, seed});
  bool const mix_fills = drive.running && drive.hold_load;
  if (!empty && !mix_fills) { state.act(FillTo{drive.hold_load ? drive.target_load : present}); }
}

void ask_for_typed_seed(TableState& state)
{
  std::string const& text = state.edits.seed_text;
  auto const seed = parse_number<std::uint64_t>(text);
  if (!seed) {
    return state.ask(
        ErrorMessage{tr("Seed: '{}' is invalid; it must be a whole number from 0 to 18446744073709551615", text)});
  }
  if (*seed != state.settings.seed) { ask_for_seed(state, *seed); }
}

void ask_for_slots(TableState& state, std::uint64_t slots)
{
  TableSettings table = state.settings.table;
  if (slots == table.slots) { return; }
  table.slots = slots;
  if (state.statistics.live > 0) {
    state.edits.pending_slots = slots < state.statistics.live ? slots_of_table(table) : slots;
    return;
  }
  state.ask(ReplaceTables{table, state.settings.seed});
}

std::uint64_t typed_slots(TableState const& state, std::string_view text)
{
  FamilyInfo const& family = family_of(state);
  TableSettings const& table = state.settings.table;
  if (auto const slots = parse_slots(text)) { return *slots; }
  std::size_t const end = text.find_first_not_of("0123456789,. ");
  std::string_view const unit = text.substr(std::min(end, text.size()));
  std::string number(text.substr(0, end));
  std::erase_if(number, [](char character) { return character == ',' || character == ' '; });
  auto const amount = parse_number<double>(number);
  bool const of_keys = unit.starts_with("key");
  if (!amount || !(*amount > 0.0) || (!of_keys && !unit.starts_with("byte"))) {
    throw Error(
        tr("Slots: '{}' is invalid; it must be {}, or a number of keys or of bytes a key, such as "
           "50000 keys or 12 bytes a key",
           text, translated_slot_counts(slot_counts_of(family, table), table.slots, table.shards)));
  }
  DriveSettings const& drive = state.settings.drive;
  if (!of_keys && state.statistics.live == 0) {
    throw Error(
        tr("Slots: the table is empty, so bytes a key say nothing about its size. Insert keys, or type a number of "
           "keys."));
  }
  double const load = drive.hold_load ? drive.target_load : guarantees_of(state).safe_load;
  double const bytes_a_slot = static_cast<double>(bytes_of_pairs(table, places_per_slot(family, table)));
  double const slots =
      of_keys ? *amount / std::max(load, 0.01) : *amount * static_cast<double>(state.statistics.live) / bytes_a_slot;
  double const most = static_cast<double>(max_slots);
  return suitable_slots(slot_counts_of(family, table), static_cast<std::uint64_t>(std::ceil(std::min(slots, most))),
                        table.shards);
}

void ask_for_typed_slots(TableState& state)
{
  TableSettings table = state.settings.table;
  try {
    table.slots = typed_slots(state, state.edits.slots_entry);
    validate(table, state.device.backend);
  } catch (Error const& error) {
    return state.ask(ErrorMessage{error.what()});
  }
  ask_for_slots(state, table.slots);
}

std::optional<SlotsForLoad> slots_for_held_load(TableState const& state)
{
  constexpr double a_hair = 0.001;
  DriveSettings const& drive = state.settings.drive;
  std::uint64_t const live = state.statistics.live;
  double const own = state.statistics.load_factor();
  double highest = own;
  for (ComparedSize const& each : state.compared) { highest = std::max(highest, each.load); }
  bool const out_of_reach = drive.hold_load && drive.target_load > 0.0 && state.run.keys_used_up && live > 0 &&
                            highest + a_hair < drive.target_load;
  if (!out_of_reach) { return std::nullopt; }
  constexpr std::uint64_t max_tries = 1000;
  SlotCounts const counts = slot_counts_of(family_of(state), state.settings.table);
  // the other tables fill up along with this one
  auto const wanted = static_cast<std::uint64_t>(static_cast<double>(live) / drive.target_load * (highest / own));
  std::uint64_t const fewest = std::max<std::uint64_t>({live, min_slots, wanted - std::min(wanted, max_tries)});
  std::uint64_t slots = std::max(wanted, fewest);
  std::uint32_t const shards = state.settings.table.shards;
  while (slots > fewest && !suits(counts, slots, shards)) { --slots; }
  if (!suits(counts, slots, shards)) { slots = std::bit_floor(std::max<std::uint64_t>(wanted / shards, 1)) * shards; }
  std::uint64_t const least = min_slots * shards;
  if (slots < live || slots < least) { slots = suitable_slots(counts, std::max(wanted, least), shards); }
  SlotsForLoad found{slots, static_cast<double>(live) / static_cast<double>(slots)};
  for (ComparedSize const& each : state.compared) {
    TableSettings table = each.table;
    table.slots = slots_in_proportion(table, state.settings.table.slots, slots);
    double const load = each.load * static_cast<double>(each.table.slots) / static_cast<double>(table.slots);
    found.all.push_back({std::move(table), load});
  }
  return found;
}

bool can_be_offered(TableState const& state, SlotsForLoad const& found)
{
  constexpr double full = 0.95;  // above this load, lookups take too long for a load that the user did not request
  double const most = std::max(full, state.settings.drive.target_load);
  bool const have_room = std::ranges::all_of(found.all, [&](ComparedSize const& each) {
    return each.load <= std::min(most, guarantees_of(family_info(each.table.family), each.table).safe_load);
  });
  return found.slots != state.settings.table.slots && have_room;
}

namespace {

/// Describes all tables after the change: "table 1 has 8,192 slots, α 0.450; table 2 …".
std::string all_of(SlotsForLoad const& found)
{
  std::string text;
  for (std::size_t i = 0; i < found.all.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : "; ",
                        tr("table {} has {} slots, α {:.3f}", i + 1, grouped(found.all[i].table.slots),
                           halves_up(found.all[i].load)));
  }
  return text;
}

}  // namespace

std::string advice_on_held_load(TableState const& state)
{
  auto const found = slots_for_held_load(state);
  if (!found) { return {}; }
  double const target = state.settings.drive.target_load;
  bool const several = !state.compared.empty();
  std::string const live = grouped(state.statistics.live);
  std::string const start = several ? tr("The file has no more keys for α {:.3f}: the tables hold {}.", target, live)
                                    : tr("The file has no more keys for α {:.3f}: the table holds {}.", target, live);
  if (several) {
    return can_be_offered(state, *found) ? start + " " + tr("With fewer slots, {}.", all_of(*found)) : start;
  }
  std::string const slots = grouped(found->slots);
  if (found->slots == state.settings.table.slots) {
    return start + " " + tr("This family needs at least {} slots to store them.", slots);
  }
  bool const reached = found->load + 0.001 >= target;
  return start + " " +
         (reached ? tr("With {} slots, α is {:.3f}.", slots, found->load)
                  : tr("The nearest number of slots that this family allows is {}: α {:.3f}.", slots, found->load));
}

Rehash rehash_to(TableState const& state, std::uint64_t slots)
{
  TableSettings const& table = state.settings.table;
  return Rehash{suitable_slots(slot_counts_of(family_of(state), table), slots, table.shards)};
}

}  // namespace slotscape
