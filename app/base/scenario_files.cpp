#include "app/base/scenario_files.hpp"

#include <fmt/format.h>

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

fs::path free_file_beside(fs::path const& scenario, std::string_view ending)
{
  std::string const stem = scenario_stem(scenario);
  fs::path file = scenario.parent_path() / fmt::format("{}{}", stem, ending);
  for (int number = 2; fs::exists(file); ++number) {
    file = scenario.parent_path() / fmt::format("{}-{}{}", stem, number, ending);
  }
  return file;
}

std::string ending_beside(fs::path const& scenario, std::string const& name)
{
  std::string const stem = scenario_stem(scenario);
  if (!name.starts_with(stem)) { return {}; }
  std::string rest = name.substr(stem.size());
  if (rest.starts_with('-')) {
    std::size_t const end = rest.find_first_not_of("0123456789", 1);
    bool const has_number = end != std::string::npos && end > 1;
    rest = has_number ? rest.substr(end) : "";
  }
  return rest.starts_with('.') ? rest : "";
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

}  // namespace slotscape
