#pragma once

#include "app/lessons/session.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace slotscape::lessons {

/// The value of a text as a number or, if it is not one, what to type instead.
struct ReadAnswer {
  std::optional<double> number;
  std::optional<double> otherwise;  ///< the value if points and commas swap roles: 36.788 for "36,788"
  std::string complaint;
};
/// Reads "12.5", "65,536", "65 536", "37.5%" (0.375) and formulas such as "1/(1-0.75)" and "100,000 - 77,686".
ReadAnswer read_number(std::string_view text);
/// Reads an answer to the open question: a slot must exist, a count must be an integer.
ReadAnswer read_answer(std::string_view text, Session const& session);

/// Whether the page asks for a number, in a field or by a click on a slot.
bool asks_number(Session const& session);

}  // namespace slotscape::lessons
