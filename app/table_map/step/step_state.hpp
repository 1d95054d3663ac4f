#pragma once

#include "app/simulation/action.hpp"
#include "app/table_map/step/player.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// An operation to step through, starting at `position`.
struct StepRequest {
  OnKey operation;
  std::size_t position = 0;
  friend bool operator==(StepRequest const&, StepRequest const&) = default;
};

/// Step mode. While it is on, the table is paused.
struct StepState {
  bool on = false;
  bool captions_on_maps = false;      ///< with several tables: each map has its own caption and player
  std::optional<StepPlayer> player;   ///< empty: the user is choosing an operation
  std::optional<StepRequest> wanted;  ///< opens as soon as the table is idle
  std::string done;                   ///< the outcome of the operation just performed, or empty

  Operation operation = Operation::insert;  ///< chosen
  std::string key_text = "77";              ///< in the field
  std::string value_text = "1";
  bool focus_key_field = false;  ///< in the next frame
  bool key_taken = false;        ///< the key's text was set by a button
  bool shows_upcoming = false;   ///< the list includes the steps still to come
  double speed = 1.0;            ///< steps per second

  std::optional<std::size_t> framed;  ///< the last position the camera moved to
  std::optional<std::size_t> listed;  ///< the last position the list scrolled to
  bool jumps = false;                 ///< the camera jumps instead of flying
};

/// Why a table with `key_bits` refuses this key or value; empty if it accepts them.
std::string why_refused(OnKey const& operation, int key_bits);

/// The operation in the fields, or what is wrong with it.
struct TypedOperation {
  OnKey operation;
  std::string error;
};
TypedOperation typed_operation(StepState const& steps, int key_bits);

}  // namespace slotscape
