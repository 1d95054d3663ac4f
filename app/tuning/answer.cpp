#include "app/tuning/answer.hpp"

#include "app/base/text.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace slotscape::tuning {
namespace {

/// "412 M operations a second".
std::string rate_text(Workload const& workload, double rate)
{
  return fmt::format("{} {} a second", short_number(rate), workload.unit());
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

/// Whether `a` is faster than `b` by more than their uncertainty.
bool is_faster(Measured const& a, Measured const& b)
{
  return a.throughput > b.throughput * (1.0 + uncertainty_of(a, b));
}

bool cannot_be_told_apart(Measured const& a, Measured const& b)
{
  return !is_faster(a, b) && !is_faster(b, a);
}

constexpr double other_memory = 0.01;  ///< a difference in bytes a key that counts, as a share

bool is_smaller(Measured const& a, Measured const& b)
{
  return a.bytes_per_key < b.bytes_per_key * (1.0 - other_memory);
}

/// The first few, and how many more.
std::vector<std::string> named_ones(std::vector<std::string> names)
{
  constexpr std::size_t max_named = 3;
  std::size_t const more = names.size() - std::min(names.size(), max_named);
  names.resize(names.size() - more);
  if (more != 0) { names.push_back(fmt::format("{} more", more)); }
  return names;
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
    if (!results_.workload.join && results_.workload.erase > 0.0) {
      for (ChurnResult const& churn : results_.churn) { say_churn(churn); }
    }
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
    std::string const text =
        fmt::format("{}{}: {}, {}; {}.", keeps() ? "Keep your present setting, " : "", title_of(best_),
                    rate_text(results_.workload, best_.throughput), bytes_a_key(best_.bytes_per_key), why_chosen());
    bool const open = best_.uncertainty > no_answer;
    say(Topic::choice,
        open ? fmt::format("No answer yet, the rates were too unsteady. The best guess: {}", text) : text, open);
  }

  std::string why_chosen() const
  {
    if (std::ranges::count_if(results_.measured, works) == 1) { return "the only one that there was time for"; }
    if (keeps()) { return fmt::format("no other {} is worth the change", of_those_compared()); }
    if (results_.workload.max_bytes > 0.0) {
      return fmt::format("the fastest within {}, {}", bytes_a_key(results_.workload.max_bytes), of_those_compared());
    }
    if (is_fastest()) { return fmt::format("the fastest of all {} tables", results_.measured.size()); }
    if (std::ranges::count_if(results_.measured, [&](auto const& each) { return compares(each); }) == 1) {
      return fmt::format("the only one of {} tables that there was time to measure closely", results_.measured.size());
    }
    if (nothing_is_faster()) { return fmt::format("none {} is clearly faster", of_those_compared()); }
    if (stays()) {
      return fmt::format("no other {} has a clearly better balance of speed and memory", of_those_compared());
    }
    if (!choice_.equals.empty()) {
      return fmt::format("the best balance of speed and memory {}, shared with {} that cannot be told apart from it",
                         of_those_compared(),
                         choice_.equals.size() == 1 ? "one" : std::to_string(choice_.equals.size()));
    }
    return fmt::format(
        "the best balance of speed and memory {}: beyond it, more memory brings less than its share of speed",
        of_those_compared());
  }

  /// "of the 4 closely measured tables (out of 67)"
  std::string of_those_compared() const
  {
    std::size_t const all = results_.measured.size();
    if (best_.stage != Stage::checked) { return fmt::format("of {} tables (none measured closely yet)", all); }
    auto const closely =
        static_cast<std::size_t>(std::ranges::count(results_.measured, Stage::checked, &Measured::stage));
    return fmt::format("of the {} closely measured tables{}", closely,
                       closely == all ? "" : fmt::format(" (out of {})", all));
  }

  /// Whether the present setting was chosen because what has a better balance saves too little for its loss of speed.
  bool keeps() const { return choice_.passed_over && results_.present == choice_.winner; }

  /// Whether the present setting was chosen, and not for its merits alone.
  bool stays() const { return results_.present == choice_.winner && !choice_.equals.empty(); }

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
                 "That is your present setting: nothing that was measured is clearly better. Keep it.");
    }
    Measured const& present = results_.measured[*results_.present];
    if (present.throughput <= 0.0) {
      return say(Topic::comparison, fmt::format("Your present setting, {}, could not be measured.", title_of(present)),
                 true);
    }
    double const saved = whole_bytes(results_, present) - whole_bytes(results_, best_);
    std::string const memory =
        std::abs(saved) < 0.005 * whole_bytes(results_, present)
            ? "as much memory"
            : fmt::format("{} {} memory", size_text(std::abs(saved)), saved > 0.0 ? "less" : "more");
    std::string const speed =
        cannot_be_told_apart(best_, present)
            ? fmt::format("So far, its speed cannot be told apart (± {}) from that",
                          percent(uncertainty_of(best_, present)))
            : fmt::format("That is {:.2f} × the speed (± {})", best_.throughput / present.throughput,
                          percent(uncertainty_of(best_, present)));
    bool const unlike = best_.candidate.table.keys_only && !present.candidate.table.keys_only;
    say(Topic::comparison,
        fmt::format("{} of your present setting ({}: {}, {}), with {}.{}", speed, title_of(present),
                    rate_text(results_.workload, present.throughput), bytes_a_key(present.bytes_per_key), memory,
                    unlike ? " It has no sets, so it was measured with a value for each key." : ""));
    if (present.failed != 0) {
      say(Topic::risk, fmt::format("In your present setting, {} insertions found no place.", grouped(present.failed)),
          true);
    }
  }

  void say_what_was_passed_over(Measured const& other)
  {
    double const saved = whole_bytes(results_, best_) - whole_bytes(results_, other);
    say(Topic::comparison,
        fmt::format("{} has a better balance of both: it takes {} ({}) less memory, and is {} slower (± {}). That is "
                    "too little to change for.",
                    title_of(other), size_text(saved), percent(saved / whole_bytes(results_, best_)),
                    percent(1.0 - other.throughput / best_.throughput), percent(uncertainty_of(best_, other))));
  }

  static bool works(Measured const& each) { return each.failed == 0 && each.throughput > 0.0 && !each.clogged_after; }

  /// Whether it was measured as thoroughly as the choice, and does what it should.
  bool compares(Measured const& each) const
  {
    return works(each) && each.stage >= std::min(best_.stage, Stage::checked);
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
    std::string const gain =
        fmt::format("{} throughput, for {} memory", change_text(fastest.throughput, best_.throughput, "more", "less"),
                    change_text(fastest.bytes_per_key, best_.bytes_per_key, "more", "less"));
    std::string which = &fastest == lower ? std::string("That would be the fastest.")
                                          : fmt::format("The fastest is {}: {}.", title_of(fastest), gain);
    if (Measured const& first = highest_rate(); first.throughput > fastest.throughput) {
      which = fmt::format(
          "The highest rate, {}, has {}; it cannot be told apart (± {}) from that of {}, which is "
          "smaller: {}.",
          short_number(first.throughput), title_of(first), percent(uncertainty_of(first, fastest)), title_of(fastest),
          gain);
    }
    say(Topic::alternative,
        fmt::format(
            "{} To ask for the fastest, allow it this memory: --most-bytes {:.0f}, or Bytes among the limits in "
            "the window.",
            which, std::ceil(fastest.bytes_per_key)));
  }

  /// Of all that compare.
  Measured const& highest_rate() const
  {
    Measured const* highest = &best_;
    double const budget = results_.workload.max_bytes;
    for (Measured const& each : results_.measured) {
      bool const affordable = budget <= 0.0 || each.bytes_per_key <= budget;
      if (compares(each) && affordable && each.throughput > highest->throughput) { highest = &each; }
    }
    return *highest;
  }

  void say_other_load(Measured const& other)
  {
    bool const saves = other.bytes_per_key < best_.bytes_per_key;
    bool const gains = other.throughput > best_.throughput;
    std::string speed = fmt::format("{} {:.0f} % of speed", gains ? "gain" : "lose",
                                    100.0 * std::abs(other.throughput / best_.throughput - 1.0));
    if (cannot_be_told_apart(best_, other)) { speed = "see no difference in speed beyond the uncertainty"; }
    say(Topic::alternative, fmt::format("The same table at α {:.2f} would {} {:.0f} % memory and {}.", other.load(),
                                        saves ? "save" : "spend",
                                        100.0 * std::abs(other.bytes_per_key / best_.bytes_per_key - 1.0), speed));
  }

  void say_risk()
  {
    if (best_.safe_load < 1.0 && !best_.candidate.grouped) {
      say(Topic::risk, fmt::format("Random keys are guaranteed a slot up to α {:.2f}.", best_.safe_load));
    }
    say_rebuilds();
    say_failures();
    for (FailureResult const& result : results_.failures) {
      bool const present = results_.present && results_.measured[*results_.present].candidate.table == result.table;
      if (!present || results_.present == choice_.winner || result.failed == 0) { continue; }
      say(Topic::risk, fmt::format("In your present setting, {} of {} builds failed.", result.failed, result.builds),
          true);
    }
  }

  /// A table that is built as a whole was measured as such: what comes later costs as much again.
  void say_rebuilds()
  {
    Workload const& workload = results_.workload;
    bool const is_static = family_info(best_.candidate.table.family).guarantees(best_.candidate.table).is_static;
    if (!is_static || best_.candidate.grouped || workload.join || workload.insert <= 0.0) { return; }
    say(Topic::risk,
        fmt::format("It is built as a whole, once: that is how your {} of insertions were measured, in one batch. Each "
                    "later batch builds all of it again. If keys come bit by bit, say how many together (Batch): then "
                    "such tables are left out.",
                    percent(workload.insert / workload.operations())),
        true);
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
        bool const here = std::abs(result.load - best_.load()) <= same_load;
        return say(Topic::risk,
                   fmt::format("At α {:.2f}, {} of {} builds failed: {}.", result.load, result.failed, result.builds,
                               here ? "choose a lower load" : "avoid this load"),
                   here);
      }
      last = &result;
    }
    if (last == nullptr) { return; }
    std::string const builds = last->builds == 1 ? "The one build that was tried did not fail"
                                                 : fmt::format("None of {} builds failed", last->builds);
    bool const fuller = last->load > best_.load() + same_load;
    say(Topic::risk, fmt::format("{} at α {:.2f}{}, with {} keys{}.", builds, last->load,
                                 fuller ? ", the fullest that was tried" : "", grouped(last->keys),
                                 last->builds == 1 ? "" : " each"));
  }

  void say_latency()
  {
    if (best_.batch_seconds <= 0.0) { return; }
    if (results_.workload.join) { return say_join(); }
    say(Topic::latency, fmt::format("A batch of {} operation{} takes {}; the slowest one that was seen took {}.",
                                    grouped(best_.batch), best_.batch == 1 ? "" : "s",
                                    milliseconds(best_.batch_seconds), milliseconds(best_.worst_batch_seconds)));
  }

  /// What was measured of a join: its parts.
  void say_join()
  {
    auto const& build = best_.operations[static_cast<std::size_t>(bench::Timed::build)];
    auto const& probe = best_.operations[static_cast<std::size_t>(bench::Timed::probe)];
    if (!build || !probe) { return; }
    say(Topic::latency,
        fmt::format("The {} join: {} build rows in {} ({}); {} probe rows, {} of which match, with their results in {} "
                    "({}).",
                    to_text(results_.workload.join->kind), grouped(build->count), milliseconds(build->seconds),
                    rate_text(results_.workload, build->rate()), grouped(probe->count), percent(results_.match),
                    milliseconds(probe->seconds), rate_text(results_.workload, probe->rate())));
    say(Topic::latency, "Bytes are those of the table that probes need; working memory and the result come on top.");
  }

  void say_churn(ChurnResult const& churn)
  {
    bool const best = churn.candidate == best_.candidate;
    std::string const who = best ? "" : fmt::format("Your present setting, {}: ", title_of(churn.candidate));
    if (churn.clogged) {
      return say(Topic::churn,
                 fmt::format("{}After {} of the keys had been replaced by others, {}: erased keys keep slots, so this "
                             "table must be rebuilt before.",
                             who, percent(churn.replaced),
                             churn.failed != 0 ? fmt::format("{} insertions found no place", grouped(churn.failed))
                                               : "operations took more than ten times as long as at first"),
                 true);
    }
    if (churn.lookups.size() < 2) { return; }
    std::string const times = churn.replaced < 1.5 ? "once" : fmt::format("{:.0f} times", churn.replaced);
    Change const all = change_of(churn, churn.lookups.front());
    std::string then;
    switch (all) {
      case Change::none: then = "lookups were as fast as before."; break;
      case Change::unclear:
        then = fmt::format("no clear change of lookups was seen: their times differ {} from run to run.",
                           churn.uncertainty > beyond_use ? "too much" : "by " + percent(churn.uncertainty));
        break;
      case Change::slower:
        then =
            fmt::format("lookups were {:.0f} % slower.", 100.0 * (1.0 - churn.lookups.back() / churn.lookups.front()));
    }
    say(Topic::churn,
        fmt::format("{}After all keys had been replaced by others {}, {}{}", who, times, then,
                    all == Change::slower ? trend_of(churn) : ""),
        all == Change::slower);
  }

  enum class Change : std::uint8_t { none, slower, unclear };

  /// Of the last lookups, from these on: what is said holds at both ends of the uncertainty.
  static Change change_of(ChurnResult const& churn, double before)
  {
    constexpr double as_fast = 0.9;
    double const after = churn.lookups.back() / before;
    double const off = 1.0 + churn.uncertainty;
    if (after * off < as_fast) { return Change::slower; }
    return after / off >= as_fast ? Change::none : Change::unclear;
  }

  static std::string trend_of(ChurnResult const& churn)
  {
    if (churn.lookups.size() < 3 || churn.runs < 2) { return ""; }  // one run may have been disturbed
    switch (change_of(churn, churn.lookups[churn.lookups.size() - 2])) {
      case Change::slower: return " It goes on getting slower: rebuild the table from time to time.";
      case Change::none: return " In the last turn hardly anything changed any more.";
      case Change::unclear: break;
    }
    return " Whether it goes on getting slower cannot be told: the times differ too much from run to run.";
  }

  void say_certainty()
  {
    say(Topic::certainty,
        fmt::format("Medians of {} repeats of {} {}; the middle half of them lies within {}.", best_.repeats,
                    grouped(operations_of(best_)), results_.workload.unit(), percent(best_.spread)));
    say_equals();
    if (best_.spread > rough_spread) {
      say(Topic::certainty, "The spread is large: close other programs, or give the sweep more time.", true);
    }
    if (results_.unrest > much_unrest) {
      say(Topic::certainty,
          fmt::format("Something else used the machine: at times it was {:.0f} % slower. Tables were compared in turn, "
                      "and rates are those at its best pace.",
                      100.0 * results_.unrest),
          true);
    }
    say_rough();
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
      say(Topic::certainty, fmt::format("Rough: all repeats together are {} {}, in {}.", grouped(basis.operations),
                                        results_.workload.unit(), milliseconds(basis.seconds)));
    }
  }

  /// What may be better, for all that is known.
  void say_rough()
  {
    if (!results_.unmeasured.empty()) {
      say(Topic::certainty,
          fmt::format("There was no time for {}: give the sweep more.", listed(named_ones(results_.unmeasured))), true);
    }
    Measured const* const faster = fastest_of_the_rough();
    std::string which = choice_.rough.empty() ? "" : title_of(results_.measured[choice_.rough.back()]);
    if (results_.unchecked > 1) {
      which = fmt::format("{} tables{}", results_.unchecked, which.empty() ? "" : ", such as " + which + ",");
    }
    if (which.empty() && results_.unchecked == 1) { which = "one table"; }
    if (which.empty() && faster == nullptr) { return; }
    std::string text;
    if (!which.empty()) {
      text = fmt::format("The time was too short to measure {} closely: {} may be better. ", which,
                         results_.unchecked > 1 ? "some" : "it");
    }
    if (faster != nullptr) {
      text +=
          fmt::format("The fastest of those that were measured only roughly so far is {}: {}, {}. ", title_of(*faster),
                      rate_text(results_.workload, faster->throughput), bytes_a_key(faster->bytes_per_key));
    }
    say(Topic::certainty, text + "Give the sweep more.");
  }

  /// If it seems faster than all that was measured closely; of tables as large as that one.
  Measured const* fastest_of_the_rough() const
  {
    Measured const* fastest = nullptr;
    double most = 0.0;
    for (Measured const& each : results_.measured) {
      if (compares(each)) { most = std::max(most, each.throughput); }
    }
    double const budget = results_.workload.max_bytes;
    for (Measured const& each : results_.measured) {
      bool const fits = budget <= 0.0 || each.bytes_per_key <= budget;
      bool const rough = works(each) && !compares(each) && fits && 2 * each.keys >= best_.keys;
      if (!rough || each.throughput <= most) { continue; }
      most = each.throughput;
      fastest = &each;
    }
    return fastest;
  }

  /// What could as well have been chosen.
  void say_equals()
  {
    if (best_.uncertainty > beyond_use) {
      say(Topic::certainty,
          fmt::format("Its speed is too unsteady to be compared with that of others yet: {}. Close other programs, and "
                      "give the sweep more time.",
                      best_.spread > rough_spread
                          ? "its repeats differ a lot"
                          : "its repeats are alike, but the machine's pace changed between them"),
          true);
    } else if (best_.uncertainty > 0.0) {
      say(Topic::certainty,
          fmt::format("Compared with other tables, its speed is known to ± {}.", percent(best_.uncertainty)));
    }
    if (choice_.equals.empty()) { return; }
    std::vector<std::string> const names = named_ones(titles_of_equals());
    bool const within_budget = results_.workload.max_bytes > 0.0;
    say(Topic::certainty,
        fmt::format("{} cannot be told apart from it here in {}: the difference lies within the uncertainty. {}",
                    listed(names), within_budget ? "speed" : "the balance of speed and memory",
                    stays() ? "So your present setting stays."
                            : "Of those within a tenth of the best, the one with the least memory was chosen."));
  }

  /// Where two loads look alike, with as many slots as they have.
  std::vector<std::string> titles_of_equals() const
  {
    std::map<std::string, int> seen{{title_of(best_), 1}};
    for (std::size_t const i : choice_.equals) { ++seen[title_of(results_.measured[i])]; }
    std::vector<std::string> titles;
    for (std::size_t const i : choice_.equals) {
      Measured const& each = results_.measured[i];
      std::string title = title_of(each);
      if (seen[title] > 1) { title += fmt::format(" ({} slots)", grouped(each.candidate.table.slots)); }
      titles.push_back(std::move(title));
    }
    return titles;
  }

  void say_keys()
  {
    if (!results_.remark.empty()) { say(Topic::keys, results_.remark); }
    say_sizes();
    say_set_aside();
    auto const [inserts, different] = results_.available;
    if (different != 0 && different < inserts) {
      say(Topic::keys, fmt::format("Of {} keys, {} {} different.", grouped(inserts), grouped(different),
                                   different == 1 ? "is" : "are"));
    }
    double const misses = results_.misses();
    auto const& own = results_.homes_of_choice;
    bool const told = own && own->hash == best_.candidate.table.hash && own->slots == best_.candidate.table.slots;
    if (told && uses_hash() && own->evenness() != Evenness::as_random) {
      say(Topic::keys, own->verdict, own->bad(misses) && best_.candidate.table.hash != HashKind::murmur3);
    }
    for (HashUniformity const& hash : results_.hashes) {
      bool const chosen = uses_hash() && hash.hash == best_.candidate.table.hash;
      if (hash.bad() && !(chosen && told)) { say(Topic::keys, hash.verdict, chosen && hash.bad(misses)); }
    }
  }

  /// Which table is to be made, where a smaller one was measured.
  void say_sizes()
  {
    if (best_.keys == 0 || best_.keys >= results_.different || best_.slots == 0) { return; }
    say(Topic::keys,
        fmt::format("For {} keys, the table has {} slots. Measured, and named by the command that checks it, "
                    "was one of {} slots with {} keys.",
                    grouped(results_.different), grouped(best_.candidate.table.slots), grouped(best_.slots),
                    grouped(best_.keys)));
  }

  /// What is known from before and does not count, each reason once.
  void say_set_aside()
  {
    std::map<std::string, std::vector<std::string>> reasons;
    for (Skipped const& each : results_.set_aside) { reasons[each.why].push_back(title_of(each.candidate)); }
    for (auto const& [why, titles] : reasons) {
      say(Topic::keys, fmt::format("Of what was measured before, {} {} not count: {}.", listed(named_ones(titles)),
                                   titles.size() == 1 ? "does" : "do", why));
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
  static constexpr double beyond_use = 0.5;  ///< of an uncertainty
  static constexpr double no_answer = 1.0;   ///< the same: nothing is known
  static constexpr double much_unrest = 0.15;
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
