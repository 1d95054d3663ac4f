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

/// A table to look at for the first time: in files that are to be opened, or in memory that stays until that is done.
struct FirstLook {
  std::string name;
  std::optional<watch::Dump> dump = std::nullopt;
  std::string described = {};  ///< the text of the description; of a dump, the one that is known
  watch::Description description = {};
  std::vector<watch::Array> arrays = {};
  Backend backend = Backend::cpu;
  bool checks = true;        ///< looks for keys where the description says
  bool hides_homes = false;  ///< what an earlier check of the same description came to
};

/// What was found.
struct FirstLooked {
  std::unique_ptr<watch::Source> source;  ///< of a dump
  std::string described;
  watch::Description description;
  std::unique_ptr<watch::WatchedTable> table;  ///< counted, so that frames have only to draw it
  std::optional<watch::Check> check;
  bool hides_homes = false;  ///< homes by this description mean nothing
  watch::WatchedTable::KeyFacts facts;
};

/// Reads all of the table, once or twice. Throws Error if it cannot be opened, or its description cannot be true, and
/// Cancelled.
FirstLooked look_first(FirstLook const& look, Progress const& progress);

/// The description by which the table is shown.
watch::Description shown_description(watch::Description description, bool hides_homes);
/// What the words of the table are called, and how they are written.
ViewSettings with_words_of(watch::Description const& table, ViewSettings view);
/// The same as it is saved: which words a table has, it says itself.
ViewSettings without_words(ViewSettings view);

}  // namespace slotscape
