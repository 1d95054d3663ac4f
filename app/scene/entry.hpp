#pragma once

#include "app/base/fields.hpp"
#include "app/scene/file_question.hpp"
#include "app/scene/subject.hpp"
#include "gpu/base/progress.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace slotscape {

class Scene;
struct SettingRow;

/// A scene's names for the common panels; empty: the scene does not have that panel.
struct PanelNames {
  std::string_view controls = "Controls";
  std::string_view numbers = "Numbers";
  std::string_view plots = "Plots";
  std::string_view slot_card = "Slot card";
};

/// The typed options for files that only this scene can write when the program ends.
class SceneFiles {
public:
  virtual ~SceneFiles() = default;
  /// The display name and path of each file; the path is empty if the file was not requested.
  virtual std::vector<std::pair<std::string_view, std::filesystem::path>> outputs() const { return {}; }
  virtual void write_outputs(Scene&) const {}
  bool are_asked_for() const
  {
    auto const files = outputs();
    return std::ranges::any_of(files, [](auto const& file) { return !file.second.empty(); });
  }
};

/// The options of a scene's subcommand, as typed.
class Subcommand : public SceneFiles {
public:
  /// The set-up that the options describe. Throws Error if an option is invalid.
  virtual SceneSetup set_up() const = 0;
};

/// The set-ups of the other scenes.
struct OtherSetups {
  std::vector<SceneSetup> shown;  ///< scenes shown since this scene was, most recent first
  std::vector<SceneSetup> saved;  ///< scenes not shown yet, if this scene was not shown either
};

/// Whether a saved set-up is shown at the start of the program or later.
enum class Arrival : std::uint8_t { start, later };

/// What users want when they choose a scene: the part of the gallery that lists it.
enum class Purpose : std::uint8_t { learn, measure, own_data };

/// The description of a scene for the program. Members with a default are optional.
struct SceneEntry {
  std::string_view name;             ///< in files and on the command line: "spatial"
  std::string_view title;            ///< in the menu: "Spatial hashing"
  std::string_view what;             ///< in the list of keys
  std::string_view keys;             ///< keys that switch to the scene: "F4"
  std::string_view about = {};       ///< a sentence in the gallery; default: `what`
  std::string_view mouse = {};       ///< effects of the mouse
  std::string_view file_entry = {};  ///< entry in the File menu that opens the scene's data: "Open a running table…"
  Purpose purpose = Purpose::own_data;
  PanelNames panels = {};
  std::vector<FileKind> files = {};  ///< kinds of files that it opens
  std::size_t max_files = 1;         ///< files that it opens together
  bool opens_folders = false;        ///< a folder can replace a file
  /// Whether a file with one of these extensions is for this scene, by its content; default: it is.
  std::function<bool(std::filesystem::path const&)> takes = {};

  /// Creates the scene, and reports the progress of opening its files. Throws Error if that fails, and Cancelled.
  std::function<std::unique_ptr<Scene>(SceneSetup const&, DeviceFacts const&, Progress const&)> make = {};
  /// The set-up when the program first starts.
  std::function<SceneSetup()> first = {};
  /// Reads a set-up from an object with the scene's fields. Throws Error if a field is invalid.
  std::function<SceneSetup(JsonNode const&)> read = {};
  /// The fields that `read` accepts, except those of another scene, for the reference page; empty: that page is written
  /// by hand.
  std::function<std::vector<SettingRow>()> reference = {};
  /// Writes the object that `read` reads. Paths in or under `folder` are written relative to it.
  std::function<Json(SceneSetup const&, std::filesystem::path const& folder)> write = {};

  /// Checks a list of steps, or an operation to predict, from a lesson for a scene with this set-up. Throws Error if
  /// one is invalid. Empty: the scene takes no steps.
  std::function<void(JsonNode const& steps, SceneSetup const&)> check_steps = {};

  /// Writes data that is too large for a scenario to files beside it, and stores their names in the set-up. Returns the
  /// files.
  std::function<Paths(SceneSetup&, std::filesystem::path const& scenario)> write_beside = {};

  /// Whether a scenario whose fields are at the root, rather than in an object named after a scene, belongs to this
  /// scene.
  std::function<bool(JsonNode const& root)> claims = {};
  /// A set-up from a document of another kind that names no scene, such as a workload; nothing if it is not such a
  /// document.
  std::function<std::optional<SceneSetup>(JsonNode const& root)> adopt = {};
  bool settings_at_root = false;  ///< the scene's fields are at the root of the settings file
  /// Adapts a saved set-up before it is shown; default: unchanged.
  std::function<SceneSetup(SceneSetup, Arrival)> recall = {};
  /// Makes automatic motion begin this many seconds earlier, so that it reaches the state in the set-up after them;
  /// default: nothing moves.
  std::function<void(SceneSetup&, double seconds)> rewind = {};
  /// Replaces a saved set-up that can no longer be created; default: `first`.
  std::function<SceneSetup(SceneSetup)> replace = {};
  /// The set-up to show when the user switches to the scene, derived from its own set-up, as left or saved. If it is
  /// empty, or without this function, the scene's own set-up is shown.
  std::function<SceneSetup(SceneSetup own, OtherSetups const&)> enter = {};
  /// Whether two set-ups give the same scene, apart from the camera. Needed with `enter` if the scene can wait.
  std::function<bool(SceneSetup const&, SceneSetup const&)> alike = {};
  std::function<void(SceneSetup&, std::uint64_t seed)> set_seed = {};
  /// Distributes the shards of its tables over several devices with these numbers. Empty: its tables cannot be
  /// distributed.
  std::function<void(SceneSetup&, std::vector<int> const& devices)> use_devices = {};
  std::string_view subcommand = {};  ///< its line in --help; empty: no subcommand
  std::function<std::unique_ptr<Subcommand>(CLI::App&)> add_subcommand = {};
  /// Adds options for its files to 'run'; empty: it has no such files.
  std::function<std::unique_ptr<SceneFiles>(CLI::App&)> add_files = {};
};

/// Completes the entry of a scene with set-ups of type `Setup`. The entry must already have a format (`read`, `write`).
template <class SceneOf, class Setup>
SceneEntry with_scene(SceneEntry entry)
{
  entry.make = [](SceneSetup const& any, DeviceFacts const& device, Progress const& opening) {
    auto const& set_up = std::any_cast<Setup const&>(any);
    if constexpr (std::is_constructible_v<SceneOf, Setup const&, DeviceFacts const&, Progress const&>) {
      return std::make_unique<SceneOf>(set_up, device, opening);
    } else {
      return std::make_unique<SceneOf>(set_up, device);
    }
  };
  if (!entry.first) {
    entry.first = [] { return Setup{}; };
  }
  return entry;
}

/// Completes an entry with this format.
template <class SceneOf, class Setup>
SceneEntry entry_of(SceneEntry entry, Setup (*read)(JsonNode const&),
                    Json (*write)(Setup const&, std::filesystem::path const& folder))
{
  entry.read = read;
  entry.write = [write](SceneSetup const& set_up, std::filesystem::path const& folder) {
    return write(std::any_cast<Setup const&>(set_up), folder);
  };
  return with_scene<SceneOf, Setup>(std::move(entry));
}

/// Completes an entry for a `Setup` with a table of fields.
template <class SceneOf, class Setup>
SceneEntry entry_of(SceneEntry entry)
{
  return entry_of<SceneOf, Setup>(
      std::move(entry),
      [](JsonNode const& node) {
        Setup set_up;
        read_fields(node, set_up);
        return set_up;
      },
      [](Setup const& set_up, std::filesystem::path const& folder) { return object_of_fields(folder, set_up); });
}

/// All scenes, in menu order (app/registry).
using SceneList = std::span<SceneEntry const>;
/// Null if there is no scene of that name.
inline SceneEntry const* find_scene(SceneList scenes, std::string_view name)
{
  auto const found = std::ranges::find(scenes, name, &SceneEntry::name);
  return found == scenes.end() ? nullptr : &*found;
}

}  // namespace slotscape
