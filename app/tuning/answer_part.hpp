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

constexpr double no_answer = 1.0;  ///< of an uncertainty: nothing is known

/// Whether `a` is faster than `b` by more than their uncertainty.
inline bool is_faster(Measured const& a, Measured const& b)
{
  constexpr double most = 9.0;  // however unsteady the rates: ten times as fast is faster
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

/// "± 12 %", or that it is too large for a number.
inline std::string off_text(double uncertainty)
{
  return uncertainty > no_answer ? std::string(tr("very uncertain")) : fmt::format("± {}", percent(uncertainty));
}

/// With the digits that the uncertainty leaves.
inline std::string ratio_text(double ratio, double uncertainty)
{
  constexpr double rough = 0.1;
  return fmt::format("{:g}", rounded(ratio, uncertainty >= rough ? 2 : 3));
}
/// "8 % more memory" or "4 % less memory": of one, compared with another; no decimals.
inline std::string memory_change(Measured const& one, Measured const& another)
{
  double const change = 100.0 * (one.bytes_per_key / another.bytes_per_key - 1.0);
  return change >= 0.0 ? tr("{:.0f} % more memory", change) : tr("{:.0f} % less memory", -change);
}

/// What the parts of an answer share: what they speak of, and how they say it.
class AnswerPart {
public:
  /// Sentences are added to `sentences`; a table was chosen.
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

  /// Whether the present setting was chosen, and not for its merits alone.
  bool stays() const { return results_.in_use() == choice_.winner && !choice_.equals.empty(); }

  /// Those whose rates say nothing, and would be as good as the choice if they held.
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
  /// Whether the rates were too unsteady to choose by.
  bool is_open() const { return best_.uncertainty > no_answer || !unsteady_rivals().empty(); }

  static bool works(Measured const& each) { return each.failed == 0 && each.throughput > 0.0 && !each.clogged_after; }

  /// Whether it was measured as thoroughly as the choice, and does what it should.
  bool compares(Measured const& each) const
  {
    return works(each) && each.stage >= std::min(best_.stage, Stage::checked);
  }

  /// Of the same table, with any number of slots.
  bool is_best(TableSettings table) const
  {
    table.slots = best_.candidate.table.slots;
    return table == best_.candidate.table;
  }

  static constexpr double beyond_use = 0.5;  ///< an uncertainty that says nothing

  Results const& results_;
  Choice const& choice_;
  Measured const& best_;

private:
  std::vector<Sentence>& sentences_;
};

/// Whether it pays to divide the table, where that was asked.
void say_division(Results const& results, Choice const& choice, std::vector<Sentence>& sentences);
/// What may go wrong with the choice, how long its batches take, and what becomes of it as keys come and go.
void say_risks(Results const& results, Choice const& choice, std::vector<Sentence>& sentences);
/// How sure all of this is, and what is known of the keys.
void say_certainty(Results const& results, Choice const& choice, std::vector<Sentence>& sentences);

}  // namespace slotscape::tuning
