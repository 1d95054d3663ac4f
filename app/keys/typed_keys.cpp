#include "app/keys/typed_keys.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

namespace slotscape {
namespace {

/// "Ada was inserted.", "3 keys were inserted."; empty for outcomes that typed keys do not have.
std::string what_became_of(std::string const& key, Outcome outcome)
{
  switch (outcome) {
    case Outcome::inserted: return tr("{} was inserted.", key);
    case Outcome::updated: return tr("{} was already there: its value was replaced.", key);
    case Outcome::full: return tr("{} did not fit.", key);
    case Outcome::found: return tr("{} was found.", key);
    case Outcome::erased: return tr("{} was erased.", key);
    case Outcome::missing: return tr("{} is not in the table.", key);
    default: return {};
  }
}
std::string what_became_of(std::uint64_t count, Outcome outcome)
{
  std::string const number = grouped(count);
  switch (outcome) {
    case Outcome::inserted: return tr_plural("{} key was inserted.", "{} keys were inserted.", count, number);
    case Outcome::updated:
      return tr_plural("{} key was already there: its value was replaced.",
                       "{} keys were already there: their values were replaced.", count, number);
    case Outcome::full: return tr_plural("{} key did not fit.", "{} keys did not fit.", count, number);
    case Outcome::found: return tr_plural("{} key was found.", "{} keys were found.", count, number);
    case Outcome::erased: return tr_plural("{} key was erased.", "{} keys were erased.", count, number);
    case Outcome::missing:
      return tr_plural("{} key is not in the table.", "{} keys are not in the table.", count, number);
    default: return {};
  }
}

/// "17, 42 and 59"; if there are many, the first few and the number of others.
std::string listed_keys(std::vector<Key> const& keys, KeyStyle style)
{
  constexpr std::size_t most = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(keys.size(), most); ++i) { names.push_back(key_text(keys[i], style)); }
  if (keys.size() > most) { names.push_back(tr("{} others", grouped(keys.size() - most))); }
  return listed(names, tr("and"));
}

}  // namespace

bool has_letters(KeyForm const& form)
{
  return !spoken_keys(form.style).empty() || form.keys_of == HashedFrom::texts;
}

std::string pair_text(Pair const& pair, KeyStyle style)
{
  std::string const key = key_text(pair.key, style);
  return pair.value == 0 ? key : fmt::format("{}={}", key, pair.value);
}

void TypedKeys::show(OnKey const& on_key, KeyStyle style)
{
  operation = on_key.operation;
  text = pair_text({on_key.key, on_key.operation == Operation::insert ? on_key.value : 0}, style);
  replaced = true;
  is_new = false;
}

void TypedKeys::type(std::string_view character)
{
  if (!std::exchange(begun, true)) { text.clear(); }
  text += character;
  focus = true;
  replaced = true;
  is_new = true;
}

ParsedKeys const& TypedKeys::parsed(KeyForm const& form)
{
  Reading now{text, operation, form};
  if (now != read_) {
    parsed_ = parse_keys(text, operation, form);
    read_ = std::move(now);
  }
  return parsed_;
}

std::optional<OnKeys> TypedKeys::enter(KeyForm const& form)
{
  ParsedKeys const& keys = parsed(form);
  if (!keys.error.empty()) { return std::nullopt; }
  focus = begun = is_new = false;
  if (past.empty() || past.back() != text) { past.push_back(text); }
  shown = past.size();
  return OnKeys{operation, std::make_shared<std::vector<Pair> const>(keys.pairs)};
}

void TypedKeys::note(OnKeys const& on_keys)
{
  constexpr std::size_t most = 8;
  auto const count = static_cast<std::ptrdiff_t>(std::min(on_keys.pairs->size(), most));
  std::vector<Pair> latest(on_keys.pairs->begin(), on_keys.pairs->begin() + count);
  for (Pair const& pair : lately) {
    if (std::ranges::find(latest, pair.key, &Pair::key) == latest.end()) { latest.push_back(pair); }
  }
  latest.resize(std::min(latest.size(), most));
  lately = std::move(latest);
}

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

std::vector<Key> keys_given(std::vector<Done> const& done)
{
  std::vector<Key> given;
  auto const note = [&](Operation operation, Key key) {
    if (operation == Operation::find || given.size() > OnKeys::max_in_turn) { return; }
    std::erase(given, key);
    if (operation == Operation::insert) { given.push_back(key); }
  };
  for (Done const& each : done) {
    if (auto const* one = std::get_if<OnKey>(&each)) { note(one->operation, one->key); }
    if (auto const* several = std::get_if<OnKeys>(&each)) {
      for (Pair const& pair : *several->pairs) { note(several->operation, pair.key); }
    }
    if (std::holds_alternative<Clear>(each)) { given.clear(); }
  }
  return given.size() > OnKeys::max_in_turn ? std::vector<Key>() : given;
}

std::vector<Key> absent_keys(Engine& table, std::vector<Key> const& keys)
{
  std::vector<Key> absent;
  std::ranges::copy_if(keys, std::back_inserter(absent), [&](Key key) { return !table.probe_path(key).value; });
  return absent;
}

std::string refusal_text(std::uint64_t count, std::vector<Key> const& refused, KeyStyle style)
{
  if (refused.size() != count) { return what_became_of(count, Outcome::full); }
  return tr_plural("Key {} did not fit.", "Keys {} did not fit.", count, listed_keys(refused, style));
}

std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, std::vector<Key> const& refused, KeyStyle style)
{
  constexpr std::array told{Outcome::inserted, Outcome::updated, Outcome::full,
                            Outcome::found,    Outcome::erased,  Outcome::missing};
  std::string answer;
  for (Outcome const outcome : told) {
    std::uint64_t const count = outcomes[outcome];
    if (count == 0) { continue; }
    if (!answer.empty()) { answer += " "; }
    bool const names_them = outcome == Outcome::full && refused.size() == count;
    if (names_them) {
      answer += tr_plural("{} did not fit.", "{} did not fit.", count, listed_keys(refused, style));
    } else if (on_keys.pairs->size() == 1) {
      answer += what_became_of(key_text(on_keys.pairs->front().key, style), outcome);
    } else {
      answer += what_became_of(count, outcome);
    }
  }
  return answer;
}

}  // namespace slotscape
