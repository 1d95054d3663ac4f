#include "app/table_scene/on_typed_keys.hpp"

#include "app/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace slotscape {
namespace {

/// "3 keys were", "17 was", "Ada was".
std::string subject(std::uint64_t count, OnKeys const& on_keys, std::string_view one, std::string_view several,
                    KeyStyle style)
{
  bool const single = on_keys.pairs->size() == 1;
  return single ? fmt::format("{} {}", key_text(on_keys.pairs->front().key, style), one)
                : fmt::format("{} {} {}", grouped(count), count == 1 ? "key" : "keys", count == 1 ? one : several);
}

/// "17, 42 and 59"; of more than a few, the first ones and how many others there are.
std::string listed_keys(std::vector<Key> const& keys, KeyStyle style)
{
  constexpr std::size_t most = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(keys.size(), most); ++i) { names.push_back(key_text(keys[i], style)); }
  if (keys.size() > most) { names.push_back(fmt::format("{} others", grouped(keys.size() - most))); }
  return listed(names);
}

}  // namespace

std::vector<Key> refused_keys(Engine& table, OnKeys const& on_keys, Tally const& outcomes)
{
  std::vector<Key> refused;
  bool const is_quick = on_keys.pairs->size() <= OnKeys::max_in_turn;
  if (outcomes[Outcome::full] == 0 || !is_quick) { return refused; }
  for (Pair const& pair : *on_keys.pairs) {
    bool const is_new = std::ranges::find(refused, pair.key) == refused.end();
    if (is_new && !table.probe_path(pair.key).value) { refused.push_back(pair.key); }
  }
  return refused;
}

std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, std::vector<Key> const& refused, KeyStyle style)
{
  struct Line {
    Outcome outcome;
    std::string_view one;
    std::string_view several;
  };
  constexpr std::array lines{Line{Outcome::inserted, "was inserted", "were inserted"},
                             Line{Outcome::updated, "was there already: its value is replaced",
                                  "were there already: their values are replaced"},
                             Line{Outcome::full, "found no place", "found no place"},
                             Line{Outcome::found, "was found", "were found"},
                             Line{Outcome::erased, "was erased", "were erased"},
                             Line{Outcome::missing, "is not in the table", "are not in the table"}};
  std::string answer;
  for (Line const& line : lines) {
    std::uint64_t const count = outcomes[line.outcome];
    if (count == 0) { continue; }
    bool const names_them = line.outcome == Outcome::full && refused.size() == count;
    if (names_them) {
      answer += fmt::format("{}{} found no place.", answer.empty() ? "" : " ", listed_keys(refused, style));
      continue;
    }
    answer += fmt::format("{}{}.", answer.empty() ? "" : " ", subject(count, on_keys, line.one, line.several, style));
  }
  return answer;
}

}  // namespace slotscape
