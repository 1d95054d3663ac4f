#include "app/table_map/step/retold.hpp"

#include "app/base/text.hpp"
#include "gpu/engine/narrate.hpp"
#include "gpu/engine/step_words.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape {
namespace {

/// Larger than any slot, value or count of a table that can be stepped through.
constexpr Key first_stand_in = 9'000'000'000'000'000'000;
constexpr std::string_view stand_in_start = "90000000000";
constexpr std::size_t stand_in_digits = 19;

/// A trace in which keys are replaced by unique numbers.
class Disguise {
public:
  explicit Disguise(Trace const& trace) : trace_(trace)
  {
    trace_.key = of(trace.key);
    trace_.summary.clear();
    for (Step& step : trace_.steps) {
      for (SlotInfo& slot : step.seen) { disguise(slot); }
      if (step.after) { disguise(*step.after); }
      step.text.clear();
      step.found.clear();
    }
  }

  Trace told(FamilyInfo const& family, Outcome outcome) const
  {
    Trace told = trace_;
    told.outcome = outcome;
    narrate(told, family);
    return told;
  }

  std::string undone(std::string_view text, KeyWriter const& written) const
  {
    std::string undone;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t const found = std::min(text.find(stand_in_start, at), text.size());
      std::string_view const digits = text.substr(found, stand_in_digits);
      auto const key = key_of(digits);
      undone.append(text.substr(at, found - at)).append(key ? written(*key) : std::string(digits));
      at = found + digits.size();
    }
    return undone;
  }

  bool knows_key(Key key) const { return stand_ins_.contains(key); }

private:
  void disguise(SlotInfo& slot)
  {
    if (slot.has_key) { slot.pair.key = of(slot.pair.key); }
  }
  Key of(Key key)
  {
    auto const [place, is_new] = stand_ins_.try_emplace(key, first_stand_in + keys_.size());
    if (is_new) { keys_.push_back(key); }
    return place->second;
  }
  std::optional<Key> key_of(std::string_view digits) const
  {
    auto const stand_in = parse_number<Key>(digits);
    bool const is_known = stand_in && *stand_in >= first_stand_in && *stand_in - first_stand_in < keys_.size();
    return is_known ? std::optional(keys_[*stand_in - first_stand_in]) : std::nullopt;
  }

  Trace trace_;
  std::map<Key, Key> stand_ins_;
  std::vector<Key> keys_;
};

/// The text with the number of `key` at position `at` replaced by its new form; unchanged if another text is there.
std::string with_key_at(std::string const& text, std::size_t at, Key key, KeyWriter const& written)
{
  std::string const number = std::to_string(key) + " ";
  if (!std::string_view(text).substr(at).starts_with(number)) { return text; }
  return text.substr(0, at) + written(key) + text.substr(at + number.size() - 1);
}

/// Retells a trace, text by text.
class Retelling {
public:
  Retelling(Trace const& trace, FamilyInfo const& family, KeyWriter const& written)
      : trace_(trace), family_(family), written_(written), disguise_(trace)
  {
  }

  Trace run()
  {
    Trace retold = trace_;
    for (std::size_t i = 0; i < retold.steps.size(); ++i) {
      Step& step = retold.steps[i];
      for (auto const text : {&Step::text, &Step::found}) {
        auto const text_of = [=](Trace const& told) {
          return i < told.steps.size() ? told.steps[i].*text : std::string();
        };
        step.*text = told(step.*text, text_of, [&] { return rebuild_text(step.*text, step.after); });
      }
    }
    retold.summary = told(retold.summary, &Trace::summary, [&] { return with_keys(trace_.summary); });
    return retold;
  }

private:
  static constexpr std::size_t max_tellings = 3;

  /// Variants of the trace: with its own outcome; or as for a static table, which first looks for its key in vain and
  /// is then rebuilt, with and without the steps of the rebuild.
  Trace const& telling(std::size_t number)
  {
    if (number < tellings_.size()) { return tellings_[number]; }
    if (number == 0) { return tellings_.emplace_back(disguise_.told(family_, trace_.outcome)); }
    if (number == 1) { return tellings_.emplace_back(disguise_.told(family_, Outcome::full)); }
    Trace lookup = trace_;
    auto const rebuild = std::ranges::find(lookup.steps, "rebuild", [](Step const& step) { return step.place.line; });
    lookup.steps.erase(rebuild, lookup.steps.end());
    return tellings_.emplace_back(Disguise(lookup).told(family_, Outcome::full));
  }

  /// The text from the variant that matches the original; otherwise the result of `otherwise`.
  template <class TextOf, class Otherwise>
  std::string told(std::string const& original, TextOf text_of, Otherwise otherwise)
  {
    for (std::size_t number = 0; number < max_tellings; ++number) {
      std::string const text = std::invoke(text_of, telling(number));
      if (disguise_.undone(text, [](Key key) { return std::to_string(key); }) == original) {
        return disguise_.undone(text, written_);
      }
    }
    return otherwise();
  }

  std::string rebuild_text(std::string const& text, std::optional<SlotInfo> const& after) const
  {
    std::string_view const rebuild_start = tr(rebuild_in_words);
    bool const names_key = after && after->has_key && text.starts_with(rebuild_start);
    return names_key ? with_key_at(text, rebuild_start.size(), after->pair.key, written_) : with_keys(text);
  }

  /// For a text that no variant contains, as when a table is rebuilt in between: recognises keys among its numbers by
  /// the words next to them.
  std::string with_keys(std::string const& text) const
  {
    constexpr std::array<std::string_view, 6> verbs{" is ", " was ", " would ", " hashes ", " may ", " finds "};
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t const end = std::min(text.find_first_not_of("0123456789", at), text.size());
      std::string_view const before = std::string_view(text).substr(0, at);
      std::string_view const behind = std::string_view(text).substr(end);
      auto const key = parse_number<Key>(std::string_view(text).substr(at, end - at));
      bool const acts = std::ranges::any_of(verbs, [&](std::string_view verb) { return behind.starts_with(verb); });
      bool const is_key = before.ends_with("holds ") || (acts && !before.ends_with("lot "));
      if (key && is_key && disguise_.knows_key(*key)) {
        result += written_(*key);
      } else {
        result += text.substr(at, std::max<std::size_t>(end - at, 1));
      }
      at = std::max(end, at + 1);
    }
    return result;
  }

  Trace const& trace_;
  FamilyInfo const& family_;
  KeyWriter const& written_;
  Disguise disguise_;
  std::deque<Trace> tellings_;  ///< variants of the trace, made when they are needed
};

}  // namespace

Trace retold(Trace const& trace, FamilyInfo const& family, KeyWriter const& written)
{
  return Retelling(trace, family, written).run();
}

}  // namespace slotscape
