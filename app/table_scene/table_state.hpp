#pragma once

#include "app/keys/gui.hpp"
#include "app/scene/facts.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/simulation.hpp"
#include "app/simulation/theory_fit.hpp"
#include "app/simulation/throughput.hpp"
#include "app/table_map/map_state.hpp"
#include "app/table_scene/requests.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {

/// Why lookups of absent keys take long, and whether a purge would change that.
struct RoomWarning {
  std::string title;
  std::string text;
  bool purge_helps = false;
  std::size_t table = 0;  ///< of several, the first that this is about
  friend bool operator==(RoomWarning const&, RoomWarning const&) = default;
};

/// One of several tables that are filled together.
struct ComparedSize {
  TableSettings table;
  double load = 0.0;
};

/// A table as it was asked for, and as its family could make it: another family may be able to do more.
struct AskedSettings {
  TableSettings asked;
  TableSettings given;
};

/// What there is to warn of, and what the user has made of it.
struct RoomAdvice {
  RoomWarning warning;     ///< without a title: nothing to warn of
  std::string closed;      ///< its title, if the user has closed it
  bool is_allowed = true;  ///< else, a lesson's task is open, and there are no warnings
};

/// What the simulation says of the way to the present table.
struct RunFacts {
  bool history_complete = true;
  bool keys_used_up = false;             ///< those of a file: inserts bring no more
  std::uint64_t given_keys = 0;          ///< inserted by name, see `GivenKeys`
  std::optional<HomeSpread> homes = {};  ///< of the live keys, where there are neither too few nor too many to count
  bool rehashed = false;                 ///< a rehash, not their insertion, decided where the keys lie
};

/// What is plotted and averaged over time.
struct RunHistory {
  ThroughputCurve throughput;
  RateMeter rates;
  LoadHistory loads;
};

/// How somebody else's table is shown.
struct ForeignFacts {
  int typed_key_bits = 0;    ///< of its keys, as they are typed; 0: as the settings say
  bool hides_homes = false;  ///< because its description does not fit
  bool is_still = false;     ///< nobody changes the table, so that there are no recent changes to see
};

/// What the user is editing in the panels, before it becomes a request.
struct TableEdits {
  std::string seed_text;  ///< in the seed field
  HashField hash_field;
  std::string slots_entry;    ///< in the field for an exact number of slots
  bool load_dragged = false;  ///< the user is dragging the load to hold: the table follows, even while paused
  /// A slot count chosen for a table that holds keys: a popup asks whether to rehash or start over.
  std::optional<std::uint64_t> pending_slots;
};

/// Everything that the panels and the view read and edit. They change settings and add to `requests`; they never call
/// the engine to change a table.
struct TableState : MapState {
  ForeignFacts foreign_facts;
  DeviceFacts device;
  FrameFacts frames;
  double now = 0.0;  ///< seconds since the start
  RunHistory history;
  RunFacts run;
  std::optional<ProgressSnapshot> progress;
  std::string notice;
  RoomAdvice advice;
  AskedSettings asked;
  /// All tables, where there are several: a load to hold is that of the fullest. Empty: this one alone.
  std::vector<ComparedSize> compared = {};
  TypedKeys typed;
  TableEdits edits;
  std::vector<TableRequest> requests;

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
  /// Asks for an action on the table: one of the alternatives of `Action`.
  template <class What>
  void act(What what)
  {
    requests.emplace_back(std::in_place_type<Action>, std::move(what));
  }
};

/// How keys are typed for the state's table, and what their field is for.
KeyForm key_form(TableState const& state);
KeysFieldUse use_of_field(TableState const& state);
/// What the field says, and the operation to do now: `TypedKeys` for the table and the style of this state.
ParsedKeys const& parsed_keys(TableState& state);
std::optional<OnKeys> enter_keys(TableState& state);

/// Whether no empty slot is left in the state's table, and whether tombstones are about to come to that, by its
/// statistics. Only where lookups end at an empty slot.
bool is_without_room(TableState const& state);
bool is_choking(TableState const& state);

/// Where cards may lie on this canvas: below what is said of a wrong text in the field for keys.
Rectangle room_for_cards(TableState const& state, Rectangle const& canvas);

/// What to say of that. tables: "the table", "tables 1 and 3".
RoomWarning room_warning(TableState const& state, std::string_view tables);

/// Says from now on what there is to warn of. One that the user has closed comes back once it was over, or gets worse.
void warn(TableState& state, RoomWarning warning);
/// Whether it is shown.
bool shows_warning(TableState const& state);
void close_warning(TableState& state);

/// The table as it was asked for, unless it has become another one since, as by a rehash.
TableSettings asked_of(TableState const& state);
/// The same of each of these tables.
std::vector<TableSettings> asked_of(std::vector<TableState*> const& tables);
/// Notes what was asked for of the tables that there are now.
void note_asked(std::vector<TableState*> const& tables, std::vector<TableSettings> const& asked);
/// Where these tables had to differ from what was asked for: "Table 2, Quadratic probing, has 16 slots instead of 11:
/// it takes a power of two." Empty if all are, but for a hundredth of their slots.
std::string how_they_differ(std::vector<TableState*> const& tables);

/// Whether the order in which keys come decides how far from home each one is. Means, and what a rehash leaves of them,
/// are the same for any order; p99 and the maximum are not.
bool order_matters(FamilyInfo const& family);
/// Whether a rehash into so many slots, which moves keys in the order of their old ones, as a rule leaves a lower p99
/// and maximum than inserting them does: in large tables with linear probing.
bool rehash_shortens_tails(FamilyInfo const& family, std::uint64_t slots);

/// The theory's predictions for the table in its current state.
TheoryFit theory_fit(TableState const& state);

}  // namespace slotscape
