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

/// Operations on typed keys: performed at once, or stepped through.
class TypedOperations {
public:
  /// The references must outlive this object.
  TypedOperations(DrivenTables& tables, SimulationWork& work, TableAnswers& answers, TableUndo& undo,
                  TableChanges& changes)
      : tables_(tables), work_(work), answers_(answers), undo_(undo), changes_(changes)
  {
  }

  void perform(OnKeys const& on_keys);
  /// Enters step mode with the last typed keys if they are new; else the user chooses.
  void step_through_field();
  void look_up_by_hand(Key key);
  /// Handles the Enter key outside the field.
  void enter();
  /// Puts a key from this source into the field.
  void take_key(KeySource source);
  /// Performs the operation that was stepped through.
  void do_steps();
  /// If the step request says so: performs the operation once its end is shown, and undoes it if the user steps back
  /// from there.
  void follow_shown_step();
  /// Undoes the previously performed operation and shows its last step.
  void walk_back();
  /// bare: nothing can be clicked, as in a lecture, where the audience is to read the outcome of an operation.
  void set_bare(bool bare) { is_bare_ = bare; }
  /// The key last looked up by hand; nullopt if anything was done since.
  std::optional<OnKey> looked_up() const;

private:
  /// Steps through the first key now and the others after it.
  void step_through(OnKeys const& on_keys);

  DrivenTables& tables_;
  SimulationWork& work_;
  TableAnswers& answers_;
  TableUndo& undo_;
  TableChanges& changes_;
  std::optional<std::pair<OnKey, std::size_t>> looked_up_;       ///< by hand, with the history's length at that time
  std::shared_ptr<Simulation::Image const> before_shown_steps_;  ///< while the operation shown is performed
  bool is_bare_ = false;
  std::mt19937_64 random_;  ///< for keys to step through
};

}  // namespace slotscape
