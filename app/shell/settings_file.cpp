#include "app/shell/settings_file.hpp"

#include "app/base/encoding.hpp"
#include "app/base/field_error.hpp"
#include "app/base/files.hpp"
#include "app/base/json_edit.hpp"
#include "app/base/replaced_file.hpp"
#include "app/cli/command_line.hpp"
#include "app/languages/languages.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr int settings_version = 1;
constexpr double largest_ui_scale = 8.0;

Field<UserSettings> panel(std::string_view name, bool Panels::*shown)
{
  return {name, [=](JsonNode const& node, UserSettings& settings) { settings.panels.*shown = node.flag(); },
          [=](UserSettings const& settings, fs::path const&) -> Json { return settings.panels.*shown; }};
}

/// The width of a side panel, at scale 1.
Field<UserSettings> panel_width(std::string_view name, float SideWidths::*width)
{
  return {name,
          [=](JsonNode const& node, UserSettings& settings) {
            settings.panels.widths.*width =
                static_cast<float>(node.number(min_side_widths.*width, max_side_widths.*width));
          },
          [=](UserSettings const& settings, fs::path const&) -> Json { return settings.panels.widths.*width; }};
}

std::span<Field<UserSettings> const> window_fields()
{
  static auto const fields = std::to_array<Field<UserSettings>>({
      whole_number("width", &UserSettings::window_width, smallest_window.width, largest_window.width),
      whole_number("height", &UserSettings::window_height, smallest_window.height, largest_window.height),
  });
  return fields;
}

std::span<Field<UserSettings> const> panel_fields()
{
  static auto const fields = std::to_array<Field<UserSettings>>({
      panel("controls", &Panels::controls),
      panel("statistics", &Panels::numbers),
      panel("plots", &Panels::plots),
      panel("inspector", &Panels::slot_card),
      panel("all_settings", &Panels::all_settings),
      panel_width("left_width", &SideWidths::left),
      panel_width("right_width", &SideWidths::right),
      panel_width("lecture_width", &SideWidths::lecture),
      flag("keys_help", &UserSettings::key_list),
  });
  return fields;
}

/// A group of settings as an object.
Field<UserSettings> part(std::string_view name, std::span<Field<UserSettings> const> (*fields)())
{
  return {name, [=](JsonNode const& node, UserSettings& settings) { read_object(node, fields(), settings); },
          [=](UserSettings const& settings, fs::path const& folder) {
            Json json;
            write_fields(json, folder, fields(), settings);
            return json;
          }};
}

/// Any error is attributed to the object at `path`.
SceneSetup read_set_up(SceneEntry const& scene, JsonNode const& node, std::string const& path)
{
  try {
    return scene.read(node);
  } catch (FieldError const&) {
    throw;
  } catch (std::exception const& error) {
    throw FieldError(error.what(), path);
  }
}

Field<UserSettings> set_up_field(SceneEntry const& scene)
{
  return {scene.name,
          [&](JsonNode const& node, UserSettings& settings) {
            settings.set_ups[std::string(scene.name)] = read_set_up(scene, node, std::string(scene.name));
          },
          [&](UserSettings const& settings, fs::path const& folder) {
            auto const found = settings.set_ups.find(scene.name);
            return found == settings.set_ups.end() ? Json() : scene.write(found->second, folder);
          }};
}

Field<UserSettings> lessons_field()
{
  return {"lessons",
          [](JsonNode const& node, UserSettings& settings) {
            settings.lessons.clear();
            for (JsonNode const& each : node.elements()) { read_fields(each, settings.lessons.emplace_back()); }
          },
          [](UserSettings const& settings, fs::path const& folder) {
            Json list = Json::array();
            for (lessons::Progress const& each : settings.lessons) { list.push_back(object_of_fields(folder, each)); }
            return settings.lessons.empty() ? Json() : list;
          }};
}

Field<UserSettings> recent_field()
{
  return {"recent",
          [](JsonNode const& node, UserSettings& settings) {
            settings.recent.clear();
            for (JsonNode const& each : node.elements()) { settings.recent.push_back(each.text()); }
          },
          [](UserSettings const& settings, fs::path const&) {
            return settings.recent.empty() ? Json() : Json(settings.recent);
          }};
}

Field<UserSettings> language_field()
{
  return {"language",
          [](JsonNode const& node, UserSettings& settings) {
            std::string const code = node.text();
            if (!is_language(code)) { node.fail(tr("there is no language '{}'", code)); }
            settings.language = code;
          },
          [](UserSettings const& settings, fs::path const&) {
            return settings.language.empty() ? Json() : Json(settings.language);
          }};
}

std::vector<Field<UserSettings>> own_fields(SceneList scenes)
{
  std::vector<std::string_view> names;
  for (SceneEntry const& scene : scenes) { names.push_back(scene.name); }
  return {
      number("ui_scale", &UserSettings::ui_scale, 0.0, largest_ui_scale),
      choice("theme", &UserSettings::theme, "theme"),
      language_field(),
      flag("desktop_file_dialog", &UserSettings::desktop_file_dialog),
      part("window", window_fields),
      part("panels", panel_fields),
      lessons_field(),
      flag("gallery", &UserSettings::gallery),
      recent_field(),
      {"scene",
       [names](JsonNode const& node, UserSettings& settings) { settings.scene = names[node.one_of(names, "scene")]; },
       [](UserSettings const& settings, fs::path const&) {
         return settings.scene.empty() ? Json() : Json(settings.scene);
       }},
  };
}

/// The fields of the program, and of each scene whose set-up is an object.
std::vector<Field<UserSettings>> settings_fields(SceneList scenes)
{
  std::vector<Field<UserSettings>> fields = own_fields(scenes);
  for (SceneEntry const& scene : scenes) {
    if (!scene.settings_at_root) { fields.push_back(set_up_field(scene)); }
  }
  return fields;
}

/// Throws FieldError at the first value that cannot be used.
UserSettings read_all(Json document, std::shared_ptr<JsonSource> const& source, SceneList scenes)
{
  JsonNode const root(document, source);
  UserSettings settings;
  auto const fields = settings_fields(scenes);
  read_known_fields<UserSettings>(root, fields, settings);
  document.erase("version");
  for (Field<UserSettings> const& field : fields) { document.erase(std::string(field.name)); }
  for (SceneEntry const& scene : scenes) {
    if (!scene.settings_at_root) { continue; }
    SceneSetup set_up = read_set_up(scene, root, "");  // throws Error if a field is unknown
    if (!document.empty()) { settings.set_ups[std::string(scene.name)] = std::move(set_up); }
  }
  return settings;
}

/// Removes a value from the settings. A value of a scene that is not an object cannot be removed alone, so all fields
/// of that scene go.
bool drop(Json& document, std::string const& path, SceneList scenes)
{
  if (erase_at(document, path)) { return true; }
  std::size_t const before = document.size();
  Json kept;
  kept["version"] = document.at("version");
  for (Field<UserSettings> const& field : settings_fields(scenes)) {
    auto const found = document.find(std::string(field.name));
    if (found != document.end()) { kept[std::string(field.name)] = *found; }
  }
  document = std::move(kept);
  return document.size() < before;
}

/// Reads as much as possible: an invalid value is reported and replaced by its default.
UserSettings read_settings(Json document, fs::path const& file, SceneList scenes, std::vector<std::string>& messages)
{
  auto const source = std::make_shared<JsonSource>(JsonSource{.name = path_text(file), .folder = file.parent_path()});
  source->reach = Reach::anywhere;  // written by the program itself
  JsonNode const root(document, source);
  if (!root.is_object()) { root.expect_fields({}); }
  root.at("version").whole_number(settings_version, settings_version);
  std::vector<std::string> lost;
  while (true) {
    std::vector<std::string> missing_files;
    source->losses = &missing_files;
    try {
      UserSettings settings = read_all(document, source, scenes);
      messages = std::move(missing_files);
      if (lost.empty()) { return settings; }
      messages.push_back(
          tr_plural("A setting could not be read and was reset to its default; the others are unchanged.\n{}",
                    "Some settings could not be read and were reset to their defaults; the others are unchanged.\n{}",
                    lost.size(), fmt::to_string(fmt::join(lost, "\n"))));
      return settings;
    } catch (FieldError const& error) {
      lost.emplace_back(error.what());
      if (!drop(document, error.path, scenes)) { throw; }
    }
  }
}

/// The program's own settings, without values that it could not read back.
Json own_settings(UserSettings const& settings, SceneList scenes)
{
  Json root;
  root["version"] = settings_version;
  auto const fields = own_fields(scenes);
  write_fields<UserSettings>(root, {}, fields, settings);
  erase_not_finite(root);
  root = parse_json(format_json(root), "settings");  // numbers and texts as they would be read back
  while (true) {
    try {
      UserSettings again;
      read_known_fields<UserSettings>(JsonNode(root, "settings"), fields, again);
      return root;
    } catch (FieldError const& error) {
      if (!erase_at(root, error.path)) { throw; }
    }
  }
}

/// The current settings file, or an empty document if it cannot be read.
Json document_of(fs::path const& file)
{
  std::error_code failure;
  if (fs::exists(file, failure)) {
    try {
      Json document = parse_json(read_text_file(file), path_text(file));
      if (document.is_object() && document.value("version", Json()) == settings_version) { return document; }
    } catch (std::exception const&) {  // the error is reported when the program starts
    }
  }
  return {{"version", settings_version}};
}

std::vector<lessons::Progress> progress_in(Json const& document, fs::path const& file)
{
  UserSettings settings;
  try {
    JsonNode const root(document, path_text(file));
    if (auto const list = root.find("lessons")) { lessons_field().read(*list, settings); }
    return settings.lessons;
  } catch (Error const&) {
    return {};
  }
}

void write_document(fs::path const& file, Json const& document)
{
  std::error_code failure;
  if (file.has_parent_path()) { fs::create_directories(file.parent_path(), failure); }
  write_text_file(file, format_json(document));
}

std::string set_aside(fs::path const& file, std::string const& why)
{
  std::error_code failure;
  fs::path aside = file;
  aside += ".broken";
  for (int number = 2; fs::exists(aside, failure); ++number) {
    aside = file;
    aside += fmt::format(".broken-{}", number);
  }
  failure.clear();
  if (fs::is_regular_file(file, failure)) { fs::rename(file, aside, failure); }
  bool const moved = !failure && fs::exists(aside, failure);
  return moved
             ? tr("Could not read the settings file; it was renamed to {}. Using defaults.\n{}", path_text(aside), why)
             : tr("Could not read the settings file; it could not be renamed. Using defaults.\n{}", why);
}

}  // namespace

SceneSetup remembered(UserSettings const& settings, SceneEntry const& scene)
{
  auto const found = settings.set_ups.find(scene.name);
  return found == settings.set_ups.end() ? scene.first() : found->second;
}

fs::path settings_path(fs::path const& given)
{
  if (!given.empty()) { return given; }
  char const* const config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && fs::path(config).is_absolute()) { return fs::path(config) / "slotscape" / "settings.json"; }
  char const* const home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : ".") / ".config" / "slotscape" / "settings.json";
}

LoadedSettings load_settings(fs::path const& file, SceneList scenes)
{
  remove_leftovers(file);
  std::error_code failure;
  if (fs::status(file, failure).type() == fs::file_type::not_found) { return {}; }
  try {
    LoadedSettings loaded;
    loaded.settings = read_settings(parse_json(read_text_file(file), path_text(file)), file, scenes, loaded.messages);
    return loaded;
  } catch (Error const& error) {
    return {UserSettings{}, {set_aside(file, error.what())}};
  }
}

void save_progress(fs::path const& file, lessons::Progress const& progress)
{
  Json document = document_of(file);
  UserSettings settings;
  settings.lessons = progress_in(document, file);
  keep(progress, settings.lessons);
  document["lessons"] = lessons_field().write(settings, {});
  write_document(file, document);
}

std::string saved_language(fs::path const& file)
{
  Json const document = document_of(file);
  auto const found = document.find("language");
  bool const is_known = found != document.end() && found->is_string() && is_language(found->get<std::string>());
  return is_known ? found->get<std::string>() : std::string();
}

std::vector<lessons::Progress> load_progress(fs::path const& file)
{
  return progress_in(document_of(file), file);
}

void save_settings(fs::path const& file, UserSettings const& settings, SceneList scenes)
{
  Json root = own_settings(settings, scenes);
  std::vector<std::string> failures;
  for (SceneEntry const& scene : scenes) {
    auto const found = settings.set_ups.find(scene.name);
    if (found == settings.set_ups.end()) { continue; }
    try {
      Json set_up = scene.write(found->second, {});
      erase_not_finite(set_up);
      if (scene.settings_at_root) {
        root.update(set_up);
      } else {
        root[std::string(scene.name)] = std::move(set_up);
      }
    } catch (Error const& error) {
      failures.push_back(fmt::format("{}: {}", scene.title, error.what()));
    }
  }
  write_document(file, root);
  if (!failures.empty()) { throw Error(fmt::format("{}", fmt::join(failures, "; "))); }
}

}  // namespace slotscape
