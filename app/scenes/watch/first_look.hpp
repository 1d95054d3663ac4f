#pragma once

#include "app/table_map/settings.hpp"
#include "app/watch/dump.hpp"
#include "gpu/watch/source.hpp"
#include "gpu/watch/watched_table.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// A table to inspect for the first time: in files yet to be opened, or in memory that must stay valid meanwhile.
struct FirstLook {
  std::string name;
  std::optional<watch::Dump> dump = std::nullopt;
  std::string described = {};  ///< the description's text; for a dump, if known
  watch::Description description = {};
  std::vector<watch::Array> arrays = {};
  Backend backend = Backend::cpu;
  bool checks = true;        ///< verifies that keys are where the description says
  bool hides_homes = false;  ///< result of an earlier check of the same description
};

/// The results of the inspection.
struct FirstLooked {
  std::unique_ptr<watch::Source> source;  ///< for a dump
  std::string described;
  watch::Description description;
  std::unique_ptr<watch::WatchedTable> table;  ///< already counted, so that frames only draw it
  std::optional<watch::Check> check;
  bool hides_homes = false;  ///< the homes by this description are wrong
  watch::WatchedTable::KeyFacts facts;
};

/// Reads the whole table, once or twice. Throws Error if it cannot be opened or its description is impossible, or
/// Cancelled.
FirstLooked look_first(FirstLook const& look, Progress const& progress);

/// The description used to show the table.
watch::Description shown_description(watch::Description description, bool hides_homes);
/// Sets the names and the formats of the table's words.
ViewSettings with_words_of(watch::Description const& table, ViewSettings view);
/// Removes the names and formats for saving, because the table itself specifies its words.
ViewSettings without_words(ViewSettings view);

}  // namespace slotscape
