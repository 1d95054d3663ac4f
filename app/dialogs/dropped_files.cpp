#include "app/dialogs/dropped_files.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

SceneEntry const* scene_for(Paths const& files, SceneEntry const& shown, SceneList scenes)
{
  auto const opens_any = [&](SceneEntry const& entry) {
    return std::ranges::any_of(files, [&](fs::path const& file) { return opens(entry, file); });
  };
  if (opens_any(shown)) { return &shown; }
  auto const other = std::ranges::find_if(scenes, opens_any);
  return other == scenes.end() ? nullptr : &*other;
}

}  // namespace

bool opens(SceneEntry const& entry, fs::path const& file)
{
  if (is_folder(file)) { return entry.opens_folders; }
  return fits(file, entry.files) && (!entry.takes || entry.takes(file));
}

bool is_folder(fs::path const& file)
{
  std::error_code unreadable;
  return fs::is_directory(file, unreadable);
}

bool is_scenario(fs::path const& file)
{
  return extension_of(file) == ".json";
}

std::string names_of(Paths const& files)
{
  std::vector<std::string> names;
  names.reserve(files.size());
  for (fs::path const& file : files) { names.push_back(path_text(file.filename())); }
  return listed(names, tr("and"));
}

Drop sort_dropped(Paths const& dropped, SceneEntry const& shown, SceneList scenes)
{
  Drop drop;
  Paths others;
  auto const leave_out = [&](fs::path const& file, std::string const& why) {
    fs::path const name = file.has_filename() ? file.filename() : file.parent_path().filename();
    drop.left_out.push_back(fmt::format("{} ({})", path_text(name), why));
  };
  for (fs::path const& file : dropped) {
    if (is_folder(file) && !shown.opens_folders) {
      leave_out(file, tr("a folder: drop its files instead"));
    } else if (!is_scenario(file)) {
      others.push_back(file);
    } else if (drop.scenarios.empty()) {
      drop.scenarios.push_back(file);
    } else {
      leave_out(file, tr("one scenario at a time"));
    }
  }
  drop.scene = scene_for(others, shown, scenes);
  for (fs::path const& file : others) {
    if (drop.scene == nullptr || !opens(*drop.scene, file)) {
      leave_out(file, tr("not usable here"));
    } else if (drop.files.size() == drop.scene->max_files) {
      leave_out(file, tr("no more than {} at a time", drop.scene->max_files));
    } else {
      drop.files.push_back(file);
    }
  }
  return drop;
}

}  // namespace slotscape
