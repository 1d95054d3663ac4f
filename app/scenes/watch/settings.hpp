#pragma once

#include "app/base/setting.hpp"
#include "app/table_map/settings.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// What the scene looks at.
struct WatchSettings {
  std::vector<std::string> files;  ///< of a dump; texts: `path_of_text` makes paths of them
  std::string running;             ///< what a running program calls its table
  Json layout = Json::object();    ///< the description of a dump; of a running table, only where it replaces that
  std::string layout_name = {};    ///< of the file that it came from, for messages; not saved
  ViewSettings view = {.color_by = ColorBy::probe_length};
  friend bool operator==(WatchSettings const&, WatchSettings const&) = default;
};

struct WatchSetup {
  WatchSettings settings;
  Framing camera = {};
};
template <>
std::span<Setting<WatchSettings> const> settings_of();
template <>
std::span<Setting<WatchSetup> const> settings_of();

/// A file with the description of the dumps beside it: table.layout.json of table.npy. Empty if there is none.
std::filesystem::path layout_beside(std::filesystem::path const& dump);
/// Reads such a file. Throws Error that names it.
Json read_layout(std::filesystem::path const& file);

}  // namespace slotscape
