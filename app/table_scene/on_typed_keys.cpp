#include "app/table_scene/on_typed_keys.hpp"

#include "app/base/text.hpp"

#include <fmt/format.h>

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

}  // namespace

std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, KeyStyle style)
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
    answer += fmt::format("{}{}.", answer.empty() ? "" : " ", subject(count, on_keys, line.one, line.several, style));
  }
  return answer;
}

}  // namespace slotscape
