#pragma once

#include "app/base/text.hpp"
#include "app/bench/report.hpp"
#include "app/tuning/answer.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// "412 M operations a second".
inline std::string rate_text(Workload const& workload, double rate)
{
  std::string const number = short_number(rate);
  return workload.join ? tr("{} rows a second", number) : tr("{} operations a second", number);
}

inline std::string bytes_a_key(double bytes)
{
  return tr("{:.1f} bytes a key", bytes);
}

constexpr double no_answer = 1.0;  ///< an uncertainty from which on nothing is known

/// Whether `a` is faster than `b` by more than their uncertainty.
inline bool is_faster(Measured const& a, Measured const& b)
{
  constexpr double most = 9.0;  // a table ten times as fast counts as faster, however unsteady the rates
  return a.throughput > b.throughput * (1.0 + std::min(uncertainty_of(a, b), most));
}
inline bool cannot_be_told_apart(Measured const& a, Measured const& b)
{
  return !is_faster(a, b) && !is_faster(b, a);
}
inline bool is_smaller(Measured const& a, Measured const& b)
{
  return a.bytes_per_key < b.bytes_per_key * (1.0 - same_memory);
}

/// "± 12 %", or words if the uncertainty is too large for a number.
inline std::string off_text(double uncertainty)
{
  return uncertainty > no_answer ? std::string(tr("very uncertain")) : fmt::format("± {}", percent(uncertainty));
}

/// The ratio with as many digits as its uncertainty justifies.
inline std::string ratio_text(double ratio, double uncertainty)
{
  constexpr double rough = 0.1;
  return fmt::format("{:g}", rounded(ratio, uncertainty >= rough ? 2 : 3));
}
/// "8 % more memory" or "4 % less memory": the first table compared with the second, without decimals.
inline std::string memory_change(Measured const& one, Measured const& another)
{
  double const change = 100.0 * (one.bytes_per_key / another.bytes_per_key - 1.0);
  return change >= 0.0 ? tr("{:.0f} % more memory", change) : tr("{:.0f} % less memory", -change);
}

/// The base of the parts of an answer: the data, and helpers to write sentences.
class AnswerPart {
public:
  /// Sentences are appended to `sentences`. A table must have been chosen.
  AnswerPart(Results const& results, Choice const& choice, std::vector<Sentence>& sentences)
      : results_(results), choice_(choice), best_(results.measured[*choice.winner]), sentences_(sentences)
  {
  }

protected:
  void say(Topic topic, std::string const& text, bool warns = false)
  {
    Sentence& sentence = sentences_.emplace_back();
    sentence.topic = topic;
    sentence.text = text;
    sentence.warns = warns;
  }

  /// Whether the present setting was chosen although others are equally good.
  bool stays() const { return results_.in_use() == choice_.winner && !choice_.equals.empty(); }

  /// Tables with rates too unsteady to rely on, which would be as good as the choice if the rates held.
  std::vector<std::size_t> unsteady_rivals() const
  {
    constexpr double nearly = 0.9;
    bool const by_speed = results_.workload.max_bytes > 0.0;
    auto const score = [&](Measured const& each) {
      return by_speed ? each.throughput : each.throughput / each.bytes_per_key;
    };
    std::vector<std::size_t> rivals;
    for (std::size_t i = 0; i < results_.measured.size(); ++i) {
      Measured const& each = results_.measured[i];
      bool const counts = i != *choice_.winner && compares(each) && can_be_chosen(results_, each);
      if (counts && each.uncertainty > no_answer && score(each) >= nearly * score(best_)) { rivals.push_back(i); }
    }
    return rivals;
  }
  /// Whether the rates were too unsteady for a choice.
  bool is_open() const { return best_.uncertainty > no_answer || !unsteady_rivals().empty(); }

  static bool works(Measured const& each) { return each.failed == 0 && each.throughput > 0.0 && !each.clogged_after; }

  /// Whether the table works, and was measured as thoroughly as the choice.
  bool compares(Measured const& each) const
  {
    return works(each) && each.stage >= std::min(best_.stage, Stage::checked);
  }

  /// Whether the chosen table is the same, apart from the number of slots.
  bool is_best(TableSettings table) const
  {
    table.slots = best_.candidate.table.slots;
    return table == best_.candidate.table;
  }

  static constexpr double beyond_use = 0.5;  ///< an uncertainty too large to be useful

  Results const& results_;
  Choice const& choice_;
  Measured const& best_;

private:
  std::vector<Sentence>& sentences_;
};

/// Whether dividing the table pays, if the workload asks for it.
void say_division(Results const& results, Choice const& choice, std::vector<Sentence>& sentences);
/// The risks of the choice, the time of its batches, and the effect of churn.
void say_risks(Results const& results, Choice const& choice, std::vector<Sentence>& sentences);
/// How certain the answer is, and what is known about the keys.
void say_certainty(Results const& results, Choice const& choice, std::vector<Sentence>& sentences);

}  // namespace slotscape::tuning
