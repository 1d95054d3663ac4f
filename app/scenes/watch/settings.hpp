#pragma once

#include "app/base/setting.hpp"
#include "app/table_map/settings.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// The table to look at.
struct WatchSettings {
  std::vector<std::string> files;  ///< of a dump; as texts, to be converted by `path_of_text`
  std::string running;             ///< name that a running program gives its table
  Json layout = Json::object();    ///< description of a dump; for a running table, only to replace its own
  std::string layout_name = {};    ///< file name of the description, for messages; not saved
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

/// The description file beside a dump: table.layout.json for table.npy. Empty if there is no such file.
std::filesystem::path layout_beside(std::filesystem::path const& dump);
/// Reads a description file. Throws Error that names the file.
Json read_layout(std::filesystem::path const& file);

}  // namespace slotscape
