#include "app/scenes/watch/settings.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

Field<WatchSettings> files_field()
{
  return {"files",
          [](JsonNode const& node, WatchSettings& settings) {
            settings.files.clear();
            for (JsonNode const& each : node.elements()) { settings.files.push_back(path_text(each.file())); }
          },
          [](WatchSettings const& settings, fs::path const& folder) {
            Json json = Json::array();
            for (std::string const& file : settings.files) { json.push_back(relative_name(file, folder)); }
            return json;
          }};
}

Field<WatchSettings> layout_field()
{
  return {"layout",
          [](JsonNode const& node, WatchSettings& settings) {
            if (!node.is_object()) { node.fail("it must be an object: the description of a table"); }
            settings.layout = node.json();
          },
          [](WatchSettings const& settings, fs::path const&) { return settings.layout; }};
}

}  // namespace

template <>
std::span<Setting<WatchSettings> const> settings_of()
{
  using Settings = WatchSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      saved_only_if([](Settings const& shown) { return !shown.files.empty(); },
                    other_setting<Settings>("of a dump, relative to the scenario: a list", files_field())),
      text_setting({.name = "running", .what = "instead, what a running program calls its table"}, &Settings::running),
      saved_only_if([](Settings const& shown) { return !shown.layout.empty(); },
                    other_setting<Settings>("the [description](watching-your-table.md#the-description) of a dump; of a "
                                            "running table, only to replace its own",
                                            layout_field())),
      other_setting<Settings>("colours and layout, as in [`view`](#view), but `zoom` and `center`",
                              object("view", &Settings::view)),
  });
  return settings;
}

template <>
std::span<Setting<WatchSetup> const> settings_of()
{
  static auto const settings = [] {
    std::vector<Setting<WatchSetup>> all;
    add_settings_of_part<WatchSettings>(
        all, [](auto& set_up) -> auto& { return set_up.settings; });
    all.push_back(other_setting<WatchSetup>("`zoom` and `center`, as in [`view`](#view)",
                                            object("camera", &WatchSetup::camera), "the whole table"));
    return all;
  }();
  return settings;
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
    throw Error(tr("{}: it must be an object: the description of a table", path_text(file.filename())));
  }
  return layout;
}

}  // namespace slotscape
