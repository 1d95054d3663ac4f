#include "tests/library/histories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace slotscape::histories {
namespace {

using Call = Step::Call;

constexpr std::array<std::string_view, 16> call_names{"insert",        "insert_or_assign",
                                                      "insert_or_add", "insert_or_min",
                                                      "insert_or_max", "insert_async",
                                                      "erase",         "erase_async",
                                                      "erase_if",      "find",
                                                      "find_async",    "merge",
                                                      "rehash",        "copy",
                                                      "move",          "clear"};

/// Draws in order.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t limit)  ///< 2^32 at most
  {
    return random_below(seed_, number_++, limit);
  }
  std::uint64_t any() { return random64(seed_, number_++); }
  bool one_in(std::uint64_t times) { return below(times) == 0; }
  /// As often small as large.
  std::uint64_t size(std::uint64_t most)
  {
    return below(below(2) == 0 ? std::min<std::uint64_t>(most, 12) + 1 : most + 1);
  }

private:
  std::uint64_t seed_;
  std::uint64_t number_ = 0;
};

/// Keys as they are hard on tables: all equal, close together, far apart, at the ends of the range with the reserved
/// ones, or anywhere.
std::vector<std::uint64_t> draw_keys(Dice& dice, int bits, std::uint64_t count)
{
  std::uint64_t const largest = bits == 32 ? 0xffffffffu : ~std::uint64_t{0};
  std::uint64_t const pattern = dice.below(5);
  std::uint64_t const first = dice.one_in(2) ? dice.below(64) : dice.below(1u << 20);
  std::uint64_t const stride = pattern == 0 ? 0 : pattern == 2 ? std::uint64_t{1} << dice.below(bits - 6) : 1;
  bool const repeats = dice.one_in(3);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t const place = repeats ? dice.below(count / 2 + 1) : i;
    std::uint64_t key = first + place * stride;
    if (pattern == 3) { key = place % 2 == 0 ? largest - place / 2 : place / 2; }
    if (pattern == 4) { key = dice.any(); }
    keys.push_back(key & largest);
  }
  return keys;
}

Step draw_step(Dice& dice, int bits, std::uint64_t most_keys)
{
  // Insertions and erasures are most of the calls.
  constexpr auto calls = std::to_array<Call>(
      {Call::insert, Call::insert, Call::insert_or_assign, Call::insert_or_add, Call::insert_or_min,
       Call::insert_or_max, Call::insert_async, Call::erase, Call::erase, Call::erase, Call::erase_async,
       Call::erase_if, Call::find, Call::find_async, Call::merge, Call::rehash, Call::copy, Call::move, Call::clear});
  Step step{.call = calls[dice.below(calls.size())]};
  if (step.call == Call::clear && !dice.one_in(3)) { step.call = Call::insert; }
  bool const takes_keys = step.call < Call::rehash && step.call != Call::erase_if;
  if (takes_keys) { step.keys = draw_keys(dice, bits, dice.size(most_keys)); }
  step.value = dice.one_in(8) ? ~std::uint64_t{0} - dice.below(4) : dice.below(1000);
  if (step.call == Call::rehash) { step.slots = 4 + dice.size(2 * most_keys); }
  return step;
}

bool fails(History const& history, Replay const& replay)
{
  constexpr int times = 3;
  for (int i = 0; i < times; ++i) {
    if (!replay(history).empty()) { return true; }
  }
  return false;
}

/// Takes parts out of a list for as long as the history still fails: halves, then quarters, down to single items.
template <class Item>
void shrink_list(History& history, std::vector<Item>& items, Replay const& replay)
{
  for (std::size_t part = (items.size() + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2) {
    for (std::size_t at = 0; at < items.size();) {
      std::vector<Item> const before = items;
      auto const begin = items.begin() + static_cast<std::ptrdiff_t>(at);
      items.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(part, items.size() - at)));
      if (fails(history, replay)) { continue; }
      items = before;
      at += part;
    }
  }
}

std::string text_of(Step const& step)
{
  std::string text = fmt::format("{{.call = Call::{}", call_names[static_cast<std::size_t>(step.call)]);
  if (!step.keys.empty()) { text += fmt::format(", .keys = {{{}u}}", fmt::join(step.keys, "u, ")); }
  if (!step.keys.empty() && step.value != 1) { text += fmt::format(", .value = {}u", step.value); }
  if (step.slots != 0) { text += fmt::format(", .slots = {}", step.slots); }
  return text + "}";
}

}  // namespace

History random_history(std::uint64_t seed, int bits, std::uint64_t steps, std::uint64_t most_keys)
{
  constexpr auto hashes = std::to_array<HashKind>({HashKind::murmur3, HashKind::identity, HashKind::fibonacci});
  Dice dice(seed);
  History history{.slots = 4 + dice.size(most_keys),
                  .deletion = dice.one_in(2) ? Deletion::empty_value : Deletion::tombstone_reuse,
                  .hash = hashes[dice.below(hashes.size())],
                  .grow_at = dice.one_in(3) ? 0.6 : 0.0};
  for (std::uint64_t i = 0; i < steps; ++i) { history.steps.push_back(draw_step(dice, bits, most_keys)); }
  return history;
}

History shrunk(History history, Replay const& replay)
{
  shrink_list(history, history.steps, replay);
  for (std::size_t i = 0; i < history.steps.size(); ++i) { shrink_list(history, history.steps[i].keys, replay); }
  shrink_list(history, history.steps, replay);
  return history;
}

std::string code_of(History const& history, std::string_view family, int bits)
{
  std::string code = fmt::format("EXPECT_EQ((wrong_in<OnCpu, families::{}, std::uint{}_t>({{.slots = {},\n", family,
                                 bits, history.slots);
  code += fmt::format("    .deletion = static_cast<Deletion>({}), .hash = static_cast<HashKind>({}), .grow_at = {},\n",
                      static_cast<int>(history.deletion), static_cast<int>(history.hash), history.grow_at);
  if (history.short_of_memory) { code += "    .short_of_memory = true,\n"; }
  code += "    .steps = {";
  for (Step const& step : history.steps) {
    code += (&step == &history.steps.front() ? "" : ",\n              ") + text_of(step);
  }
  return code + "}})), \"\");\n";
}

}  // namespace slotscape::histories
