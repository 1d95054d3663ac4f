#pragma once

#include "app/base/json.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace slotscape::lessons {

/// A number or a text.
using Quantity = std::variant<double, std::string>;
using Variables = std::map<std::string, Quantity, std::less<>>;

/// What an expression can name: variables, and numbers of the scene's statistics, now and as the page began.
struct Names {
  Variables const& variables;
  Json const* now = nullptr;    ///< null: not known yet
  Json const* start = nullptr;  ///< the same
};

/// The value of "2 * key % slots + [table/live]". There are + - * / % ^ and parentheses, variables, `[path]` for a
/// number of the statistics, `start[path]` for the same as the page began, and the functions abs, ceil, exp, floor, ln,
/// log2, max, min, round and sqrt. Empty where the statistics are not known or lack that number. Throws Error that says
/// what is wrong at which character.
std::optional<Quantity> evaluate(std::string_view expression, Names const& names);
/// The same for an expression that must be a number.
std::optional<double> evaluate_number(std::string_view expression, Names const& names);

/// Whether the expression needs statistics.
bool asks_statistics(std::string_view expression);

/// The number or text at a path such as "accesses/misses/mean" or "tables/0/table/live"; `*` adds up what the elements
/// of a list have: "operations/*/outcomes/full". Nothing where there is none.
std::optional<Quantity> find_statistic(Json const& statistics, std::string_view path);

/// A whole number that is exact: none is beyond 2^53.
bool is_whole(double number);

/// As it is written in texts: "42", "1,048,576", "0.477", "14.7".
std::string to_text(Quantity const& quantity);
/// Two numbers that differ, so that it is seen: "1.94476" and "1.94481", if both are "1.94" as texts write them.
std::pair<std::string, std::string> told_apart(double one, double other);

/// Replaces each `{expression}`. Those that ask statistics stay as they are without these, and become "…" where the
/// statistics lack the number.
std::string fill_in(std::string_view text, Names const& names);
/// The same for every text in a document; one that is nothing but an expression becomes its value. `node`: the
/// document's place, for errors; `depth`: how deep it lies in another one.
Json fill_in_all(Json const& document, JsonNode const& node, Names const& names, int depth = 0);

}  // namespace slotscape::lessons
