#pragma once

#include "app/keys/gui.hpp"
#include "app/scene/facts.hpp"
#include "app/simulation/simulation.hpp"
#include "app/simulation/theory_fit.hpp"
#include "app/simulation/throughput.hpp"
#include "app/table_map/settings.hpp"
#include "app/table_map/step/step_state.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {

/// Requests from the user to the scene, other than actions on its table.
struct NewTable {
  TableSettings table;
  std::uint64_t seed;
  bool keeps_keys = false;                   ///< it gets the keys of the present table; else it is empty
  std::vector<TableSettings> compared = {};  ///< all of them, if several are compared; empty: those there are
  std::vector<TableSettings> asked = {};     ///< as `fitted` found them; empty: as before where that has not changed
};
struct Restart {};
struct Undo {};
struct Redo {};
struct CancelWork {};
struct LookUp {  ///< find a key, show its probe path and fly to it
  Key key;
};
struct ChooseKeyFile {};
/// Of the file with the keys.
struct ChooseKeyColumn {
  std::string name;
};
struct ErrorMessage {  ///< shown to the user
  std::string text;
};
/// The source of a key to step through.
enum class KeySource : std::uint8_t { fresh, live, pinned };
struct TakeKey {
  KeySource source;
};
struct EnterSteps {  ///< step mode, with this operation if given
  std::optional<StepRequest> request;
};
struct LeaveSteps {};
struct DoSteps {};  ///< perform the operation that was stepped through
/// An operation on the keys in the field: it is done or, in step mode, stepped through key by key.
struct OnTyped {
  OnKeys on_keys;
};
using TableRequest = std::variant<Action, NewTable, Restart, Undo, Redo, CancelWork, LookUp, ChooseKeyFile,
                                  ChooseKeyColumn, ErrorMessage, TakeKey, EnterSteps, LeaveSteps, DoSteps, OnTyped>;

/// A key that was looked up, and the path of the lookup.
struct Lookup {
  Key key;
  ProbePath path;
  std::string wide_key = {};         ///< of 16 bytes: its digits
  std::optional<Slot> lies_in = {};  ///< of a key that is in the table, but not where it is looked for
};

/// What is selected on the map.
struct Selection {
  std::optional<Slot> pinned;
  std::optional<Lookup> lookup;
};

struct SlotDetail {
  SlotInfo slot;
  Cluster cluster;
  std::string wide_key = {};          ///< of 16 bytes, of which `slot` has the hash: its digits
  std::optional<Slot> found_in = {};  ///< of a second copy of a key, in somebody else's table: where lookups find it
};

/// A slot whose content is shown as text in its cell.
struct WrittenSlot {
  SlotInfo slot;
  std::uint64_t cluster_length;  ///< 0 unless the map shows cluster lengths
};

/// What cells must have room for: the largest numbers that slots hold, and the longest name of a measure.
struct WidestCell {
  SlotInfo slot{};
  std::string_view measure = {};
};

/// Slots read individually for this frame.
struct Inspected {
  std::vector<WrittenSlot> written;
  std::optional<SlotDetail> hovered;
  std::optional<SlotDetail> pinned;
  std::optional<Slot> landing;  ///< where the key that is being dragged would look first
  WidestCell widest;            ///< of all tables shown, whose cells have the same lines
};

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
struct AskedTable {
  TableSettings asked;
  TableSettings given;
};

/// Everything that the panels and the view read and edit. They change settings and add to `requests`; they never call
/// the engine to change a table.
struct TableState {
  TableSceneSettings settings;
  /// What is known of a table that is somebody else's, and is looked at only; null: it is of a family.
  FamilyInfo const* foreign = nullptr;
  int typed_key_bits = 0;    ///< of a foreign table's keys, as they are typed; 0: as the settings say
  bool hides_homes = false;  ///< of somebody's table, because its description does not fit
  bool is_still = false;     ///< nobody changes the table, so that there are no recent changes to see
  DeviceFacts device;
  Statistics statistics;
  std::optional<ShardReport> shards;  ///< of a sharded table
  FrameFacts frames;
  double now = 0.0;  ///< seconds since the start
  ThroughputCurve throughput;
  RateMeter rates;
  LoadHistory loads;
  std::optional<ProgressSnapshot> progress;
  std::string notice;
  bool history_complete = true;
  bool keys_used_up = false;             ///< those of a file: inserts bring no more
  std::uint64_t given_keys = 0;          ///< inserted by name, see `GivenKeys`
  std::optional<HomeSpread> homes = {};  ///< of the live keys, where there are neither too few nor too many to count
  bool rehashed = false;                 ///< a rehash, not their insertion, decided where the keys lie
  RoomWarning room_warning;              ///< without a title: nothing to warn of
  std::string closed_warning;            ///< its title, if the user has closed it
  bool may_advise = true;                ///< else, a lesson's task is open, and there are no warnings
  /// Where the cells of a row or a ring would be smaller, in pixels, a small table is laid out in lines if that helps.
  float min_cell = 0.0f;
  AskedTable asked;
  Selection selection;
  TypedKeys typed;
  StepState steps;
  Inspected inspected;
  std::vector<TableRequest> requests;
  /// All tables, where there are several: a load to hold is that of the fullest. Empty: this one alone.
  std::vector<ComparedSize> compared = {};
  std::string seed_text;      ///< in the seed field
  std::string slots_entry;    ///< in the field for an exact number of slots
  bool load_dragged = false;  ///< the user is dragging the load to hold: the table follows, even while paused
  /// A slot count chosen for a table that holds keys: a popup asks whether to rehash or start over.
  std::optional<std::uint64_t> pending_slots;

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

/// The family of the state's table, or what is known of a foreign one.
FamilyInfo const& family_of(TableState const& state);
/// What is written in cells: of sets, no values.
ViewSettings view_of(TableState const& state);
Guarantees guarantees_of(TableState const& state);
/// Whether a slot without a key that is not empty is taken for a key that is on its way there, in the middle of an
/// operation: a family that moves keys and leaves no tombstones has no other ones.
bool reserves(TableState const& state);
/// Whether this is such a slot.
bool is_reserved(TableState const& state, SlotInfo const& slot);

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
/// Notes what was asked for of the tables that there are now.
void note_asked(std::vector<TableState*> const& tables, std::vector<TableSettings> const& asked);
/// Where these tables had to differ from what was asked for: "Table 2, Quadratic probing, has 16 slots instead of 11:
/// it takes a power of two." Empty if all are, but for a hundredth of their slots.
std::string how_they_differ(std::vector<TableState*> const& tables);

/// Requests a table with other settings, or what comes nearest to them (`fitted`), which keeps the keys of the present
/// one. A load to hold is lowered to what is safe in the new table.
void ask_for_table(TableState& state, TableSettings const& table, std::vector<TableSettings> compared = {});
/// Requests a table with other keys: those of another seed, filled to the current or held load unless it is empty.
void ask_for_seed(TableState& state, std::uint64_t seed);
/// The same with the typed seed; requests an error message if it is invalid.
void ask_for_typed_seed(TableState& state);
/// Requests a number of slots. If the table holds keys, a popup asks what to do with them.
void ask_for_slots(TableState& state, std::uint64_t slots);
/// The same with what was typed (`typed_slots`); if the family does not support it, requests an error message that
/// suggests others.
void ask_for_typed_slots(TableState& state);
/// The number of slots in "65536" or "2^16"; for "50,000 keys" as many as hold them at the load to hold, or at the safe
/// load; for "12 bytes a key" as many as the present keys take then. The latter two are rounded to what the family
/// takes. Throws Error if it is none of these.
std::uint64_t typed_slots(TableState const& state, std::string_view text);
/// A number of slots, and the load that the live keys have in it.
struct SlotsForLoad {
  std::uint64_t slots;
  double load;
  /// What a rehash of the first of several tables into `slots` makes of each of them. Empty: there are no others.
  std::vector<ComparedSize> all = {};
};
/// With which the live keys have the load to hold, where the keys of a file are used up below it: as few slots as reach
/// it or, if the family takes no such number, the fewest that hold them. None: the load is reached, or is not held.
std::optional<SlotsForLoad> slots_for_held_load(TableState const& state);
/// Whether they are worth an offer: they change something, and every one of several tables can hold the keys.
bool can_be_offered(TableState const& state, SlotsForLoad const& found);
/// The same in a sentence; empty if there is none.
std::string advice_on_held_load(TableState const& state);
/// A rehash into this number of slots, or into a nearby number that the family supports.
Rehash rehash_to(TableState const& state, std::uint64_t slots);

/// The batch for one press of Insert, Find or Erase.
BatchRequest press_of(Operation operation, DriveSettings const& drive);
/// Steers the table to the load to hold, without running the mix.
DriveSettings steering_alone(DriveSettings drive);
/// One batch of the mix.
BatchRequest single_batch(DriveSettings const& drive);

/// Whether the order in which keys come decides how far from home each one is. Means, and what a rehash leaves of them,
/// are the same for any order; p99 and the maximum are not.
bool order_matters(FamilyInfo const& family);
/// Whether a rehash into so many slots, which moves keys in the order of their old ones, as a rule leaves a lower p99
/// and maximum than inserting them does: in large tables with linear probing.
bool rehash_shortens_tails(FamilyInfo const& family, std::uint64_t slots);

/// The theory's predictions for the table in its current state.
TheoryFit theory_fit(TableState const& state);

/// The position of a value on the colour scale, 0 to 1.
double scale_share(TableState const& state, double value);
/// The end of the colour scale: as set, or a power of two no smaller than the table's maximum.
double scale_end(TableState const& state);

}  // namespace slotscape
