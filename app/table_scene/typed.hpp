#pragma once

#include "app/table_scene/answers.hpp"
#include "app/table_scene/changes.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/simulation_work.hpp"
#include "app/table_scene/undo.hpp"

#include <memory>
#include <optional>
#include <random>
#include <utility>

namespace slotscape {

/// Operations on typed keys: done at once, or stepped through.
class TypedOperations {
public:
  /// The references outlive it.
  TypedOperations(DrivenTables& tables, SimulationWork& work, TableAnswers& answers, TableUndo& undo,
                  TableChanges& changes)
      : tables_(tables), work_(work), answers_(answers), undo_(undo), changes_(changes)
  {
  }

  void perform(OnKeys const& on_keys);
  /// Step mode: through what was typed last, if that is new; else the user is to choose.
  void step_through_field();
  void look_up_by_hand(Key key);
  /// The key Enter outside of the field.
  void enter();
  /// Types a key from this source.
  void take_key(KeySource source);
  /// Does what was stepped through.
  void do_steps();
  /// Where the request for the steps wants it: performs the operation once its end is shown, and undoes it where the
  /// user goes back from there.
  void perform_shown();
  /// Goes back to the end of the operation that was performed before, which is undone.
  void walk_back();
  /// bare: nothing can be clicked, as in a lecture, where an audience is to read what came of an operation.
  void set_bare(bool bare) { is_bare_ = bare; }
  /// The key that was looked up by hand, if nothing was done since.
  std::optional<OnKey> looked_up() const;

private:
  /// The first of the keys now, the others after it.
  void step_through(OnKeys const& on_keys);

  DrivenTables& tables_;
  SimulationWork& work_;
  TableAnswers& answers_;
  TableUndo& undo_;
  TableChanges& changes_;
  std::optional<std::pair<OnKey, std::size_t>> looked_up_;       ///< by hand, after so many entries of the history
  std::shared_ptr<Simulation::Image const> before_shown_steps_;  ///< while their operation is performed
  bool is_bare_ = false;
  std::mt19937_64 random_;  ///< for keys to step through
};

}  // namespace slotscape
