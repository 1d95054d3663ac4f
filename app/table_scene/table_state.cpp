#include "app/table_scene/table_state.hpp"

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
KeyForm key_form(TableState const& state)
{
  int const key_bits =
      state.foreign_facts.typed_key_bits == 0 ? state.settings.table.key_bits : state.foreign_facts.typed_key_bits;
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

bool is_clogged_by_tombstones(TableState const& state)
{
  Statistics const& statistics = state.statistics;
  return ends_only_at_empty_slots(family_of(state)) &&
         is_clogged_by_tombstones(statistics.live, statistics.empty(), statistics.slots);
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
  if (!full && !is_clogged_by_tombstones(state)) { return {}; }
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
  if (warning.title != state.advice.closed) { state.advice.closed.clear(); }
  state.advice.warning = std::move(warning);
}

bool shows_warning(TableState const& state)
{
  std::string const& title = state.advice.warning.title;
  return !title.empty() && title != state.advice.closed && state.advice.is_allowed && !state.steps.on &&
         !state.progress;
}

void close_warning(TableState& state)
{
  state.advice.closed = state.advice.warning.title;
}

TableSettings asked_of(TableState const& state)
{
  TableSettings const& present = state.settings.table;
  return present == state.asked.given ? state.asked.asked : present;
}

std::vector<TableSettings> asked_of(std::vector<TableState*> const& tables)
{
  std::vector<TableSettings> asked;
  asked.reserve(tables.size());
  for (TableState const* const table : tables) { asked.push_back(asked_of(*table)); }
  return asked;
}

void note_asked(std::vector<TableState*> const& tables, std::vector<TableSettings> const& asked)
{
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TableSettings const& given = tables[i]->settings.table;
    tables[i]->asked = {i < asked.size() ? asked[i] : given, given};
  }
}

namespace {

/// A sentence: the number of slots differs from the request, and why.
std::string other_slots(std::string const& who, FamilyInfo const& family, TableSettings const& given,
                        std::uint64_t asked_slots)
{
  std::string const slots = grouped(given.slots);
  std::string const asked = grouped(asked_slots);
  SlotCounts const counts = slot_counts_of(family, given);
  if (counts == SlotCounts::any) { return tr("{} has {} slots instead of {}.", who, slots, asked); }
  std::string const kind = translated(kind_of(counts));
  auto const any = choice_for_any_slots(family, given);
  if (!any) { return tr("{} has {} slots instead of {}: it needs {}.", who, slots, asked, kind); }
  return tr("{} has {} slots instead of {}: it needs {}; with the {} {}, any number will do.", who, slots, asked, kind,
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
      text += fmt::format("{}{}", text.empty() ? "" : " ",
                          tables.size() == 1 ? tr("{} has {}-bit keys only.", who, given.key_bits)
                                             : tr("{} has {}-bit keys only, so all tables do.", who, given.key_bits));
    }
    if (asked.keys_only && !given.keys_only) {
      text += fmt::format("{}{}", text.empty() ? "" : " ", tr("{} cannot store keys without values.", who));
    }
  }
  return text;
}

bool order_matters(FamilyInfo const& family)
{
  bool const neighbours = family.clusters && family.theory != TheoryOf::robin_hood;
  return neighbours || family.theory == TheoryOf::uniform_probing || family.theory == TheoryOf::secondary_clustering;
}

bool rehash_shortens_tails(FamilyInfo const& family, std::uint64_t slots)
{
  constexpr std::uint64_t fewest = 1024;  // in smaller tables, chance decides the result
  return family.theory == TheoryOf::linear_probing && slots >= fewest;
}

TheoryFit theory_fit(TableState const& state)
{
  KeySettings const& stream = state.settings.keys;
  KeyOrigin keys{are_small(stream) ? KeyDistribution::sequential : stream.distribution, state.run.given_keys};
  if (state.foreign != nullptr) { keys.drawn = KeyDistribution::file; }
  if (state.run.homes) {
    keys.homes = state.run.homes->evenness();
    keys.losses = state.run.homes->losses;
  }
  TheoryFit fit = theory_fit(family_of(state), state.settings.table, keys, state.statistics);
  bool const without = state.foreign != nullptr && state.foreign->theory == TheoryOf::nothing;
  if (without && state.foreign_facts.hides_homes) {
    fit.reason = tr("No theory is shown: the description does not fit the table.");
  } else if (without) {
    fit.reason = tr("No theory is shown: none is known for tables of this description.");
  }
  return fit;
}

}  // namespace slotscape
