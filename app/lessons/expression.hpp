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

/// The names that an expression can use: variables, and the scene's statistics, now and at the start of the page.
struct Names {
  Variables const& variables;
  Json const* now = nullptr;    ///< current statistics; null: not known yet
  Json const* start = nullptr;  ///< statistics at the start of the page; null: not known yet
};

/// Evaluates "2 * key % slots + [table/live]". Expressions have + - * / % ^ and parentheses, variables, `[path]` for a
/// number in the statistics, `start[path]` for its value at the start of the page, and the functions abs, ceil, exp,
/// floor, ln, log2, max, min, round and sqrt. Empty if the statistics are unknown or lack that number. Throws Error
/// that says what is wrong, and at which character.
std::optional<Quantity> evaluate(std::string_view expression, Names const& names);
/// Evaluates an expression that must be a number.
std::optional<double> evaluate_number(std::string_view expression, Names const& names);

/// Whether the expression needs statistics.
bool asks_statistics(std::string_view expression);

/// The number or text at a path such as "accesses/misses/mean" or "tables/0/table/live"; `*` sums over the elements of
/// a list: "operations/*/outcomes/full". Nothing if there is no such value.
std::optional<Quantity> find_statistic(Json const& statistics, std::string_view path);

/// Whether a number is an integer that doubles represent exactly, up to 2^53.
bool is_whole(double number);

/// Formats a quantity for texts: "42", "1,048,576", "0.477", "14.7".
std::string to_text(Quantity const& quantity);
/// Formats two different numbers with enough digits to show the difference: "1.94476" and "1.94481", even if both are
/// "1.94" in texts.
std::pair<std::string, std::string> told_apart(double one, double other);

/// Replaces each `{expression}`. Without statistics, expressions that need them are unchanged; if the statistics lack
/// the number, they become "…".
std::string fill_in(std::string_view text, Names const& names);
/// Fills in every text of a document; a text that consists of a single expression becomes its value. `node`: the
/// position of the document, for errors; `depth`: its nesting depth in another document.
Json fill_in_all(Json const& document, JsonNode const& node, Names const& names, int depth = 0);

}  // namespace slotscape::lessons
