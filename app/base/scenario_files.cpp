#include "app/base/scenario_files.hpp"

#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

bool is_file(fs::path const& path)
{
  std::error_code unreadable;
  return fs::is_regular_file(path, unreadable);
}

}  // namespace

std::string scenario_stem(fs::path const& scenario)
{
  std::string name = scenario.filename().string();
  for (std::string_view const ending : {".json", ".slotscape"}) {
    if (name.ends_with(ending)) { name.erase(name.size() - ending.size()); }
  }
  return name;
}

std::vector<fs::path> scenario_folders(fs::path const& executable)
{
  fs::path const folder = executable.parent_path();
  return {(folder / "../share/slotscape").lexically_normal(), (folder / "../../assets").lexically_normal(),
          "/usr/share/slotscape"};
}

fs::path find_scenario(fs::path const& name, std::span<fs::path const> folders)
{
  std::error_code unreadable;
  if (name.empty() || name.is_absolute() || fs::exists(name, unreadable)) { return name; }
  for (fs::path const& folder : folders) {
    fs::path with_ending = folder / name;
    if (is_file(with_ending)) { return with_ending; }
    with_ending += scenario_ending;
    if (is_file(with_ending)) { return with_ending; }
  }
  return name;
}

fs::path this_executable()
{
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown);
}

}  // namespace slotscape
