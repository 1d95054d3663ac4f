#pragma once

#include "app/simulation/throughput.hpp"
#include "app/tuning/frontier.hpp"
#include "app/tuning/results.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::tuning {

/// The topic of a sentence in an answer.
enum class Topic : std::uint8_t { choice, comparison, alternative, division, risk, latency, churn, certainty, keys };

struct Sentence {
  Topic topic;
  std::string text;
  bool warns = false;
};

/// The answer in sentences, the most important first. Every number is from the results; nothing is said about what was
/// not measured.
std::vector<Sentence> answer_of(Results const& results, Choice const& choice);
/// The basis of a candidate's rates: all repeats together, for one kind of operation or for all kinds.
RateBasis basis_of(Measured const& measured, OperationResult const& result);
RateBasis basis_of(Measured const& measured);
/// The sentences as one text.
std::string text_of(std::vector<Sentence> const& sentences);

}  // namespace slotscape::tuning
