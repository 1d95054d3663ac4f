#include "app/shell/measurements.hpp"

#include "app/base/files.hpp"
#include "app/languages/languages.hpp"
#include "app/shell/menu.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr std::size_t frames_shown = 40;         ///< the median of these frames is shown
constexpr std::size_t max_frame_times = 200000;  ///< at this number, the older half is dropped

double latest_median(std::vector<double> const& seconds)
{
  std::size_t const count = std::min(seconds.size(), frames_shown);
  if (count == 0) { return 0.0; }
  std::vector<double> latest(seconds.end() - static_cast<std::ptrdiff_t>(count), seconds.end());
  auto const middle = latest.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::ranges::nth_element(latest, middle);
  return *middle;
}

void append(std::vector<double>& times, double seconds)
{
  if (times.size() >= max_frame_times) {
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  }
  times.push_back(seconds);
}

}  // namespace

void Measurements::note(FrameFacts const& times, bool rests)
{
  append(times_.frame_seconds, times.frame);
  append(times_.analyse_seconds, times.analyse);
  append(times_.present_seconds, times.present);
  if (rests && times_.frame_seconds.size() > frames_shown) { return; }
  latest_ = {latest_median(times_.frame_seconds), latest_median(times_.analyse_seconds),
             latest_median(times_.present_seconds)};
}

SceneStatistics Measurements::statistics() const
{
  InLanguage const english(source_language);  // programs parse this text
  Scene& scene = scenes_.scene();
  SceneStatistics statistics = scene.statistics(times_);
  if (Findings const findings = scene.findings(); !findings.empty()) { statistics.json["findings"] = findings; }
  return statistics;
}

void Measurements::write(std::filesystem::path const& json, std::filesystem::path const& csv_folder) const
{
  if (json.empty() && csv_folder.empty()) { return; }
  SceneStatistics const statistics = this->statistics();
  if (!json.empty()) {
    refuse_input(json);
    write_text_file(json, format_json(statistics.json));
  }
  if (csv_folder.empty()) { return; }
  for (auto const& [name, content] : statistics.tables) {
    std::filesystem::path const file = csv_folder / name;
    check_writable_folder(file.parent_path());
    refuse_input(file);
    write_text_file(file, content);
  }
}

void Measurements::add_commands(std::vector<Command>& commands)
{
  constexpr std::string_view menu = "File";
  auto const save = [this] {
    files_.ask_where_to_save("Save statistics", "statistics.json", {{"JSON file", {".json"}}},
                             files_.saved([this](auto const& file) { write(file, {}); }));
  };
  auto const save_tables = [this] {
    files_.ask_where_to_save(translatable("Save statistics as CSV files in a folder"), "statistics", {},
                             files_.saved([this](auto const& folder) { write({}, folder); }));
  };
  commands.push_back({.keys = "Ctrl+E",
                      .group = program_group,
                      .what = "Save statistics",
                      .menu = menu,
                      .label = "Save statistics…",
                      .run = save});
  commands.push_back({.menu = menu, .label = "Save statistics as CSV…", .run = save_tables});
}

}  // namespace slotscape
