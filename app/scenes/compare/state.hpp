#pragma once

#include "app/table_map/step/player.hpp"
#include "app/table_scene/compared.hpp"
#include "app/table_scene/table_state.hpp"

#include <imgui.h>

#include <string>
#include <vector>

namespace slotscape {

/// Tables to compare, starting with `first`: the other tables of `before` that differ from it, or else one with another
/// family, deletion mode or hash. Settings that they shared with the first table of `before`, such as the hash, they
/// now share with `first`, as well as the number of slots requested (`fitted` adapts it to each family).
std::vector<TableSettings> compared_with(TableSettings const& first, std::vector<TableSettings> const& before);

/// Settings for another table: a variation of `like` that is not in `tables` yet.
TableSettings another_table(TableSettings const& like, std::vector<TableSettings> const& tables);

/// One of the compared tables, with the state of its map and its numbers.
struct ComparedTable {
  TableState slots;
  std::uint64_t live = 0;          ///< current, while the statistics of a large table can be a few frames old
  double load_factor = 0.0;        ///< load factor of the live keys
  std::uint64_t refused = 0;       ///< insertions that found no slot since the table was empty
  std::uint64_t memory_bytes = 0;  ///< bytes of device memory
};

/// Everything that the panels and the views read and edit.
struct CompareState {
  /// Keys, seed, drive, view, requests and progress of all tables; its statistics combine their maxima.
  TableState shared;
  std::vector<ComparedTable> tables;
  RunKind throughput_of = RunKind::find;  ///< operation shown in the throughput plot
};

std::vector<TableSettings> settings_of(std::vector<ComparedTable> const& tables);
/// The requested settings of the tables: the basis for adding, changing and removing tables.
std::vector<TableSettings> asked_of(std::vector<ComparedTable> const& tables);

/// A warning about the tables without an empty slot: "No empty slot is left in tables 1 and 3". If there are none,
/// about those that tombstones are about to fill.
RoomWarning room_warning_of(std::vector<ComparedTable> const& tables);

/// The players of all tables while they step through an operation; otherwise empty.
StepGroup players_of(CompareState& state);

/// A table's colour throughout the scene.
ImU32 table_color(std::size_t table);

/// A warning if this key stream does not have its intended effect in all tables, which get the same keys; otherwise
/// empty.
std::string homes_that_differ(KeyDistribution distribution, std::vector<TableSettings> const& tables);

/// The statistics of the first table, but with the maxima over all tables.
Statistics extremes_of(std::vector<ComparedTable> const& tables);

}  // namespace slotscape
