#include "app/scenes/watch/settings.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> read_files(JsonNode const& node)
{
  std::vector<std::string> files;
  for (JsonNode const& each : node.elements()) { files.push_back(path_text(each.file())); }
  return files;
}

Json files_json(std::vector<std::string> const& files, fs::path const& folder)
{
  if (files.empty()) { return {}; }
  Json json = Json::array();
  for (std::string const& file : files) { json.push_back(relative_name(file, folder)); }
  return json;
}

}  // namespace

template <>
std::span<Field<WatchSetup> const> fields_of()
{
  static auto const fields = std::to_array<Field<WatchSetup>>({
      {"files", [](JsonNode const& node, WatchSetup& set_up) { set_up.settings.files = read_files(node); },
       [](WatchSetup const& set_up, fs::path const& folder) { return files_json(set_up.settings.files, folder); }},
      {"running", [](JsonNode const& node, WatchSetup& set_up) { set_up.settings.running = node.text(); },
       [](WatchSetup const& set_up, fs::path const&) {
         return set_up.settings.running.empty() ? Json() : Json(set_up.settings.running);
       }},
      {"layout",
       [](JsonNode const& node, WatchSetup& set_up) {
         if (!node.is_object()) { node.fail("it must be an object: the description of a table"); }
         set_up.settings.layout = node.json();
       },
       [](WatchSetup const& set_up, fs::path const&) {
         return set_up.settings.layout.empty() ? Json() : set_up.settings.layout;
       }},
      {"view", [](JsonNode const& node, WatchSetup& set_up) { read_fields(node, set_up.settings.view); },
       [](WatchSetup const& set_up, fs::path const& folder) { return object_of_fields(folder, set_up.settings.view); }},
      object("camera", &WatchSetup::camera),
  });
  return fields;
}

fs::path layout_beside(fs::path const& dump)
{
  fs::path beside = dump;
  beside.replace_extension(".layout.json");
  std::error_code unreadable;
  return fs::is_regular_file(beside, unreadable) ? beside : fs::path();
}

Json read_layout(fs::path const& file)
{
  Json layout = parse_json(read_input_file(file), path_text(file.filename()));
  if (!layout.is_object()) {
    throw Error(fmt::format("{}: it must be an object: the description of a table", path_text(file.filename())));
  }
  return layout;
}

}  // namespace slotscape
