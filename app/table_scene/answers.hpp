#pragma once

#include "app/base/findings.hpp"
#include "app/keys/comparing.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/setup.hpp"
#include "app/table_scene/simulation_work.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace slotscape {

/// Messages about keys: the outcome for typed ones, and which were taken over, lost or refused.
class TableAnswers {
public:
  /// The referenced objects must outlive this.
  TableAnswers(DrivenTables& tables, SimulationWork const& work) : tables_(tables), work_(work) {}

  /// To be called when the tables begin with the steps of this set-up.
  void begin(TableSetup const& set_up);
  /// To be called when the tables have been replaced.
  void restart();
  /// Reports the results of the previous work; to be called before each frame's work.
  void tell();
  /// Reports keys refused by the initial steps. Fills to a load report their own refusals.
  void note_what_was_refused();

  /// Expects an answer to these typed keys.
  void await(OnKeys const& typed) { asked_ = typed; }
  /// Handles the report of a table's action. For the first table, it may be the answer to typed keys.
  void note_report(ActionReport const& report);
  /// Expects keys from a file to arrive in the current tables.
  void await_keys() { keys_come_ = true; }
  /// Expects no more keys from a file.
  void expect_no_keys() { keys_come_ = false; }
  /// Expects keys to move here from other tables. too_wide: number of keys too wide for these tables.
  void await_moved_keys(bool keys_move, std::uint64_t too_wide);
  /// Sets whether the previous tables' contents are lost because they were too large to keep.
  void note_loss(bool is_lost) { is_lost_ = is_lost; }

  void say(std::string text) { answer_ = std::move(text); }
  /// Shows the text, and adds that the previous tables cannot be restored if they were too large to keep.
  void say_with_loss(std::string text) { answer_ = with_loss(std::move(text)); }
  /// Announces that this many keys will be cleared, and whether undo restores them.
  void say_cleared(std::uint64_t keys, bool are_kept);
  /// Drops the current message, and expected messages about arriving keys.
  void forget();

  std::string notice() const;
  Findings findings() const;
  /// Remarks on keys that came from elsewhere, including the keys that the tables began with.
  HandedOver& handed_over() { return handed_over_; }

private:
  void tell_what_was_lost();
  void tell_what_came();
  std::string with_loss(std::string text) const;

  DrivenTables& tables_;
  SimulationWork const& work_;
  std::string answer_;           ///< to the latest typed keys, or another message
  bool is_answer_ = false;       ///< whether the first table's latest report was the answer
  std::optional<OnKeys> asked_;  ///< typed keys that have not been answered yet
  bool is_lost_ = false;
  bool keys_move_ = false;
  std::uint64_t too_wide_ = 0;
  bool keys_come_ = false;
  HandedOver handed_over_;
  bool begins_ = false;             ///< the initial steps may not have ended yet
  bool fills_ = false;              ///< the initial steps include fills to a load
  Findings refused_;                ///< keys of the initial steps that did not fit
  mutable LookAlikes look_alikes_;  ///< between the key files
};

/// A hint about the last typed key, which is not in the table.
std::string hint_at(TableState const& state, Key key);

}  // namespace slotscape
