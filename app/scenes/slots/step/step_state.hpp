#pragma once

#include "app/simulation/action.hpp"
#include "app/step/player.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// An operation to be stepped through, from `position` on.
struct StepRequest {
  OnKey operation;
  std::size_t position = 0;
  friend bool operator==(StepRequest const&, StepRequest const&) = default;
};

/// Step mode. While it is on, the table rests.
struct StepState {
  bool on = false;
  bool captions_on_maps = false;      ///< the maps of several tables have a caption and a player each
  std::optional<StepPlayer> player;   ///< none: the user chooses what to step through
  std::optional<StepRequest> wanted;  ///< opens as soon as the table's work is done
  std::string done;                   ///< what the operation that was just done came to, or empty

  Operation operation = Operation::insert;  ///< chosen
  std::string key_text = "77";              ///< in the field
  std::string value_text = "1";
  bool focus_key_field = false;  ///< with the next frame
  bool key_taken = false;        ///< the text of the key is another than was typed
  bool shows_upcoming = false;   ///< in the list
  double speed = 1.0;            ///< steps a second

  std::optional<std::size_t> framed;  ///< the position that the camera was last brought to
  std::optional<std::size_t> listed;  ///< the position that the list was last scrolled to
  bool jumps = false;                 ///< it is to be there at once
};

/// Why a table with keys of so many bits cannot take these numbers; empty where it can.
std::string why_refused(OnKey const& operation, int key_bits);

/// The operation as the fields have it, or why it is none.
struct TypedOperation {
  OnKey operation;
  std::string complaint;
};
TypedOperation typed_operation(StepState const& steps, int key_bits);

}  // namespace slotscape
