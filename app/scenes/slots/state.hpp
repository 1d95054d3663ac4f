#pragma once

#include "app/families/theory_fit.hpp"
#include "app/scenes/facts.hpp"
#include "app/scenes/slots/settings.hpp"
#include "app/scenes/slots/step/step_state.hpp"
#include "app/simulation/load_history.hpp"
#include "app/simulation/simulation.hpp"
#include "app/simulation/throughput.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {

/// What the user asked of the scene, besides an action on its table.
struct NewTable {
  TableSettings table;
  std::uint64_t seed;
};
struct Restart {};
struct CancelWork {};
struct LookUp {  ///< find a key, show its probe path and fly there
  Key key;
};
struct ChooseKeyFile {};
struct Complaint {  ///< the user is to be told that something was refused
  std::string text;
};
/// Where a key to step through comes from.
enum class KeySource : std::uint8_t { fresh, live, pinned };
struct TakeKey {
  KeySource source;
};
struct EnterSteps {  ///< step mode, with this operation where there is one
  std::optional<StepRequest> request;
};
struct LeaveSteps {};
struct DoSteps {};  ///< really do the operation that was stepped through
using Ask = std::variant<Action, NewTable, Restart, CancelWork, LookUp, ChooseKeyFile, Complaint, TakeKey, EnterSteps,
                         LeaveSteps, DoSteps>;

/// A key that was looked up, and the way that the lookup took.
struct Lookup {
  Key key;
  ProbePath path;
};

/// What is selected on the map.
struct Selection {
  std::optional<Slot> pinned;
  std::optional<Lookup> lookup;
  std::string key_text;          ///< in the field
  bool focus_key_field = false;  ///< with the next frame
};

struct SlotDetail {
  SlotInfo slot;
  Cluster cluster;
};

/// A slot whose content is written into its cell.
struct WrittenSlot {
  SlotInfo slot;
  std::uint64_t cluster_length;  ///< 0 where the map does not show cluster lengths
};

/// Slots read one by one, for the frame to be drawn.
struct Inspected {
  std::vector<WrittenSlot> written;
  std::optional<SlotDetail> hovered;
  std::optional<SlotDetail> pinned;
};

/// Everything that the panels and the view read and edit. They change settings and add to `asks`; they never call the
/// engine for the work itself.
struct SlotsState {
  SlotsSettings settings;
  DeviceFacts device;
  Statistics statistics;
  FrameFacts frames;
  double now = 0.0;  ///< seconds since the start
  ThroughputCurve throughput;
  RateMeter rates;
  LoadHistory loads;
  std::optional<Progress> progress;
  std::string notice;
  bool history_complete = true;
  Selection selection;
  StepState steps;
  Inspected inspected;
  std::vector<Ask> asks;
  std::string seed_text;      ///< in the field
  std::string slots_entry;    ///< in the field for an exact number
  bool load_dragged = false;  ///< the slider of the load to hold is being moved: the table follows, paused or not
  /// Slots that the user chose while there are keys in the table: rehash, or start anew? Asked in a popup.
  std::optional<std::uint64_t> slots_in_question;

  template <class What>
  void ask(What what)
  {
    asks.emplace_back(std::move(what));
  }
  /// Asks for an action on the table: one of the alternatives of `Action`.
  template <class What>
  void act(What what)
  {
    asks.emplace_back(std::in_place_type<Action>, std::move(what));
  }
};

/// What the table's family says of itself.
FamilyInfo const& family_of(SlotsState const& state);
Guarantees guarantees_of(SlotsState const& state);

/// Asks for a table of other settings or another seed, filled again to the load that the present one has or is to hold,
/// up to what is safe in the new one.
void ask_for_refilled(SlotsState& state, TableSettings const& table, std::uint64_t seed);
/// The same with the seed in the field; a complaint where that is none.
void ask_for_typed_seed(SlotsState& state);
/// Asks for so many slots: of a table that holds keys, only after asking what is to become of them.
void ask_for_slots(SlotsState& state, std::uint64_t slots);
/// The same with the number in the field; a complaint where the family cannot have so many, and what would do.
void ask_for_typed_slots(SlotsState& state);
/// A rehash into this number of slots, or into one near it where the family needs that.
Rehash rehash_to(SlotsState const& state, std::uint64_t slots);

/// One press of insert, find or erase, as the settings have it.
BatchRequest press_of(Operation operation, DriveSettings const& drive);
/// Drives the table to the load to hold, without operations of the mix.
DriveSettings steering_alone(DriveSettings drive);
/// One batch of the mix.
BatchRequest single_batch(DriveSettings const& drive);

/// What theory says of the table as it is.
TheoryFit theory_fit(SlotsState const& state);

/// Where a value is on the colour scale, 0 to 1.
double scale_share(SlotsState const& state, double value);
/// The end of the colour scale: as set, or a power of two that holds the table's longest.
double scale_end(SlotsState const& state);

}  // namespace slotscape
