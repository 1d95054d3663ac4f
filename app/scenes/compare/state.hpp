#pragma once

#include "app/scenes/compare/settings.hpp"
#include "app/scenes/slots/state.hpp"
#include "app/step/group.hpp"

#include <imgui.h>

namespace slotscape {

/// One of the compared tables: what its map and its numbers show.
struct ComparedTable {
  SlotsState slots;
  std::uint64_t live = 0;          ///< keys now; the statistics of a large table can be some frames old
  double load_factor = 0.0;        ///< of these keys
  std::uint64_t refused = 0;       ///< inserts that found no place since it was empty
  std::uint64_t memory_bytes = 0;  ///< that the table takes on its device
};

/// Everything that the panels and the views read and edit.
struct CompareState {
  SlotsState shared;  ///< keys, seed, drive, view, asks and progress of all; its statistics are those of the extremes
  std::vector<ComparedTable> tables;
  std::optional<std::vector<TableSettings>> wanted_tables;  ///< asked for; they are made anew and filled again
  RunKind throughput_of = RunKind::find;                    ///< what the plot of throughput shows
};

std::vector<TableSettings> settings_of(std::vector<ComparedTable> const& tables);

/// Those of the tables that step through an operation: of all, or of none.
StepGroup players_of(CompareState& state);

/// The colour of a table wherever it is shown: Okabe and Ito's, which the colour-blind tell apart, for a dark ground.
ImU32 table_color(std::size_t table);

/// The family of a table, as people call it.
std::string title_of(TableSettings const& table);
/// The settings in which a table differs from another of them that has these settings too: "tombstones reused".
/// Empty where there are none.
std::string distinction_of(std::size_t table, std::vector<TableSettings> const& tables);

/// Where keys of this stream lie otherwise than it says in some of the tables, which all get the same; empty where they
/// do not.
std::string homes_that_differ(KeyDistribution distribution, std::vector<TableSettings> const& tables);

/// Statistics of which every maximum is the largest of the tables', and all else that of the first.
Statistics extremes_of(std::vector<ComparedTable> const& tables);

}  // namespace slotscape
