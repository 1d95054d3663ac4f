#include "app/tuning/answer_part.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::tuning {
namespace {

/// Of the whole table of the workload, from what was measured.
double whole_bytes(Results const& results, Measured const& measured)
{
  return measured.bytes_per_key * static_cast<double>(results.different);
}

std::string size_text(double bytes)
{
  return bytes_text(static_cast<std::uint64_t>(std::llround(bytes)));
}

constexpr double no_answer = 1.0;  ///< of an uncertainty: nothing is known

/// What was chosen, beside the present setting, and what else there is to choose.
class ChoicePart : public AnswerPart {
public:
  using AnswerPart::AnswerPart;

  void write()
  {
    say_choice();
    say_present();
    say_alternatives();
  }

private:
  void say_choice()
  {
    std::string const title = title_of(best_);
    std::string const rate = rate_text(results_.workload, best_.throughput);
    std::string const bytes = bytes_a_key(best_.bytes_per_key);
    std::string const text = keeps()
                                 ? tr("Keep your present setting, {}: {}, {}; {}.", title, rate, bytes, why_chosen())
                                 : fmt::format("{}: {}, {}; {}.", title, rate, bytes, why_chosen());
    bool const open = best_.uncertainty > no_answer;
    say(Topic::choice, open ? tr("No answer yet, the rates were too unsteady. The best guess: {}", text) : text, open);
  }

  std::string why_chosen() const
  {
    if (std::ranges::count_if(results_.measured, works) == 1) { return tr("the only one that there was time for"); }
    if (keeps()) { return tr("no other {} is worth the change", of_those_compared()); }
    if (results_.workload.max_bytes > 0.0) {
      return tr("the fastest within {}, {}", bytes_a_key(results_.workload.max_bytes), of_those_compared());
    }
    if (is_fastest()) { return tr("the fastest of all {} tables", results_.measured.size()); }
    if (std::ranges::count_if(results_.measured, [&](auto const& each) { return compares(each); }) == 1) {
      return tr("the only one of {} tables that there was time to measure closely", results_.measured.size());
    }
    if (nothing_is_faster()) { return tr("none {} is clearly faster", of_those_compared()); }
    if (stays()) { return tr("no other {} has a clearly better balance of speed and memory", of_those_compared()); }
    if (!choice_.equals.empty()) {
      return tr_plural("the best balance of speed and memory {}, shared with one that cannot be told apart from it",
                       "the best balance of speed and memory {}, shared with {} that cannot be told apart from it",
                       choice_.equals.size(), of_those_compared(), choice_.equals.size());
    }
    return tr("the best balance of speed and memory {}: beyond it, more memory brings less than its share of speed",
              of_those_compared());
  }

  /// "of the 4 closely measured tables (out of 67)"
  std::string of_those_compared() const
  {
    std::size_t const all = results_.measured.size();
    if (best_.stage != Stage::checked) { return tr("of {} tables (none measured closely yet)", all); }
    auto const closely =
        static_cast<std::size_t>(std::ranges::count(results_.measured, Stage::checked, &Measured::stage));
    if (closely == all) { return tr("of the {} closely measured tables", closely); }
    return tr_plural("of the {} closely measured tables (out of {})", "of the {} closely measured tables (out of {})",
                     closely, closely, all);
  }

  /// Whether the present setting was chosen because what has a better balance saves too little for its loss of speed.
  bool keeps() const { return choice_.passed_over && results_.present == choice_.winner; }

  /// Of all that was measured, closely or not.
  bool is_fastest() const
  {
    return choice_.equals.empty() && choice_.rough.empty() && results_.unmeasured.empty() &&
           results_.measured.size() > 1 && std::ranges::none_of(results_.measured, [&](Measured const& each) {
             return works(each) && each.throughput > best_.throughput;
           });
  }

  bool nothing_is_faster() const
  {
    return std::ranges::none_of(results_.measured,
                                [&](Measured const& each) { return compares(each) && is_faster(each, best_); });
  }

  void say_present()
  {
    if (!results_.present) { return; }
    if (keeps()) { return say_what_was_passed_over(results_.measured[*choice_.passed_over]); }
    if (results_.present == choice_.winner) {
      return say(Topic::comparison,
                 tr("That is your present setting: nothing that was measured is clearly better. Keep it."));
    }
    Measured const& present = results_.measured[*results_.present];
    if (present.throughput <= 0.0) {
      return say(Topic::comparison, tr("Your present setting, {}, could not be measured.", title_of(present)), true);
    }
    say(Topic::comparison, beside_present(present));
    if (present.failed != 0) {
      say(Topic::risk, tr("In your present setting, {} insertions found no place.", grouped(present.failed)), true);
    }
  }

  std::string beside_present(Measured const& present) const
  {
    double const saved = whole_bytes(results_, present) - whole_bytes(results_, best_);
    bool const same = std::abs(saved) < 0.005 * whole_bytes(results_, present);
    std::string const size = size_text(std::abs(saved));
    std::string const memory = same          ? tr("as much memory")
                               : saved > 0.0 ? tr("{} less memory", size)
                                             : tr("{} more memory", size);
    double const off = uncertainty_of(best_, present);
    std::string const title = title_of(present);
    std::string const rate = rate_text(results_.workload, present.throughput);
    std::string const bytes = bytes_a_key(present.bytes_per_key);
    std::string const text =
        cannot_be_told_apart(best_, present)
            ? tr("So far, its speed cannot be told apart (± {}) from that of your present setting ({}: {}, {}), with "
                 "{}.",
                 percent(off), title, rate, bytes, memory)
            : tr("That is {} × the speed (± {}) of your present setting ({}: {}, {}), with {}.",
                 ratio_text(best_.throughput / present.throughput, off), percent(off), title, rate, bytes, memory);
    bool const unlike = best_.candidate.table.keys_only && !present.candidate.table.keys_only;
    return unlike ? fmt::format("{} {}", text, tr("It has no sets, so it was measured with a value for each key."))
                  : text;
  }

  void say_what_was_passed_over(Measured const& other)
  {
    double const saved = whole_bytes(results_, best_) - whole_bytes(results_, other);
    say(Topic::comparison,
        tr("{} has a better balance of both: it takes {} ({}) less memory, and is {} slower (± {}). That is too little "
           "to change for.",
           title_of(other), size_text(saved), percent(saved / whole_bytes(results_, best_)),
           percent(1.0 - other.throughput / best_.throughput), percent(uncertainty_of(best_, other))));
  }

  /// The same table with more or fewer slots, and the fastest one: only what is better in something.
  void say_alternatives()
  {
    Measured const* higher = nullptr;
    Measured const* lower = nullptr;
    for (Measured const& each : results_.measured) {
      if (!compares(each) || !is_best(each.candidate.table)) { continue; }
      bool const saves = each.load() > best_.load() && is_smaller(each, best_);
      bool const gains = each.load() < best_.load() && is_faster(each, best_);
      if (saves && (higher == nullptr || each.load() > higher->load())) { higher = &each; }
      if (gains && (lower == nullptr || each.throughput > lower->throughput)) { lower = &each; }
    }
    if (higher != nullptr) { say_other_load(*higher); }
    if (lower != nullptr) { say_other_load(*lower); }
    if (!choice_.fastest || choice_.fastest == choice_.winner) { return; }
    Measured const& fastest = results_.measured[*choice_.fastest];
    if (!is_faster(fastest, best_)) { return; }
    say(Topic::alternative,
        fmt::format(
            "{} {}", what_is_fastest(fastest, &fastest == lower),
            tr("To ask for the fastest, allow it this memory: --most-bytes {:.0f}, or Bytes among the limits in "
               "the window.",
               std::ceil(fastest.bytes_per_key))));
  }

  std::string what_is_fastest(Measured const& fastest, bool is_named) const
  {
    double const more = 100.0 * (fastest.throughput / best_.throughput - 1.0);
    std::string const gain = tr("{:.0f} % more throughput, for {}", more, memory_change(fastest, best_));
    if (Measured const& first = highest_rate(); first.throughput > fastest.throughput) {
      return tr(
          "{} has the highest rate, {}, but it cannot be told apart (± {}) from that of {}, which is smaller: {}.",
          title_of(first), short_number(first.throughput), percent(uncertainty_of(first, fastest)), title_of(fastest),
          gain);
    }
    return is_named ? tr("That would be the fastest.") : tr("The fastest is {}: {}.", title_of(fastest), gain);
  }

  /// Of all that compare.
  Measured const& highest_rate() const
  {
    Measured const* highest = &best_;
    for (Measured const& each : results_.measured) {
      bool const is_choice = compares(each) && can_be_chosen(results_, each);
      if (is_choice && each.throughput > highest->throughput) { highest = &each; }
    }
    return *highest;
  }

  void say_other_load(Measured const& other)
  {
    double const load = other.load();
    double const speed = 100.0 * std::abs(other.throughput / best_.throughput - 1.0);
    double const memory = 100.0 * std::abs(other.bytes_per_key / best_.bytes_per_key - 1.0);
    say(Topic::alternative, other.bytes_per_key < best_.bytes_per_key ? smaller_text(other, load, memory, speed)
                                                                      : larger_text(other, load, memory, speed));
  }

  std::string smaller_text(Measured const& other, double load, double memory, double speed) const
  {
    if (cannot_be_told_apart(best_, other)) {
      return tr(
          "The same table at α {:.2f} would save {:.0f} % memory and see no difference in speed beyond the "
          "uncertainty.",
          load, memory);
    }
    return other.throughput > best_.throughput
               ? tr("The same table at α {:.2f} would save {:.0f} % memory and gain {:.0f} % of speed.", load, memory,
                    speed)
               : tr("The same table at α {:.2f} would save {:.0f} % memory and lose {:.0f} % of speed.", load, memory,
                    speed);
  }

  std::string larger_text(Measured const& other, double load, double memory, double speed) const
  {
    if (cannot_be_told_apart(best_, other)) {
      return tr(
          "The same table at α {:.2f} would spend {:.0f} % memory and see no difference in speed beyond the "
          "uncertainty.",
          load, memory);
    }
    return other.throughput > best_.throughput
               ? tr("The same table at α {:.2f} would spend {:.0f} % memory and gain {:.0f} % of speed.", load, memory,
                    speed)
               : tr("The same table at α {:.2f} would spend {:.0f} % memory and lose {:.0f} % of speed.", load, memory,
                    speed);
  }
};

}  // namespace

std::vector<Sentence> answer_of(Results const& results, Choice const& choice)
{
  std::vector<Sentence> sentences;
  if (choice.winner) {
    ChoicePart(results, choice, sentences).write();
    say_division(results, choice, sentences);
    say_risks(results, choice, sentences);
    say_certainty(results, choice, sentences);
    return sentences;
  }
  std::string text = tr("No table that was measured serves this workload.");
  if (!results.skipped.empty()) {
    Skipped const& first = results.skipped.front();
    std::size_t const count = results.skipped.size();
    text += ' ' + tr_plural("{} was not measured: {}: {}.", "{} were not measured; for example {}: {}.", count, count,
                            title_of(first.candidate), first.why.text());
  }
  sentences.push_back({Topic::choice, std::move(text), true});
  return sentences;
}

RateBasis basis_of(Measured const& measured, OperationResult const& result)
{
  auto const repeats = static_cast<std::uint64_t>(std::max(measured.repeats, 1));
  return {repeats * result.count, static_cast<double>(repeats) * result.seconds, repeats * result.batches};
}

RateBasis basis_of(Measured const& measured)
{
  RateBasis all;
  for (auto const& result : measured.operations) {
    if (!result) { continue; }
    RateBasis const one = basis_of(measured, *result);
    all = {all.operations + one.operations, all.seconds + one.seconds, all.runs + one.runs};
  }
  return all;
}

std::string text_of(std::vector<Sentence> const& sentences)
{
  std::string text;
  for (Sentence const& sentence : sentences) {
    if (!text.empty()) { text += '\n'; }
    text += sentence.text;
  }
  return text;
}

}  // namespace slotscape::tuning
