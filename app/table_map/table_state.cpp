#include "app/table_map/table_state.hpp"

#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/simulation/tables.hpp"
#include "app/table_map/palette.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <utility>

namespace slotscape {
namespace {

/// As many as a table with these settings really has: families that store buckets round up.
std::uint64_t slots_of_table(TableSettings const& settings)
{
  return make_engine(Backend::cpu, settings)->table().slots;
}

}  // namespace

ViewSettings view_of(TableState const& state)
{
  ViewSettings view = state.settings.view;
  view.write_values = view.write_values && !state.settings.table.keys_only;
  return view;
}

FamilyInfo const& family_of(TableState const& state)
{
  return state.foreign != nullptr ? *state.foreign : family_info(state.settings.table.family);
}

bool reserves(TableState const& state)
{
  bool const moves_keys = state.foreign == nullptr && !family_of(state).moves.name.empty();
  return moves_keys && guarantees_of(state).erase_frees_slot;
}

bool is_reserved(TableState const& state, SlotInfo const& slot)
{
  return slot.state == SlotState::tombstone && !slot.has_key && reserves(state);
}

Guarantees guarantees_of(TableState const& state)
{
  return guarantees_of(family_of(state), state.settings.table);
}

KeyForm key_form(TableState const& state)
{
  int const key_bits = state.typed_key_bits == 0 ? state.settings.table.key_bits : state.typed_key_bits;
  return {key_bits, state.settings.view.keys_as, notes_of(state.settings.keys).hashed_from};
}

KeysFieldUse use_of_field(TableState const& state)
{
  return {.form = key_form(state), .finds_only = state.foreign != nullptr, .in_steps = state.steps.on};
}

ParsedKeys const& parsed_keys(TableState& state)
{
  return state.typed.parsed(key_form(state));
}

std::optional<OnKeys> enter_keys(TableState& state)
{
  return state.typed.enter(key_form(state));
}

bool is_choking(TableState const& state)
{
  Statistics const& statistics = state.statistics;
  return ends_only_at_empty_slots(family_of(state)) &&
         is_choking(statistics.live, statistics.empty(), statistics.slots);
}

bool is_without_room(TableState const& state)
{
  Statistics const& statistics = state.statistics;
  return ends_only_at_empty_slots(family_of(state)) && statistics.slots != 0 && statistics.empty() == 0;
}

Rectangle room_for_cards(TableState const& state, Rectangle const& canvas)
{
  int const covered = std::clamp(state.typed.message_end - canvas.y, 0, canvas.height);
  return {canvas.x, canvas.y + covered, canvas.width, canvas.height - covered};
}

RoomWarning room_warning(TableState const& state, std::string_view tables)
{
  Statistics const& statistics = state.statistics;
  bool const full = is_without_room(state);
  if (!full && !is_choking(state)) { return {}; }
  RoomWarning warning{.title = {}, .text = {}, .purge_helps = statistics.tombstones != 0};
  std::string const others = grouped(statistics.tombstones);
  if (full) {
    warning.title = tr("No empty slot is left in {}", tables);
    warning.text =
        warning.purge_helps
            ? tr("Looking up an absent key reads the whole table. A purge frees the slots of {} tombstones.", others)
            : tr("Looking up an absent key reads the whole table. Every slot holds a key: rehash into more "
                 "slots.");
    return warning;
  }
  bool const many = statistics.tombstones >= statistics.slots / 10;
  warning.title = many ? tr("Tombstones fill {}", tables) : tr("Few empty slots are left in {}", tables);
  warning.text =
      tr("Effective load {:.3f}, by keys alone {:.3f}: looking up absent keys takes longer and longer, and without an "
         "empty slot it reads the whole table.",
         halves_up(statistics.effective_load()), halves_up(statistics.load_factor()));
  return warning;
}

void warn(TableState& state, RoomWarning warning)
{
  if (warning.title != state.closed_warning) { state.closed_warning.clear(); }
  state.room_warning = std::move(warning);
}

bool shows_warning(TableState const& state)
{
  std::string const& title = state.room_warning.title;
  return !title.empty() && title != state.closed_warning && state.may_advise && !state.steps.on && !state.progress;
}

void close_warning(TableState& state)
{
  state.closed_warning = state.room_warning.title;
}

TableSettings asked_of(TableState const& state)
{
  TableSettings const& present = state.settings.table;
  return present == state.asked.given ? state.asked.asked : present;
}

void note_asked(std::vector<TableState*> const& tables, std::vector<TableSettings> const& asked)
{
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TableSettings const& given = tables[i]->settings.table;
    tables[i]->asked = {i < asked.size() ? asked[i] : given, given};
  }
}

namespace {

/// That the number of slots differs from what was asked for, and why.
std::string other_slots(std::string const& who, FamilyInfo const& family, TableSettings const& given,
                        std::uint64_t asked_slots)
{
  std::string const slots = grouped(given.slots);
  std::string const asked = grouped(asked_slots);
  SlotCounts const counts = slot_counts_of(family, given);
  if (counts == SlotCounts::any) { return tr("{} has {} slots instead of {}.", who, slots, asked); }
  std::string const kind = translated(kind_of(counts));
  auto const any = choice_for_any_slots(family, given);
  if (!any) { return tr("{} has {} slots instead of {}: it takes {}.", who, slots, asked, kind); }
  return tr("{} has {} slots instead of {}: it takes {}; by the {} {} any number.", who, slots, asked, kind,
            in_sentence(translated(any->parameter->title)), translated(any->parameter->choice_names[any->choice]));
}

}  // namespace

std::string how_they_differ(std::vector<TableState*> const& tables)
{
  std::string text;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    auto const& [asked, given] = tables[i]->asked;
    FamilyInfo const& family = family_info(given.family);
    std::string const title = translated(family.title);
    std::string const who = tables.size() == 1 ? title : tr("Table {}, {},", i + 1, title);
    std::uint64_t const off = std::max(asked.slots, given.slots) - std::min(asked.slots, given.slots);
    if (off > asked.slots / 100) {
      text += fmt::format("{}{}", text.empty() ? "" : " ", other_slots(who, family, given, asked.slots));
    }
    if (!family.wide && asked.key_bits != given.key_bits) {
      text +=
          fmt::format("{}{}", text.empty() ? "" : " ",
                      tables.size() == 1 ? tr("{} has keys of {} bits only.", who, given.key_bits)
                                         : tr("{} has keys of {} bits only, so all tables have.", who, given.key_bits));
    }
    if (asked.keys_only && !given.keys_only) {
      text += fmt::format("{}{}", text.empty() ? "" : " ", tr("{} stores keys with values only.", who));
    }
  }
  return text;
}

void ask_for_table(TableState& state, TableSettings const& table, std::vector<TableSettings> compared)
{
  std::vector<TableSettings> asked = compared.empty() ? std::vector{table} : std::move(compared);
  std::vector<TableSettings> given = fitted(asked);
  TableSettings const first = given.front();
  DriveSettings& drive = state.settings.drive;
  if (drive.hold_load) { drive.target_load = capped_to_safe_load(family_info(first.family), first, drive.target_load); }
  if (given.size() == 1) { given.clear(); }
  state.ask(NewTable{first, state.settings.seed, true, std::move(given), std::move(asked)});
}

void ask_for_seed(TableState& state, std::uint64_t seed)
{
  DriveSettings const& drive = state.settings.drive;
  TableSettings const& table = state.settings.table;
  bool const empty = state.statistics.live == 0;
  double const present = capped_to_safe_load(family_of(state), table, state.statistics.load_factor());
  state.ask(NewTable{table, seed});
  bool const mix_fills = drive.running && drive.hold_load;
  if (!empty && !mix_fills) { state.act(FillTo{drive.hold_load ? drive.target_load : present}); }
}

void ask_for_typed_seed(TableState& state)
{
  std::string const& text = state.seed_text;
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
    state.pending_slots = slots < state.statistics.live ? slots_of_table(table) : slots;
    return;
  }
  state.ask(NewTable{table, state.settings.seed});
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
           text, said_slot_counts(slot_counts_of(family, table), table.slots, table.shards)));
  }
  DriveSettings const& drive = state.settings.drive;
  if (!of_keys && state.statistics.live == 0) {
    throw Error(
        tr("Slots: the table is empty, so there is nothing to take bytes a key of. Insert keys, or type how many."));
  }
  double const load = drive.hold_load ? drive.target_load : guarantees_of(state).safe_load;
  double const bytes_a_slot = static_cast<double>(bytes_of_pairs(table, 1));
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
    table.slots = typed_slots(state, state.slots_entry);
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
  bool const out_of_reach = drive.hold_load && drive.target_load > 0.0 && state.keys_used_up && live > 0 &&
                            highest + a_hair < drive.target_load;
  if (!out_of_reach) { return std::nullopt; }
  constexpr std::uint64_t max_tries = 1000;
  SlotCounts const counts = slot_counts_of(family_of(state), state.settings.table);
  // the others become fuller as this one does
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
  constexpr double full = 0.95;  // beyond, long lookups are a high price for a load that nobody asked for
  double const most = std::max(full, state.settings.drive.target_load);
  bool const have_room = std::ranges::all_of(found.all, [&](ComparedSize const& each) {
    return each.load <= std::min(most, guarantees_of(family_info(each.table.family), each.table).safe_load);
  });
  return found.slots != state.settings.table.slots && have_room;
}

namespace {

/// "table 1 has 8,192 slots, α 0.450; table 2 …": after the change.
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
    return start + " " + tr("{} slots are the fewest that this family has for them.", slots);
  }
  bool const reached = found->load + 0.001 >= target;
  return start + " " +
         (reached
              ? tr("With {} slots, α is {:.3f}.", slots, found->load)
              : tr("Of the numbers of slots that this family takes, {} comes nearest: α {:.3f}.", slots, found->load));
}

Rehash rehash_to(TableState const& state, std::uint64_t slots)
{
  TableSettings const& table = state.settings.table;
  return Rehash{suitable_slots(slot_counts_of(family_of(state), table), slots, table.shards)};
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
  return BatchRequest{.count = drive.batch,
                      .insert = drive.insert / sum,
                      .find = drive.find / sum,
                      .erase = drive.erase / sum,
                      .find_keys = drive.find_keys,
                      .hit_share = drive.hit_share}
      .as_mix();
}

bool order_matters(FamilyInfo const& family)
{
  bool const neighbours = family.clusters && family.theory != TheoryOf::robin_hood;
  return neighbours || family.theory == TheoryOf::uniform_probing || family.theory == TheoryOf::secondary_clustering;
}

bool rehash_shortens_tails(FamilyInfo const& family, std::uint64_t slots)
{
  constexpr std::uint64_t fewest = 1024;  // in smaller tables, chance decides
  return family.theory == TheoryOf::linear_probing && slots >= fewest;
}

TheoryFit theory_fit(TableState const& state)
{
  KeySettings const& stream = state.settings.keys;
  KeyOrigin keys{are_small(stream) ? KeyDistribution::sequential : stream.distribution, state.given_keys};
  if (state.foreign != nullptr) { keys.drawn = KeyDistribution::file; }
  if (state.homes) { keys.homes = state.homes->evenness(); }
  TheoryFit fit = theory_fit(family_of(state), state.settings.table, keys, state.statistics);
  bool const without = state.foreign != nullptr && state.foreign->theory == TheoryOf::nothing;
  if (without && state.hides_homes) {
    fit.reason = tr("No theory is shown: the description does not fit the table.");
  } else if (without) {
    fit.reason = tr("No theory is shown: none is known for tables of this description.");
  }
  return fit;
}

double scale_share(TableState const& state, double value)
{
  return scale_share(state.settings.view, state.statistics, family_of(state).measure.name, value);
}

double scale_end(TableState const& state)
{
  return scale_end(state.settings.view, state.statistics, family_of(state).measure.name);
}

}  // namespace slotscape
