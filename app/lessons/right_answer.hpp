#pragma once

#include "app/lessons/session.hpp"

#include <cstddef>
#include <string>

namespace slotscape::lessons {

/// The option that is right.
std::size_t right_option(Choice const& choice);

/// What was foretold, or comes true: "slot 5", "3 accesses".
std::string with_unit(Prediction::Asks asks, double number);

/// The question of the page and its right answer, in Markdown, for who asks it. The page must have a task, and its
/// scene nothing left to do. Where nobody knows the answer before the scene has done what it is about, that is said.
std::string question_and_answer(Session const& session, Subject& scene);

}  // namespace slotscape::lessons
