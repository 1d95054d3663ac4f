#include "app/lessons/progress.hpp"

#include <algorithm>
#include <numeric>

namespace slotscape {

namespace {

constexpr std::uint64_t max_tries = 1'000'000;

/// A field with one number per page.
Field<lessons::Progress> numbers(std::string_view name, std::vector<int> lessons::Progress::*member, std::uint64_t most)
{
  auto const read = [most](JsonNode const& node) {
    std::vector<int> list;
    for (JsonNode const& each : node.elements()) { list.push_back(static_cast<int>(each.whole_number(0, most))); }
    return list;
  };
  return field(name, member, read, [](std::vector<int> const& list) { return Json(list); });
}

}  // namespace

template <>
std::span<Field<lessons::Progress> const> fields_of()
{
  using lessons::Progress;
  static auto const fields = std::to_array<Field<Progress>>({
      field(
          "lesson", &Progress::lesson, [](JsonNode const& node) { return node.text(); },
          [](std::string const& name) { return Json(name); }),
      whole_number("seed", &Progress::seed),
      whole_number("page", &Progress::page),
      numbers("points", &Progress::points, lessons::max_points),
      numbers("tries", &Progress::tries, max_tries),
      numbers("others", &Progress::others, max_tries),
      numbers("shown", &Progress::shown, max_tries + 1),
  });
  return fields;
}

}  // namespace slotscape

namespace slotscape::lessons {

int points_of(Progress const& progress)
{
  return std::accumulate(progress.points.begin(), progress.points.end(), 0);
}

Progress find_progress(std::vector<Progress> const& all, std::string_view lesson)
{
  auto const found = std::ranges::find(all, lesson, &Progress::lesson);
  if (found != all.end()) { return *found; }
  Progress progress;
  progress.lesson = lesson;
  return progress;
}

void keep(Progress const& progress, std::vector<Progress>& all)
{
  auto const found = std::ranges::find(all, progress.lesson, &Progress::lesson);
  if (found == all.end()) {
    all.push_back(progress);
  } else {
    *found = progress;
  }
}

}  // namespace slotscape::lessons
