#pragma once

#include "app/lessons/expression.hpp"

#include <string>
#include <vector>

namespace slotscape::lessons {

/// Something that a scene's statistics can fulfil:
///   { "what": "Mean accesses of a miss", "of": "[accesses/misses/mean]", "below": "5" }
struct Condition {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  enum class Relation : std::uint8_t { below, above, at_least, at_most, equals, is };
  std::string what;
  std::string says;  ///< the words of the page that this is about; empty: none in particular
  std::string of;    ///< an expression
  Json operation;    ///< of a claim: `of` names numbers of what this would do; null: of the scene
  Relation relation = Relation::below;
  std::string bound;  ///< an expression or, of `is`, a text
};

/// What became of a condition: whether it is met, and what to tell of it.
struct Finding {
  bool met = false;
  std::string value;   ///< "12.3"; "…" if it is not known
  std::string wanted;  ///< "below 5"
};

/// Throws Error at an invalid field, or an expression that is wrong whatever the statistics are.
std::vector<Condition> read_conditions(JsonNode const& list, Variables const& variables);
/// The same for what an author claims, which may be of the page's words and of what an operation would do. `json`: the
/// list, at that node.
std::vector<Condition> read_claims(Json const& json, JsonNode const& list, Variables const& variables);
/// Throws Error if a part of an expression is no number.
Finding check(Condition const& condition, Names const& names);
bool all_met(std::vector<Condition> const& conditions, Names const& names);

}  // namespace slotscape::lessons
