#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/phased_passes.hpp"
#include "gpu/engine/query_passes.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/races/shared_table.hpp"
#include "gpu/tables/formula_hasher.hpp"
#include "gpu/tables/static_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace slotscape::races {

/// A family whose tables show their slots in their own way: `ShownSlot shown(table, slot, word)`.
template <class Family, class View>
concept ShowsSlots = requires(View const& table, Slot slot, Word word)
{
  {
    Family::shown(table, slot, word)
    } -> std::same_as<ShownSlot>;
};

/// A table of a family, or of code written like one, whose operations run on the scheduled machine.
template <class Family>
class FamilyTable final : public SharedTable {
  using Layout = typename Family::template Layout<Narrow>;
  using HostView = View<Layout, HostMachine<Narrow>>;

public:
  FamilyTable(TableSettings const& settings, std::span<Call const> before)
      : settings_(settings), layout_(Family::template layout<Narrow>(settings))
  {
    settings_.slots = slots_in_settings(layout_);
    memory_.assign(layout_.slots() + metadata_size(), 0);
    std::fill_n(memory_.begin(), layout_.slots(), Narrow::empty_word);
    if constexpr (IsStatic<Family>) { build(before); }
    for (Call const& call : before) {
      if (IsStatic<Family> && call.operation != Operation::erase) { continue; }
      if (run_alone(operation(call, memory_, false), memory_).outcome == Outcome::full) {
        throw Error(fmt::format("{}: there is no place in a table of {} slots.", text_of(call), layout_.slots()));
      }
    }
  }

  FamilyInfo const& info() const override { return Family::info; }
  TableSettings const& settings() const override { return settings_; }
  Slot slots() const override { return static_cast<Slot>(layout_.slots()); }
  Slot home(Narrow::Key key) const override { return layout_.home(key); }
  std::optional<Slot> slot_of(std::uint64_t place) const override
  {
    if (place < layout_.slots()) { return static_cast<Slot>(place); }
    if constexpr (requires { Family::has_numbers_of_slots; }) {
      return static_cast<Slot>((place - layout_.slots()) % layout_.slots());
    } else {
      return std::nullopt;
    }
  }
  Words const& start() const override { return memory_; }
  bool inserts_new_keys() const override { return InsertsNewKeys<Family>; }
  bool is_static() const override { return IsStatic<Family>; }
  std::size_t max_writers() const override
  {
    if constexpr (requires { Family::max_writers; }) {
      return Family::max_writers;
    } else {
      return max_threads;
    }
  }

  ScheduledOperation operation(Call const& call, Words const& memory, bool looks_first) const override
  {
    bool const updates = InsertsNewKeys<Family> && (looks_first || find(memory, call.key).slot != no_slot);
    return [call, updates, layout = layout_](ScheduledMachine machine) {
      machine.metadata_start = layout.slots();
      View<Layout, ScheduledMachine> const table{machine, layout, call.combine};
      return with_tile(layout, [&](auto tile) { return run(table, tile, call, updates); });
    };
  }

  ShownSlot slot(Words const& memory, Slot slot) const override
  {
    return with_view(memory, [&](HostView const& table) -> ShownSlot {
      if constexpr (ShowsSlots<Family, HostView>) {
        return Family::shown(table, slot, memory[slot]);
      } else {
        Word const word = memory[slot];
        SlotInfo const info = slot_info<Family>(table, slot, word);
        Fill const without_key = info.state == SlotState::empty  ? Fill::empty
                                 : info.state == SlotState::link ? Fill::link
                                                                 : Fill::mark;
        Fill const with_key = info.state == SlotState::live ? Fill::pair : Fill::key_only;
        return {slot, info.has_key ? with_key : without_key, key_of(word), value_of(word), info.home};
      }
    });
  }

  std::string_view mark_name() const override { return reserves_slots ? "reserved" : "tombstone"; }

  std::vector<Fill> fills() const override
  {
    if constexpr (requires { Family::fills; }) {
      return {Family::fills.begin(), Family::fills.end()};
    } else {
      std::vector<Fill> fills{Fill::pair};
      bool const frees =
          Family::guarantees(settings_).erase_frees_slot || Family::guarantees(settings_).erase_frees_bucket;
      bool const keeps_keys = IsStatic<Family> || !frees;
      if (keeps_keys) { fills.push_back(Fill::key_only); }
      bool const leaves_marks = Family::info.deletes_two_ways || reserves_slots || leaves_tombstones;
      bool const marks = leaves_marks && !keeps_keys && settings_.deletion != Deletion::shift;
      if (marks) { fills.push_back(Fill::mark); }
      return fills;
    }
  }

  Answer find(Words const& memory, Narrow::Key key) const override
  {
    return with_view(memory, [&](HostView const& table) {
      return with_tile(layout_, [&](auto tile) { return find_in<Family>(table, tile, key); });
    });
  }

  bool is_valid(Words const& memory, Slot slot) const override
  {
    if constexpr (requires(HostView const& table) { Family::is_valid(table, slot, Word{}); }) {
      return with_view(memory, [&](HostView const& table) { return Family::is_valid(table, slot, memory[slot]); });
    } else {
      return true;
    }
  }

  Step step(Words const& memory, Access const& access, Word word) const override
  {
    Step step{kind_of(access), {}, {}, {}, {}};
    bool const writes = access.after(word) != word || access.kind == Access::Kind::exchange || access.is_store();
    if constexpr (requires { Family::tell(access, word, layout_.slots()); }) {
      step.text = Family::tell(access, word, layout_.slots());
    }
    if (access.place >= layout_.slots()) {
      step.kind = Step::Kind::metadata;
      if constexpr (requires { Family::explain(layout_, access.place, word, word); }) {
        step.text = Family::explain(layout_, access.place - layout_.slots(), word, access.after(word));
      }
      return step;
    }
    auto const slot = static_cast<Slot>(access.place);
    return with_view(memory, [&](HostView const& table) {
      auto const info = [&](Word there) { return slot_info<Family>(table, slot, there); };
      step.seen.push_back(info(access.is_store() ? memory[slot] : word));
      if (writes) { step.after = info(access.after(word)); }
      return step;
    });
  }

  std::string word_text(Words const& memory, Slot slot, Word word) const override
  {
    if (word == Narrow::empty_word) { return tr("empty"); }
    return with_view(memory, [&](HostView const& table) -> std::string {
      Described const found = Family::describe(table, slot, word);
      if (found.state == SlotState::link) { return tr("a link"); }
      if (!found.has_key) { return reserves_slots ? "reserved" : tr("a tombstone"); }
      return found.state == SlotState::live ? tr("{} with value {}", key_of(word), value_of(word))
                                            : tr("{} without a value", key_of(word));
    });
  }

  std::string upcoming(Access const& access) const override
  {
    if constexpr (requires { Family::tell_next(access, layout_.slots()); }) {
      return Family::tell_next(access, layout_.slots());
    } else {
      return {};
    }
  }

  std::vector<CodeLine> code(Operation operation) const override
  {
    if constexpr (requires { std::string_view(Family::pseudocode); }) {
      return code_lines(Family::pseudocode, operation, info(), settings_);
    } else {
      return pseudocode_of(settings_, operation);
    }
  }

private:
  /// The meaning of a tombstone's word: an insertion is moving a key to the slot, or any key may take the slot.
  static constexpr bool leaves_tombstones = requires { Family::leaves_tombstones; };
  static constexpr bool reserves_slots = InsertsNewKeys<Family> && !leaves_tombstones;

  static Step::Kind kind_of(Access const& access)
  {
    switch (access.kind) {
      case Access::Kind::load:
      case Access::Kind::load_fresh: return Step::Kind::read;
      case Access::Kind::compare_exchange: return Step::Kind::compare_and_swap;
      case Access::Kind::exchange:
      case Access::Kind::add:
      case Access::Kind::store:
      case Access::Kind::release_store: break;
    }
    return Step::Kind::exchange;
  }

  /// Calls f with the tile that the layout chooses.
  template <class F>
  static auto with_tile(Layout const& layout, F const& f)
  {
    if constexpr (UsesTiles<Family>) {
      Answer result{};
      [&]<std::size_t... i>(std::index_sequence<i...>)
      {
        constexpr auto& choices = Family::lane_choices;
        int const lanes = static_cast<int>(Family::lanes(layout));
        ((static_cast<int>(choices[i]) == lanes ? (result = f(exec::HostLanes<static_cast<int>(choices[i])>{}), 0) : 0),
         ...);
      }
      (std::make_index_sequence<Family::lane_choices.size()>{});
      return result;
    } else {
      return f(exec::NoTile{});
    }
  }

  template <class Table, class Tile>
  static Answer run(Table const& table, Tile tile, Call const& call, bool updates)
  {
    switch (call.operation) {
      case Operation::find: return find_in<Family>(table, tile, call.key);
      case Operation::erase: return erase_alone_in<Family>(table, tile, call.key);
      case Operation::insert: break;
    }
    if constexpr (InsertsNewKeys<Family>) {
      // Updates have a separate pass. Keys that have disappeared by then are inserted by the next pass.
      if (updates) {
        Answer const updated = WithoutNewKeys<Family>::insert(table, tile, call.key, call.value);
        if (updated.outcome != Outcome::full) { return updated; }
      }
    }
    return insert_in<Family>(table, tile, call.key, call.value);
  }

  template <class F>
  auto with_view(Words memory, F const& f) const
  {
    return f(HostView{{memory.data(), memory.data() + layout_.slots()}, layout_});
  }

  std::uint64_t metadata_size() const
  {
    if constexpr (requires { layout_.metadata(); }) {
      return layout_.metadata();
    } else {
      return 0;
    }
  }

  /// Builds a static table of all keys that are ever inserted, with their last values.
  void build(std::span<Call const> before)
  {
    std::map<Narrow::Key, Narrow::Value> pairs;
    for (Call const& call : before) {
      if (call.operation == Operation::insert) { pairs[call.key] = call.value; }
    }
    std::vector<Narrow::Key> keys;
    std::vector<Narrow::Value> values;
    for (auto const& [key, value] : pairs) {
      keys.push_back(key);
      values.push_back(value);
    }
    exec::Cpu cpu;
    Words const empty = memory_;
    constexpr std::uint64_t max_attempts = 64;
    bool const fits = keys.size() <= layout_.slots();
    for (std::uint64_t seed = 1; fits && seed <= max_attempts; ++seed) {
      layout_ = Family::template layout<Narrow>(settings_);
      memory_ = empty;
      Built const built =
          Family::build(cpu, layout_, seed, Contents<Narrow>{keys.data(), values.data(), 0, keys.size()},
                        memory_.data(), memory_.data() + layout_.slots());
      if (built == Built::done) { return; }
    }
    throw Error(
        fmt::format("{} cannot be built of {} keys in {} slots.", Family::info.title, keys.size(), layout_.slots()));
  }

  TableSettings settings_;
  Layout layout_;
  Words memory_;
};

template <class Family>
std::unique_ptr<SharedTable> family_table(TableSettings const& settings, std::span<Call const> before)
{
  return std::make_unique<FamilyTable<Family>>(settings, before);
}

/// A table with the hash that the settings choose, compiled in or not.
template <class Family>
std::unique_ptr<SharedTable> family_table_by_hash(TableSettings const& settings, std::span<Call const> before)
{
  if constexpr (TakesHasher<Family>) {
    if (!settings.hash.is_compiled_in()) { return family_table<ByFormula<Family>>(settings, before); }
  }
  return family_table<Family>(settings, before);
}

/// Null if the family's operations run on one thread, on the host.
template <class Family>
constexpr MakeSharedTable shared_table_maker()
{
  if constexpr (requires { Family::template make_map<Narrow>(std::uint64_t{}); }) {
    return nullptr;
  } else {
    return family_table_by_hash<Family>;
  }
}

}  // namespace slotscape::races
