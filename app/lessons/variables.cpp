#include "app/lessons/variables.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace slotscape::lessons {
namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 53;  ///< the largest limit that a double holds exactly
constexpr int max_draws = 1000;

/// Draws numbers for one variable, independently of the others.
class Draws {
public:
  Draws(std::uint64_t seed, std::string_view name) : state_(seed ^ 0xcbf29ce484222325u)
  {
    for (char const character : name) {  // FNV-1a
      state_ = (state_ ^ static_cast<unsigned char>(character)) * 0x100000001b3u;
    }
  }
  std::uint64_t below(std::uint64_t count) { return random64(state_, number_++) % count; }

private:
  std::uint64_t state_;
  std::uint64_t number_ = 0;
};

void check_name(std::string const& name, JsonNode const& variable)
{
  bool const starts_well = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  bool const right = starts_well && std::ranges::all_of(name, [](char character) {
                       return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
                     });
  if (!right) { variable.fail("a variable's name must be letters, digits and '_', beginning with a letter"); }
}

/// The value of an expression in this field; errors name the field.
double number_of(JsonNode const& node, Variables const& variables)
{
  try {
    auto const value = evaluate_number(node.text(), {variables});
    if (value) { return *value; }
  } catch (Error const& error) {
    node.fail(error.what());
  }
  node.fail("it must not depend on statistics");
}

double draw_whole(JsonNode const& variable, Draws& draws, Variables const& variables)
{
  variable.expect_fields({"from", "to", "but_not"});
  std::uint64_t const from = variable.at("from").whole_number(0, largest);
  std::uint64_t const to = variable.at("to").whole_number(from, largest);
  std::vector<double> others;
  if (auto const but_not = variable.find("but_not")) {
    for (JsonNode const& each : but_not->elements()) { others.push_back(number_of(each, variables)); }
  }
  for (int draw = 0; draw < max_draws; ++draw) {
    auto const value = static_cast<double>(from + draws.below(to - from + 1));
    if (std::ranges::find(others, value) == others.end()) { return value; }
  }
  variable.fail("no number is left: widen 'from' and 'to', or shorten 'but_not'");
}

Quantity draw_one_of(JsonNode const& variable, Draws& draws)
{
  variable.expect_fields({"one_of"});
  auto const choices = variable.at("one_of").elements();
  if (choices.empty()) { variable.at("one_of").fail("it must list at least one value"); }
  JsonNode const& chosen = choices[draws.below(choices.size())];
  if (chosen.is_text()) {
    std::string text = chosen.text();
    if (text.find_first_of("{}") != std::string::npos) {
      chosen.fail(tr("it must not contain braces: they are for expressions"));
    }
    return text;
  }
  return chosen.number(-static_cast<double>(largest), static_cast<double>(largest));
}

Quantity value_of(JsonNode const& variable, Draws& draws, Variables const& variables)
{
  if (!variable.is_object()) { variable.expect_fields({}); }
  if (auto const is = variable.find("is")) {
    variable.expect_fields({"is"});
    return number_of(*is, variables);
  }
  if (variable.find("one_of")) { return draw_one_of(variable, draws); }
  return draw_whole(variable, draws, variables);
}

}  // namespace

void add_variables(Json const& variables, JsonNode const& node, std::uint64_t seed, Variables& into)
{
  if (!node.is_object()) { node.expect_fields({}); }
  for (auto const& [name, description] : variables.items()) {
    JsonNode const variable = node.at(name);
    check_name(name, variable);
    Draws draws(seed, name);
    into[name] = value_of(variable, draws, into);
  }
}

bool varies(Json const& variables)
{
  return std::ranges::any_of(variables, [](Json const& each) { return each.is_object() && !each.contains("is"); });
}

}  // namespace slotscape::lessons
