#pragma once

#include "app/tuning/frontier.hpp"
#include "app/tuning/results.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::tuning {

/// What a sentence of an answer is about.
enum class Topic : std::uint8_t { choice, comparison, alternative, risk, latency, churn, certainty, keys };

struct Sentence {
  Topic topic;
  std::string text;
  bool warns = false;
};

/// The answer in sentences, the most important first. Every number in them is from the results; where nothing was
/// measured, nothing is said.
std::vector<Sentence> answer_of(Results const& results, Choice const& choice);
/// The sentences as one text.
std::string text_of(std::vector<Sentence> const& sentences);

}  // namespace slotscape::tuning
