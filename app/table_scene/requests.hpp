#pragma once

#include "app/keys/gui.hpp"
#include "app/simulation/action.hpp"
#include "app/table_map/step/step_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slotscape {

/// Requests from the user to the scene, other than actions on its table.
struct ReplaceTables {
  TableSettings table;
  std::uint64_t seed;
  bool keeps_keys = false;                   ///< whether it gets the keys of the present table; else it starts empty
  std::vector<TableSettings> compared = {};  ///< all compared tables; empty: the present ones
  std::vector<TableSettings> asked = {};  ///< the requested settings, before `fitted`; empty: as before where unchanged
};
struct Restart {};
struct Undo {};
struct Redo {};
struct CancelWork {};
struct LookUp {  ///< find a key, show its probe path and fly to it
  Key key;
};
struct ChooseKeyFile {};
/// Chooses a column of the key file.
struct ChooseKeyColumn {
  std::string name;
};
struct ErrorMessage {  ///< an error shown to the user
  std::string text;
};
/// The source of a key to step through.
enum class KeySource : std::uint8_t { fresh, live, pinned };
struct TakeKey {
  KeySource source;
};
struct EnterSteps {  ///< enters step mode, with this operation if one is given
  std::optional<StepRequest> request;
};
struct LeaveSteps {};
struct DoSteps {};  ///< perform the operation that was stepped through
/// An operation on the keys in the field: performed or, in step mode, stepped through key by key.
struct OnTyped {
  OnKeys on_keys;
};
using TableRequest = std::variant<Action, ReplaceTables, Restart, Undo, Redo, CancelWork, LookUp, ChooseKeyFile,
                                  ChooseKeyColumn, ErrorMessage, TakeKey, EnterSteps, LeaveSteps, DoSteps, OnTyped>;

}  // namespace slotscape
