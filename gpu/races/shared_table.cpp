#include "gpu/races/shared_table.hpp"

#include "gpu/base/translation.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace slotscape::races {
namespace {

bool is_insert(Call const& call)
{
  return call.operation == Operation::insert;
}

std::string_view plural_of(Operation operation)
{
  switch (operation) {
    case Operation::insert: return tr("inserts");
    case Operation::find: return tr("finds");
    case Operation::erase: break;
  }
  return tr("erases");
}

/// Why a family gives no guarantee for these kinds of operations running concurrently.
std::string why_kinds_differ(FamilyInfo const& info, Concurrency concurrency, std::span<Call const> calls)
{
  std::set<Operation> kinds;
  for (Call const& call : calls) { kinds.insert(call.operation); }
  if (kinds.size() < 2) { return {}; }
  switch (concurrency) {
    case Concurrency::mixed: return {};
    case Concurrency::erases_apart:
      return kinds.contains(Operation::erase)
                 ? tr("{} runs erases in a separate phase: with concurrent {}, it guarantees nothing.",
                      translated(info.title), plural_of(*kinds.begin()))
                 : "";
    case Concurrency::phased:
    case Concurrency::erases_alone: break;
  }
  return tr("{} runs inserts, finds and erases in separate phases: with concurrent {} and {}, it guarantees nothing.",
            translated(info.title), plural_of(*kinds.rbegin()), plural_of(*kinds.begin()));
}

/// Why the family gives no guarantee for concurrent erases.
std::string why_not_erased(FamilyInfo const& info, Concurrency concurrency, std::span<Call const> calls)
{
  bool const meet = std::ranges::count(calls, Operation::erase, &Call::operation) > 1;
  if (concurrency != Concurrency::erases_alone || !meet) { return {}; }
  return tr("{} moves keys back, so it erases one key at a time.", translated(info.title));
}

/// Why the table gives no guarantee for concurrent insertions that move keys.
std::string why_not_inserted(SharedTable const& table, std::span<Call const> calls)
{
  std::set<Narrow::Key> added;
  bool updates = false;
  bool repeats = false;
  for (Call const& call : calls) {
    if (!is_insert(call)) { continue; }
    bool const stored = table.find(table.start(), call.key).slot != no_slot;
    updates = updates || stored;
    repeats = repeats || (!stored && !added.insert(call.key).second);
  }
  std::string const title = translated(table.info().title);
  if (repeats) { return tr("{} inserts each new key once: a batch removes duplicates first.", title); }
  if (updates && !added.empty()) {
    return tr("{} updates stored keys in a separate pass, before it inserts new ones.", title);
  }
  std::size_t empty = 0;
  for (Slot slot = 0; slot < table.slots(); ++slot) {
    empty += table.slot(table.start(), slot).fill == Fill::empty ? 1 : 0;
  }
  if (added.size() > empty) { return tr("{} accepts at most as many new keys as there are empty slots.", title); }
  return {};
}

}  // namespace

std::string text_of(Call const& call)
{
  if (!is_insert(call)) { return brief_text_of(call); }
  switch (call.combine) {
    case Combine::add_freely:
    case Combine::add: return tr("add {} to {}", call.value, call.key);
    case Combine::keep_first: return tr("insert {}: {} unless present", call.key, call.value);
    case Combine::min: return tr("lower {} to {}", call.key, call.value);
    case Combine::max: return tr("raise {} to {}", call.key, call.value);
    case Combine::replace: break;
  }
  return tr("insert {}: {}", call.key, call.value);
}

std::string brief_text_of(Call const& call)
{
  if (is_insert(call) && call.combine != Combine::replace) { return text_of(call); }
  return call.operation == Operation::insert ? tr("insert {}", call.key)
         : call.operation == Operation::find ? tr("find {}", call.key)
                                             : tr("erase {}", call.key);
}

std::vector<Pair> pairs_in(SharedTable const& table, Words const& memory)
{
  std::vector<Pair> pairs;
  for (Slot i = 0; i < table.slots(); ++i) {
    ShownSlot const slot = table.slot(memory, i);
    if (slot.fill == Fill::pair) { pairs.push_back({slot.key, slot.value}); }
  }
  return pairs;
}

std::string fault_in(SharedTable const& table, Words const& memory)
{
  std::map<Narrow::Key, Slot> places;
  for (Slot i = 0; i < table.slots(); ++i) {
    ShownSlot const slot = table.slot(memory, i);
    if (slot.fill == Fill::value_only) { return tr("slot {} has a value without a key", i); }
    if (!slot.has_key()) { continue; }
    auto const [place, is_new] = places.emplace(slot.key, i);
    if (!is_new) { return tr("{} is stored twice: in slots {} and {}", slot.key, place->second, i); }
  }
  for (auto const& [key, place] : places) {
    if (table.slot(memory, place).fill == Fill::pair && table.find(memory, key).slot != place) {
      return tr("{} is in slot {}, where no lookup finds it", key, place);
    }
  }
  for (Slot i = 0; i < table.slots(); ++i) {
    if (table.is_valid(memory, i)) { continue; }
    if (table.slot(memory, i).fill == Fill::mark) { return tr("slot {} stays reserved", i); }
    return tr("slot {} ends with a word that is invalid in {}", i, translated(table.info().title));
  }
  return {};
}

Answer run_alone(ScheduledOperation const& operation, Words& memory)
{
  Operations way(operation);
  Operations::State state = Operations::start;
  while (Access const* const access = way.next(state)) {
    Word& there = memory.at(access->place);
    Word const old = there;
    there = access->after(old);
    state = way.after(state, access->is_store() ? 0 : old);
  }
  return way.result(state);
}

std::string why_not_promised(SharedTable const& table, std::span<Call const> calls)
{
  TableSettings settings = table.settings();
  for (Call const& call : calls) {
    if (is_insert(call) && call.combine != Combine::replace) { settings.combine = call.combine; }
  }
  bool const differ =
      std::ranges::any_of(calls, [&](Call const& call) { return is_insert(call) && call.combine != settings.combine; });
  if (differ) {
    return tr("A table combines all values for a key in the same way: it replaces them, or adds them, and so on.");
  }
  Concurrency const concurrency = table.info().guarantees(settings).concurrency;
  bool const too_many = std::ranges::count_if(calls, [](Call const& call) {
                          return call.operation != Operation::find;
                        }) > static_cast<std::ptrdiff_t>(table.max_writers());
  if (too_many) { return tr("{} allows only one writer at a time.", translated(table.info().title)); }
  if (std::string why = why_kinds_differ(table.info(), concurrency, calls); !why.empty()) { return why; }
  if (std::string why = why_not_erased(table.info(), concurrency, calls); !why.empty()) { return why; }
  return table.inserts_new_keys() ? why_not_inserted(table, calls) : std::string();
}

}  // namespace slotscape::races
