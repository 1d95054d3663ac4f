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

/// What a scene of tables says of keys: what became of typed ones, and which came, got lost or found no place.
class TableAnswers {
public:
  /// The references outlive it.
  TableAnswers(DrivenTables& tables, SimulationWork const& work) : tables_(tables), work_(work) {}

  /// The tables begin with the steps of this set-up.
  void begin(TableSetup const& set_up);
  /// There are other tables.
  void restart();
  /// Before each frame's work: says what the work before came to.
  void tell();
  /// Of the steps that the tables began with. What a fill to a load draws beyond that says itself.
  void note_what_was_refused();

  /// The answer to these typed keys is still to come.
  void await(OnKeys const& typed) { asked_ = typed; }
  /// What became of an action of a table: for the first one, it may answer typed keys.
  void note_report(ActionReport const& report);
  /// Keys of a file come into the present tables.
  void await_keys() { keys_come_ = true; }
  /// They do not any more.
  void expect_no_keys() { keys_come_ = false; }
  /// Keys move into these tables, from others. too_wide: of them, those that the tables cannot hold.
  void await_moved_keys(bool keys_move, std::uint64_t too_wide);
  /// Whether what the tables before held is lost, because they were too large to be kept.
  void note_loss(bool is_lost) { is_lost_ = is_lost; }

  void say(std::string text) { answer_ = std::move(text); }
  /// The same, and that the tables before do not come back, if they were too large to be kept.
  void say_with_loss(std::string text) { answer_ = with_loss(std::move(text)); }
  /// What was said is over, and so is what was to be said of keys that come.
  void forget();

  std::string notice() const;
  Findings findings() const;
  /// With the keys that the tables began with.
  HandedOver& handed_over() { return handed_over_; }

private:
  void tell_what_was_lost();
  void tell_what_came();
  std::string with_loss(std::string text) const;

  DrivenTables& tables_;
  SimulationWork const& work_;
  std::string answer_;           ///< to the latest typed keys, or what else is to be said
  bool is_answer_ = false;       ///< the latest report of the first table was
  std::optional<OnKeys> asked_;  ///< by typed keys, not answered yet
  bool is_lost_ = false;
  bool keys_move_ = false;
  std::uint64_t too_wide_ = 0;
  bool keys_come_ = false;
  HandedOver handed_over_;
  bool begins_ = false;             ///< the first steps have not been seen to end
  bool fills_ = false;              ///< among them are fills to a load
  Findings refused_;                ///< keys of these that found no place
  mutable LookAlikes look_alikes_;  ///< in the files of the keys
};

/// Of the key that was typed last, and is not in the table.
std::string hint_at(TableState const& state, Key key);

}  // namespace slotscape
