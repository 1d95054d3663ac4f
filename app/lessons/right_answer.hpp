#pragma once

#include "app/lessons/session.hpp"

#include <cstddef>
#include <string>

namespace slotscape::lessons {

/// The index of the right option.
std::size_t right_option(Choice const& choice);

/// A predicted or actual number with its unit: "slot 5", "3 accesses".
std::string with_unit(Prediction::Asks asks, double number);

/// The page's question and right answer, in Markdown, for a presenter. The page must have a task, and its scene must
/// have no work left. If the answer is known only after an operation of the scene, the text says so.
std::string question_and_answer(Session const& session, Subject& scene);

}  // namespace slotscape::lessons
