#pragma once

#include "app/simulation/throughput.hpp"
#include "app/tuning/frontier.hpp"
#include "app/tuning/results.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::tuning {

/// What a sentence of an answer is about.
enum class Topic : std::uint8_t { choice, comparison, alternative, division, risk, latency, churn, certainty, keys };

struct Sentence {
  Topic topic;
  std::string text;
  bool warns = false;
};

/// The answer in sentences, the most important first. Every number in them is from the results; where nothing was
/// measured, nothing is said.
std::vector<Sentence> answer_of(Results const& results, Choice const& choice);
/// What the rates of a candidate rest on: all repeats together, of one kind of operation or of all kinds.
RateBasis basis_of(Measured const& measured, OperationResult const& result);
RateBasis basis_of(Measured const& measured);
/// The sentences as one text.
std::string text_of(std::vector<Sentence> const& sentences);

}  // namespace slotscape::tuning
