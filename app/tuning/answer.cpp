#include "app/tuning/answer.hpp"

#include "app/base/text.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace slotscape::tuning {
namespace {

/// "412 M operations a second".
std::string rate_text(double rate)
{
  return fmt::format("{} operations a second", short_number(rate));
}

std::string bytes_a_key(double bytes)
{
  return fmt::format("{:.1f} bytes a key", bytes);
}

/// Of the whole table of the workload, from what was measured.
double whole_bytes(Results const& results, Measured const& measured)
{
  return measured.bytes_per_key * static_cast<double>(results.different);
}

std::string size_text(double bytes)
{
  return bytes_text(static_cast<std::uint64_t>(std::llround(bytes)));
}

/// "8 % more" or "4 % less": of `now`, compared with `before`; no decimals.
std::string change_text(double now, double before, std::string_view more, std::string_view less)
{
  double const change = 100.0 * (now / before - 1.0);
  return fmt::format("{:.0f} % {}", std::abs(change), change >= 0.0 ? more : less);
}

/// The difference of two rates that repeats explain.
double noise_of(Measured const& a, Measured const& b)
{
  return a.spread + b.spread;
}

/// Makes the sentences, in their order.
class Writer {
public:
  Writer(Results const& results, Choice const& choice)
      : results_(results), choice_(choice), best_(results.measured[*choice.winner])
  {
  }

  std::vector<Sentence> write()
  {
    say_choice();
    say_present();
    say_alternatives();
    say_risk();
    say_latency();
    for (ChurnResult const& churn : results_.churn) { say_churn(churn); }
    say_certainty();
    say_keys();
    return std::move(sentences_);
  }

private:
  void say(Topic topic, std::string const& text, bool warns = false)
  {
    Sentence& sentence = sentences_.emplace_back();
    sentence.topic = topic;
    sentence.text = text;
    sentence.warns = warns;
  }

  void say_choice()
  {
    std::string why =
        "the best balance of speed and memory: beyond it, more memory brings less than its share of speed";
    if (results_.workload.most_bytes > 0.0) {
      why = fmt::format("the fastest within {}", bytes_a_key(results_.workload.most_bytes));
    } else if (choice_.fastest == choice_.winner) {
      why = "the fastest of all";
    }
    say(Topic::choice, fmt::format("{}: {}, {}; {}.", title_of(best_.candidate), rate_text(best_.throughput),
                                   bytes_a_key(best_.bytes_per_key), why));
  }

  void say_present()
  {
    if (!results_.present) { return; }
    if (results_.present == choice_.winner) {
      return say(Topic::comparison, "That is your present setting: nothing that was measured is better.");
    }
    Measured const& present = results_.measured[*results_.present];
    if (present.throughput <= 0.0) {
      return say(Topic::comparison,
                 fmt::format("Your present setting, {}, could not be measured.", title_of(present.candidate)), true);
    }
    double const saved = whole_bytes(results_, present) - whole_bytes(results_, best_);
    std::string const memory =
        std::abs(saved) < 0.005 * whole_bytes(results_, present)
            ? "as much memory"
            : fmt::format("{} {} memory", size_text(std::abs(saved)), saved > 0.0 ? "less" : "more");
    say(Topic::comparison, fmt::format("That is {:.2f} × the speed of your present setting ({}: {}, {}), with {}.",
                                       best_.throughput / present.throughput, title_of(present.candidate),
                                       rate_text(present.throughput), bytes_a_key(present.bytes_per_key), memory));
    if (present.failed != 0) {
      say(Topic::risk, fmt::format("In your present setting, {} insertions found no place.", grouped(present.failed)),
          true);
    }
  }

  /// The same table with more or fewer slots, and the fastest one.
  void say_alternatives()
  {
    Measured const* higher = nullptr;
    Measured const* lower = nullptr;
    for (Measured const& each : results_.measured) {
      bool const comparable = each.stage != Stage::coarse && each.failed == 0 && each.throughput > 0.0;
      if (!comparable || !is_best(each.candidate.table)) { continue; }
      double const more = each.candidate.load - best_.candidate.load;
      if (more > 0.005 && (higher == nullptr || each.candidate.load > higher->candidate.load)) { higher = &each; }
      if (more < -0.005 && (lower == nullptr || each.candidate.load < lower->candidate.load)) { lower = &each; }
    }
    if (higher != nullptr) { say_other_load(*higher); }
    if (lower != nullptr) { say_other_load(*lower); }
    if (choice_.fastest && choice_.fastest != choice_.winner) {
      Measured const& fastest = results_.measured[*choice_.fastest];
      say(Topic::alternative,
          fmt::format("The fastest is {}: {} throughput, for {} memory.", title_of(fastest.candidate),
                      change_text(fastest.throughput, best_.throughput, "more", "less"),
                      change_text(fastest.bytes_per_key, best_.bytes_per_key, "more", "less")));
    }
  }

  void say_other_load(Measured const& other)
  {
    bool const saves = other.bytes_per_key < best_.bytes_per_key;
    bool const gains = other.throughput > best_.throughput;
    std::string speed = fmt::format("{} {:.0f} % of speed", gains ? "gain" : "lose",
                                    100.0 * std::abs(other.throughput / best_.throughput - 1.0));
    if (std::abs(other.throughput / best_.throughput - 1.0) <= noise_of(best_, other)) {
      speed = "see no difference in speed beyond the spread";
    }
    say(Topic::alternative,
        fmt::format("At α {:.2f} you would {} {:.0f} % memory and {}.", other.candidate.load, saves ? "save" : "spend",
                    100.0 * std::abs(other.bytes_per_key / best_.bytes_per_key - 1.0), speed));
  }

  void say_risk()
  {
    if (best_.safe_load < 1.0) {
      say(Topic::risk, fmt::format("Random keys surely find a place up to α {:.2f}.", best_.safe_load));
    }
    say_failures();
    for (FailureResult const& result : results_.failures) {
      bool const present = results_.present && results_.measured[*results_.present].candidate.table == result.table;
      if (!present || results_.present == choice_.winner || result.failed == 0) { continue; }
      say(Topic::risk, fmt::format("In your present setting, {} of {} builds failed.", result.failed, result.builds),
          true);
    }
  }

  /// Of the same table, with any number of slots.
  bool is_best(TableSettings table) const
  {
    table.slots = best_.candidate.table.slots;
    return table == best_.candidate.table;
  }

  void say_failures()
  {
    FailureResult const* last = nullptr;
    for (FailureResult const& result : results_.failures) {
      if (!is_best(result.table)) { continue; }
      if (result.failed != 0) {
        bool const here = std::abs(result.load - best_.candidate.load) < 0.005;
        return say(Topic::risk,
                   fmt::format("At α {:.2f}, {} of {} builds failed: {}.", result.load, result.failed, result.builds,
                               here ? "choose a lower load" : "do not go there"),
                   here);
      }
      last = &result;
    }
    if (last == nullptr) { return; }
    say(Topic::risk, fmt::format("None of {} builds failed at α {:.2f}, with {} keys each.", last->builds, last->load,
                                 grouped(last->keys)));
  }

  void say_latency()
  {
    if (best_.batch_seconds <= 0.0) { return; }
    say(Topic::latency,
        fmt::format("A batch of {} operations takes {}; the slowest one that was seen took {}.", grouped(best_.batch),
                    milliseconds(best_.batch_seconds), milliseconds(best_.worst_batch_seconds)));
  }

  void say_churn(ChurnResult const& churn)
  {
    bool const best = churn.candidate == best_.candidate;
    std::string const who = best ? "" : fmt::format("Your present setting, {}: ", title_of(churn.candidate));
    bool const matters = results_.workload.erase > 0.0;
    if (churn.clogged) {
      return say(Topic::churn,
                 fmt::format("{}After {} of the keys had been replaced by others, {}: erased keys keep slots, so this "
                             "table must be rebuilt before.",
                             who, percent(churn.replaced),
                             churn.failed != 0 ? fmt::format("{} insertions found no place", grouped(churn.failed))
                                               : "operations took more than ten times as long as at first"),
                 matters);
    }
    if (churn.lookups.size() < 2) { return; }
    double const after = churn.lookups.back() / churn.lookups.front();
    bool const slower = after < 0.9;
    std::string const then =
        slower ? fmt::format("lookups were {:.0f} % slower", 100.0 * (1.0 - after)) : "lookups were as fast as before";
    std::string trend;
    if (slower && churn.lookups.size() > 2) {
      double const last = churn.lookups.back() / churn.lookups[churn.lookups.size() - 2];
      trend = last < 0.9 ? " It goes on getting slower: rebuild the table from time to time."
                         : " In the last turn nothing changed any more.";
    }
    say(Topic::churn,
        fmt::format("{}After all keys had been replaced by others {}, {}.{}", who,
                    churn.replaced < 1.5 ? "once" : fmt::format("{:.0f} times", churn.replaced), then, trend),
        matters && slower);
  }

  void say_certainty()
  {
    say(Topic::certainty, fmt::format("Medians of {} repeats of {} operations; the middle half of them lies within {}.",
                                      best_.repeats, grouped(operations_of(best_)), percent(best_.spread)));
    Measured const* rival = nullptr;
    for (std::size_t i = 0; i < results_.measured.size(); ++i) {
      Measured const& each = results_.measured[i];
      bool const counts =
          i != *choice_.winner && each.stage != Stage::coarse && each.failed == 0 && !each.clogged_after;
      double const gap = std::abs(each.throughput / best_.throughput - 1.0);
      bool const close =
          gap <= noise_of(best_, each) && std::abs(each.bytes_per_key / best_.bytes_per_key - 1.0) < 0.02;
      bool const other = each.candidate.table.family != best_.candidate.table.family ||
                         each.candidate.table.parameters != best_.candidate.table.parameters;
      if (counts && close && other && (rival == nullptr || each.throughput > rival->throughput)) { rival = &each; }
    }
    if (rival != nullptr) {
      say(Topic::certainty,
          fmt::format("{} is as good: the difference lies within the spread.", title_of(rival->candidate)));
    }
    if (best_.spread > rough_spread) {
      say(Topic::certainty, "The spread is large: close other programs, or give the sweep more time.", true);
    }
    if (best_.handover.changed()) {
      say(Topic::certainty,
          fmt::format("{} The system moved the program to other cores meanwhile, and what changes a table becomes "
                      "slower then.",
                      text_of(best_.handover)),
          true);
    }
    bool const launched = results_.backend == Backend::cuda && best_.batch_seconds > 0.0;
    if (launched && best_.batch_seconds < short_batch) {
      say(Topic::certainty, fmt::format("A good part of the {} of a batch is its launch, which differs from process to "
                                        "process: so may these rates, by a tenth or more.",
                                        milliseconds(best_.batch_seconds)));
    }
    if (RateBasis const basis = basis_of(best_); basis.rough()) {
      say(Topic::certainty, fmt::format("Rough: all repeats together are {} operations, in {}.",
                                        grouped(basis.operations), milliseconds(basis.seconds)));
    }
  }

  void say_keys()
  {
    if (!results_.remark.empty()) { say(Topic::keys, results_.remark); }
    for (HashUniformity const& hash : results_.hashes) {
      if (hash.bad()) { say(Topic::keys, hash.warning, hash.hash == best_.candidate.table.hash && uses_hash()); }
    }
  }

  bool uses_hash() const { return family_info(best_.candidate.table.family).uses_hash; }

  static std::uint64_t operations_of(Measured const& measured)
  {
    std::uint64_t sum = 0;
    for (auto const& result : measured.operations) { sum += result ? result->count : 0; }
    return sum;
  }

  static constexpr double rough_spread = 0.15;
  static constexpr double short_batch = 25e-6;  ///< seconds on a GPU, where a launch takes some of them

  Results const& results_;
  Choice const& choice_;
  Measured const& best_;
  std::vector<Sentence> sentences_;
};

}  // namespace

std::vector<Sentence> answer_of(Results const& results, Choice const& choice)
{
  if (choice.winner) { return Writer(results, choice).write(); }
  std::vector<Sentence> sentences;
  std::string text = "No table that was measured serves this workload.";
  if (!results.skipped.empty()) {
    text += fmt::format(" {} were not measured; for example {}: {}.", results.skipped.size(),
                        title_of(results.skipped.front().candidate), results.skipped.front().why);
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
