#pragma once

#include "app/table_scene/answers.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/simulation_work.hpp"
#include "app/table_scene/undo.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// Performs changes requested by the user: actions, other tables and other keys. Each can be undone.
class TableChanges {
public:
  /// The referenced objects must outlive this.
  TableChanges(DrivenTables& tables, SimulationWork& work, TableAnswers& answers, TableUndo& undo)
      : tables_(tables), work_(work), answers_(answers), undo_(undo)
  {
  }

  void act(Action const& action);
  /// Throws Error if the tables cannot be made.
  void replace(ReplaceTables const& wanted);
  /// Requests tables with the keys of a file. Throws Error if the keys are too wide for a family.
  void open_keys(KeySettings const& keys);
  /// Clears the tables, and repeats their history.
  void restart();
  void cancel();

private:
  void use_keys(SetKeys const& set_keys);
  void show_sign_of(KeySettings const& keys);
  void insert_opened(KeySettings const& keys);
  void ask_for_tables(std::vector<TableSettings> tables);

  DrivenTables& tables_;
  SimulationWork& work_;
  TableAnswers& answers_;
  TableUndo& undo_;
  std::optional<KeySettings> opened_;  ///< from a file: the next tables are filled with them up to their load
};

}  // namespace slotscape
