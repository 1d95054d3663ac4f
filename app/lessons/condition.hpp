#pragma once

#include "app/lessons/expression.hpp"

#include <string>
#include <vector>

namespace slotscape::lessons {

/// A condition that a scene's statistics can meet:
///   { "what": "Mean accesses of a miss", "of": "[accesses/misses/mean]", "below": "5" }
struct Condition {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  enum class Relation : std::uint8_t { below, above, at_least, at_most, equals, is };
  std::string what;
  std::string says;  ///< the words of the page that the condition is about; empty: none in particular
  std::string of;    ///< an expression
  Json operation;    ///< for claims: `of` names numbers of this operation's outcome; null: of the scene
  Relation relation = Relation::below;
  std::string bound;  ///< an expression or, for `is`, a text
};

/// The state of a condition: whether it is met, and the values to show.
struct Finding {
  bool met = false;
  std::string value;   ///< value as text: "12.3"; "…" if it is unknown
  std::string wanted;  ///< the target as text: "below 5"
};

/// Throws Error if a field is invalid, or if an expression is wrong for any statistics.
std::vector<Condition> read_conditions(JsonNode const& list, Variables const& variables);
/// Reads an author's claims, which may also be about the page's words and about the outcome of an operation. `json`:
/// the list at `list`.
std::vector<Condition> read_claims(Json const& json, JsonNode const& list, Variables const& variables);
/// Throws Error if a part of an expression is not a number.
Finding check(Condition const& condition, Names const& names);
bool all_met(std::vector<Condition> const& conditions, Names const& names);

}  // namespace slotscape::lessons
