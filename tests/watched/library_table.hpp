#pragma once

#include "app/watch/description_json.hpp"
#include "gpu/library/table.hpp"
#include "gpu/library/watch_table.hpp"
#include "gpu/watch/watched_table.hpp"

#include <memory>
#include <string>
#include <vector>

namespace slotscape::test {

/// A table of the library as viewers see it: by the JSON that it describes itself with, and its memory.
template <class Table>
struct AsWatched {
  explicit AsWatched(Table const& table)
      : json(watch_layout(table).json()),
        description(watch::read_description(json, "the library's")),
        bytes(table.slots() * sizeof(*table.slot_memory())),
        looked(watch::make_watched_table(
            Backend::cpu, "the library's", description,
            std::vector<watch::Array>{{"slots", reinterpret_cast<std::byte const*>(table.slot_memory()), bytes}}))
  {
  }

  std::string json;
  watch::Description description;
  std::uint64_t bytes;
  std::unique_ptr<watch::WatchedTable> looked;
};

}  // namespace slotscape::test
