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

/// Whether `a` is faster than `b` by more than their uncertainty.
inline bool is_faster(Measured const& a, Measured const& b)
{
  return a.throughput > b.throughput * (1.0 + uncertainty_of(a, b));
}
inline bool cannot_be_told_apart(Measured const& a, Measured const& b)
{
  return !is_faster(a, b) && !is_faster(b, a);
}
inline bool is_smaller(Measured const& a, Measured const& b)
{
  return a.bytes_per_key < b.bytes_per_key * (1.0 - same_memory);
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
  bool stays() const { return results_.present == choice_.winner && !choice_.equals.empty(); }

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
