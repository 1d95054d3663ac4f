#include "app/lessons/condition.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape::lessons {
namespace {

using Relation = Condition::Relation;

struct Named {
  std::string_view field;
  std::string_view words;
  Relation relation;
};
constexpr std::array relations{Named{"below", translatable("below {}"), Relation::below},
                               Named{"above", translatable("above {}"), Relation::above},
                               Named{"at_least", translatable("at least {}"), Relation::at_least},
                               Named{"at_most", translatable("at most {}"), Relation::at_most},
                               Named{"equals", translatable("exactly {}"), Relation::equals},
                               Named{"is", "", Relation::is}};

/// An expression, which may also be a plain number.
std::string expression_of(JsonNode const& node, Variables const& variables)
{
  std::string expression = node.is_text() ? node.text() : fmt::format("{}", node.number(-1e18, 1e18));
  try {
    evaluate(expression, {variables});
  } catch (Error const& error) {
    node.fail(error.what());
  }
  return expression;
}

Condition read_condition(JsonNode const& node, Variables const& variables, bool is_claim)
{
  bool const knows_all = is_claim || (!node.find("says") && !node.find("operation"));
  if (!knows_all) { node.fail("'says' and 'operation' are for claims"); }
  node.expect_fields({"what", "says", "operation", "of", "below", "above", "at_least", "at_most", "equals", "is"});
  Condition condition;
  if (auto const says = node.find("says")) { condition.says = says->text(); }
  condition.what = condition.says.empty() ? node.at("what").text() : condition.says;
  if (auto const what = node.find("what")) { condition.what = what->text(); }
  condition.of = expression_of(node.at("of"), variables);
  int bounds = 0;
  for (Named const& each : relations) {
    auto const bound = node.find(each.field);
    if (!bound) { continue; }
    ++bounds;
    condition.relation = each.relation;
    condition.bound = each.relation == Relation::is ? bound->text() : expression_of(*bound, variables);
  }
  if (bounds != 1) {
    node.fail(tr("it needs exactly one of 'below', 'above', 'at_least', 'at_most', 'equals' and 'is', but has {}{}",
                 bounds == 0 ? "none" : std::to_string(bounds), bounds > 1 ? "; write a condition for each" : ""));
  }
  return condition;
}

bool holds(double value, Relation relation, double bound)
{
  constexpr double rounding = 1e-9;
  switch (relation) {
    case Relation::below: return value < bound;
    case Relation::above: return value > bound;
    case Relation::at_least: return value >= bound;
    case Relation::at_most: return value <= bound;
    case Relation::equals: return std::abs(value - bound) <= rounding * std::max(1.0, std::abs(bound));
    case Relation::is: break;
  }
  return false;
}

/// "at most 5"
std::string wanted(Relation relation, std::string const& bound)
{
  std::string_view const words = std::ranges::find(relations, relation, &Named::relation)->words;
  return fill_translation(translated(words), words, fmt::make_format_args(bound));
}

/// A target number with all its digits, if these are not too many.
std::string aim_text(double bound)
{
  constexpr int most_digits = 6;
  return is_whole(bound) ? to_text(Quantity(bound)) : fmt::format("{:.{}g}", bound, most_digits);
}

/// The title of a family; any other text is unchanged.
std::string titled(std::string const& text)
{
  auto const name_of = [](FamilyEntry const& each) { return each.info->name; };
  auto const entry = std::ranges::find(family_entries(), text, name_of);
  return entry == family_entries().end() ? text : translated(entry->info->title);
}

}  // namespace

std::vector<Condition> read_conditions(JsonNode const& list, Variables const& variables)
{
  std::vector<Condition> conditions;
  for (JsonNode const& each : list.elements()) { conditions.push_back(read_condition(each, variables, false)); }
  return conditions;
}

std::vector<Condition> read_claims(Json const& json, JsonNode const& list, Variables const& variables)
{
  std::vector<Condition> claims;
  for (JsonNode const& each : list.elements()) {
    Json const& claim = json[claims.size()];
    claims.push_back(read_condition(each, variables, true));
    if (auto const operation = claim.find("operation"); operation != claim.end()) {
      claims.back().operation = *operation;
    }
  }
  return claims;
}

Finding check(Condition const& condition, Names const& names)
{
  auto const value = evaluate(condition.of, names);
  std::string const shown = value ? to_text(*value) : "…";
  if (condition.relation == Relation::is) {
    bool const is_so = shown == condition.bound;
    return {is_so, titled(shown), is_so ? "" : titled(condition.bound)};
  }
  auto const number = evaluate_number(condition.of, names);
  auto const bound = evaluate_number(condition.bound, names);
  bool const met = number && bound && holds(*number, condition.relation, *bound);
  if (met || !number || !bound) { return {met, shown, wanted(condition.relation, bound ? aim_text(*bound) : "…")}; }
  auto const [exact, other] = told_apart(*number, *bound);
  bool const is_close = exact != shown;
  return {met, exact, wanted(condition.relation, is_close ? other : aim_text(*bound))};
}

bool all_met(std::vector<Condition> const& conditions, Names const& names)
{
  return std::ranges::all_of(conditions, [&](Condition const& each) { return check(each, names).met; });
}

}  // namespace slotscape::lessons
