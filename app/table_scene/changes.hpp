#pragma once

#include "app/table_scene/answers.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/simulation_work.hpp"
#include "app/table_scene/undo.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// Does what the user asks of the tables: actions, other tables and other keys. Undo goes back to before each.
class TableChanges {
public:
  /// The references outlive it.
  TableChanges(DrivenTables& tables, SimulationWork& work, TableAnswers& answers, TableUndo& undo)
      : tables_(tables), work_(work), answers_(answers), undo_(undo)
  {
  }

  void act(Action const& action);
  /// Throws Error if the tables cannot be made.
  void replace(ReplaceTables const& wanted);
  /// Asks for tables with these keys of a file. Throws Error if they are too wide for a family.
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
  std::optional<KeySettings> opened_;  ///< of a file: the tables that come next get as many as their load allows
};

}  // namespace slotscape
