#pragma once

#include "app/keys/gui.hpp"
#include "app/scene/facts.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/insertion_costs.hpp"
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
  std::size_t table = 0;  ///< with several tables, the first one concerned
  friend bool operator==(RoomWarning const&, RoomWarning const&) = default;
};

/// One of several tables that are filled together, and its load.
struct ComparedSize {
  TableSettings table;
  double load = 0.0;
};

/// The requested settings of a table, and the settings that its family could provide. Another family may support more
/// of the request.
struct AskedSettings {
  TableSettings asked;
  TableSettings given;
};

/// The current warning, and whether the user has closed it.
struct RoomAdvice {
  RoomWarning warning;     ///< the warning; without a title, there is none
  std::string closed;      ///< the title of the warning that the user closed
  bool is_allowed = true;  ///< false while a lesson's task is open: no warnings then
};

/// How the present table was made, as reported by the simulation.
struct RunFacts {
  bool history_complete = true;
  bool keys_used_up = false;             ///< all keys of the file are inserted
  std::uint64_t given_keys = 0;          ///< keys inserted by name, see `GivenKeys`
  std::optional<HomeSpread> homes = {};  ///< of the live keys, unless there are too few or too many to count
  bool rehashed = false;                 ///< a rehash placed the keys, not their insertion
};

/// Quantities plotted or averaged over time.
struct RunHistory {
  ThroughputCurve throughput;
  RateMeter rates;
  LoadHistory loads;
  InsertionCosts costs;  ///< insertion costs of a table that grows by itself
};

/// How a foreign table is shown.
struct ForeignFacts {
  int typed_key_bits = 0;    ///< width of typed keys in bits; 0: as in the settings
  bool hides_homes = false;  ///< homes are hidden because the description does not fit
  bool is_still = false;     ///< the table is constant, so there are no recent changes to show
};

/// The user's edits in the panels, before they become requests.
struct TableEdits {
  std::string seed_text;  ///< text in the seed field
  HashField hash_field;
  std::string slots_entry;    ///< text in the field for an exact number of slots
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
  /// All tables, if there are several: the load to hold refers to the fullest one. Empty: only this table.
  std::vector<ComparedSize> compared = {};
  TypedKeys typed;
  TableEdits edits;
  bool few_settings = false;  ///< see `Frame`
  std::vector<TableRequest> requests;

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
  /// Requests an action on the table: one of the alternatives of `Action`.
  template <class What>
  void act(What what)
  {
    requests.emplace_back(std::in_place_type<Action>, std::move(what));
  }
};

/// How keys are typed for the state's table, and the purpose of their field.
KeyForm key_form(TableState const& state);
KeysFieldUse use_of_field(TableState const& state);
/// The parsed field, and the operation to perform now: `TypedKeys` with this state's table and style.
ParsedKeys const& parsed_keys(TableState& state);
std::optional<OnKeys> enter_keys(TableState& state);

/// Whether the state's table has no empty slot left, and whether tombstones are about to cause that, according to its
/// statistics. Only where lookups end at an empty slot.
bool is_without_room(TableState const& state);
bool is_clogged_by_tombstones(TableState const& state);

/// Where cards may lie on this canvas: below the error message of the key field.
Rectangle room_for_cards(TableState const& state, Rectangle const& canvas);

/// The warning about a lack of empty slots. tables: "the table", "tables 1 and 3".
RoomWarning room_warning(TableState const& state, std::string_view tables);

/// Sets the current warning. A warning that the user closed comes back once it was over or has become worse.
void warn(TableState& state, RoomWarning warning);
/// Whether the warning is shown.
bool shows_warning(TableState const& state);
void close_warning(TableState& state);

/// The requested settings of the table, unless the table has changed since, for example by a rehash.
TableSettings asked_of(TableState const& state);
/// The requested settings of each of these tables.
std::vector<TableSettings> asked_of(std::vector<TableState*> const& tables);
/// Notes the requested settings of the present tables.
void note_asked(std::vector<TableState*> const& tables, std::vector<TableSettings> const& asked);
/// How these tables had to differ from the request: "Table 2, Quadratic probing, has 16 slots instead of 11: it takes a
/// power of two." Empty if none does; a difference of up to a hundredth of the slots does not count.
std::string how_they_differ(std::vector<TableState*> const& tables);

/// Whether the insertion order of keys decides how far from home each one is. The means, and the result of a rehash,
/// are the same for any order; p99 and the maximum are not.
bool order_matters(FamilyInfo const& family);
/// Whether a rehash into this many slots, which moves keys in the order of their old slots, usually leaves a lower p99
/// and maximum than inserting them: true for large tables with linear probing.
bool rehash_shortens_tails(FamilyInfo const& family, std::uint64_t slots);

/// The theory's predictions for the table in its current state.
TheoryFit theory_fit(TableState const& state);

}  // namespace slotscape
