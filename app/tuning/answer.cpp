#include "app/tuning/answer_part.hpp"

#include "app/base/enum_names.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace slotscape::tuning {
namespace {

/// The bytes of the whole table of the workload, extrapolated from the measurement.
double whole_bytes(Results const& results, Measured const& measured)
{
  return measured.bytes_per_key * static_cast<double>(results.different);
}

std::string size_text(double bytes)
{
  return bytes_text(static_cast<std::uint64_t>(std::llround(bytes)));
}

/// "its deletion and its probing": features of the table in use that the tables here lack.
std::string missing_here(Results const& results)
{
  std::vector<std::string> missing;
  for (Unlike const each : results.workload.present->unlike) { missing.push_back(translated(to_label(each))); }
  return listed(missing, tr("and"));
}

std::string failed_text(Measured const& measured)
{
  return tr_plural("{} insertion failed", "{} insertions failed", measured.failed, grouped(measured.failed));
}

/// The reason without its full stop, so that it can end a sentence: some reasons are sentences themselves.
std::string reason_of(Skipped const& skipped)
{
  std::string why = skipped.why.text();
  if (why.ends_with('.')) { why.pop_back(); }
  return why;
}

/// Why the present setting was not measured; empty if it still will be.
std::string why_without_rate(Results const& results, Candidate const& setting)
{
  Measured const* const measured = results.present ? &results.measured[*results.present] : nullptr;
  if (measured != nullptr && measured->failed != 0) { return failed_text(*measured); }
  auto const skipped = std::ranges::find(results.skipped, setting, &Skipped::candidate);
  return skipped == results.skipped.end() ? std::string() : reason_of(*skipped);
}

/// Why the present setting has no rate to compare with; empty if it has a rate or there is no present setting.
std::string on_present_without_rate(Results const& results)
{
  Measured const* const measured = results.present ? &results.measured[*results.present] : nullptr;
  bool const has_rate = measured != nullptr && measured->throughput > 0.0;
  if (has_rate || (measured == nullptr && !results.workload.present)) { return {}; }
  std::optional<Candidate> const setting = measured != nullptr ? measured->candidate : results.present_setting;
  std::string const title = setting ? title_of(*setting) : title_of(results.workload.present->table);
  std::string const why = setting ? why_without_rate(results, *setting) : std::string();
  if (!results.stands_in()) {
    return why.empty() ? tr("Your present setting, {}, has not been measured yet.", title)
                       : tr("Your present setting, {}, was not measured: {}.", title, why);
  }
  std::string const own = missing_here(results);
  return why.empty()
             ? tr("Your own table was not measured: the tables here lack {}. The closest, {}, has not been measured "
                  "yet.",
                  own, title)
             : tr("Your own table was not measured: the tables here lack {}. Nor was the closest, {}: {}.", own, title,
                  why);
}

/// Why a table that has a rate still cannot be chosen.
std::string why_unfit(Measured const& measured)
{
  if (measured.failed != 0) { return failed_text(measured); }
  if (measured.clogged_after) { return tr("erased keys filled it up"); }
  return tr("it takes {}", bytes_a_key(measured.bytes_per_key));
}

/// The answer if no table can be chosen.
std::vector<Sentence> without_choice(Results const& results)
{
  std::string text = tr("No measured table suits this workload.");
  if (!results.skipped.empty()) {
    Skipped const& first = results.skipped.front();
    std::size_t const count = results.skipped.size();
    text += ' ' + tr_plural("{} was not measured: {}: {}.", "{} were not measured; for example {}: {}.", count, count,
                            title_of(first.candidate), reason_of(first));
  }
  std::vector<Sentence> sentences{{Topic::choice, std::move(text), true}};
  std::string present = on_present_without_rate(results);
  if (present.empty() && results.in_use()) {
    Measured const& measured = results.measured[*results.in_use()];
    present = tr("Your present setting, {}, does not suit it, either: {}.", title_of(measured), why_unfit(measured));
  }
  if (!present.empty()) { sentences.push_back({Topic::comparison, std::move(present), true}); }
  return sentences;
}

/// The choice, compared with the present setting, and its alternatives.
class ChoicePart : public AnswerPart {
public:
  using AnswerPart::AnswerPart;

  void write()
  {
    say_crowded_hash();
    say_choice();
    if (is_open()) { return say_open(); }
    say_others();
    say_present();
    say_alternatives();
  }

private:
  /// A poor hash matters more than the choice of the table.
  void say_crowded_hash()
  {
    auto const& present = results_.workload.present;
    if (!present || !present->has(Unlike::crowded_hash)) { return; }
    say(Topic::choice,
        tr("Change the hash first: your keys crowd under the hash of your own table. All tables were measured with "
           "other hashes."),
        true);
  }

  void say_choice()
  {
    std::string const title = title_of(best_);
    std::string const rate = rate_text(results_.workload, best_.throughput);
    std::string const bytes = bytes_a_key(best_.bytes_per_key);
    if (is_open()) {
      bool const is_alone = std::ranges::count_if(results_.measured, works) == 1;
      std::string const guess = is_alone ? fmt::format("{}: {}, {}; {}.", title, rate, bytes, why_chosen())
                                         : fmt::format("{}: {}, {}.", title, rate, bytes);
      return say(Topic::choice, tr("No answer yet, the rates were too unsteady. The best guess: {}", guess), true);
    }
    std::string const text = keeps()
                                 ? tr("Keep your present setting, {}: {}, {}; {}.", title, rate, bytes, why_chosen())
                                 : fmt::format("{}: {}, {}; {}.", title, rate, bytes, why_chosen());
    if (is_tie()) { return say_tie(title, rate, bytes); }
    say(Topic::choice, text);
  }

  /// Names the present setting without a verdict on it.
  void say_open()
  {
    if (say_present_without_rate() || !results_.present) { return; }
    Measured const& present = results_.measured[*results_.present];
    if (results_.stands_in()) { return say_stand_in(present); }
    say(Topic::comparison,
        results_.present == choice_.winner
            ? tr("That is your present setting. It is not known whether another one is better.")
            : tr("It is not known whether it is better than your present setting ({}: {}, {}).", title_of(present),
                 rate_text(results_.workload, present.throughput), bytes_a_key(present.bytes_per_key)));
  }

  bool say_present_without_rate()
  {
    std::string const text = on_present_without_rate(results_);
    if (!text.empty()) { say(Topic::comparison, text, results_.present || results_.present_setting); }
    return !text.empty();
  }

  /// Whether other tables would do as well, and the present setting is not the choice.
  bool is_tie() const { return !choice_.equals.empty() && !stays() && !keeps(); }

  /// Lists all tied tables in the order of the families before naming the one to take: noise decides which came out
  /// best.
  void say_tie(std::string const& title, std::string const& rate, std::string const& bytes)
  {
    std::string const names = listed(tied_ones(), tr("and"));
    bool const by_speed = results_.workload.max_bytes > 0.0;
    std::string const tied = by_speed
                                 ? tr("Tied in speed, so any of these will do: {}.", names)
                                 : tr("Tied in the balance of speed and memory, so any of these will do: {}.", names);
    say(Topic::choice,
        fmt::format("{} {}", tied, tr("Take {}: {}, {}; {}.", title, rate, bytes, why_of_these(by_speed))));
  }

  std::string why_of_these(bool by_speed) const
  {
    auto const smaller = [&](std::size_t i) { return is_smaller(results_.measured[i], best_); };
    if (std::ranges::none_of(choice_.equals, smaller)) { return tr("it takes the least memory of these"); }
    return by_speed ? tr("of those whose measured speed is within a tenth of the best, it takes the least memory")
                    : tr("of those whose measured balance is within a tenth of the best, it takes the least memory");
  }

  /// "Cuckoo hashing, α 0.85 to 0.91": each tied family once, with the loads of its tables.
  std::vector<std::string> tied_ones() const
  {
    std::map<std::size_t, std::vector<std::size_t>> families;
    auto const add = [&](std::size_t i) { families[place_of(results_.measured[i].candidate)].push_back(i); };
    add(*choice_.winner);
    std::ranges::for_each(choice_.equals, add);
    std::vector<std::string> names;
    names.reserve(families.size());
    for (auto const& [place, tables] : families) { names.push_back(family_and_loads(tables)); }
    return names;
  }

  std::string family_and_loads(std::vector<std::size_t> const& tables) const
  {
    auto const load = [&](std::size_t i) { return results_.measured[i].load(); };
    Candidate const& first = results_.measured[tables.front()].candidate;
    if (is_by_others(first)) { return title_of(first); }
    std::string const name = family_title_of(first);
    std::string const low = fmt::format("{:.2f}", load(std::ranges::min(tables, {}, load)));
    std::string const high = fmt::format("{:.2f}", load(std::ranges::max(tables, {}, load)));
    return low == high ? tr("{}, α {}", name, low) : tr("{}, α {} to {}", name, low, high);
  }

  std::string why_chosen() const
  {
    if (std::ranges::count_if(results_.measured, works) == 1) { return tr("the only one measured in the given time"); }
    if (keeps()) { return tr("no other {} is worth the change", of_those_compared()); }
    if (results_.workload.max_bytes > 0.0) {
      return tr("the fastest within {}, {}", bytes_a_key(results_.workload.max_bytes), of_those_compared());
    }
    if (is_fastest()) { return tr("the fastest of all {} tables", results_.measured.size()); }
    if (std::ranges::count_if(results_.measured, [&](auto const& each) { return compares(each); }) == 1) {
      return tr("the only one of {} tables measured closely in the given time", results_.measured.size());
    }
    if (nothing_is_faster()) { return tr("none {} is clearly faster", of_those_compared()); }
    if (stays()) { return tr("no other {} has a clearly better balance of speed and memory", of_those_compared()); }
    return tr("the best balance of speed and memory {}: beyond it, speed grows less than memory", of_those_compared());
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

  /// Whether the present setting was chosen because a better-balanced table saves too little for its loss of speed.
  bool keeps() const { return choice_.passed_over && results_.in_use() == choice_.winner; }

  /// Compared with everything measured, closely or not.
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

  /// On a CPU: what tables from other libraries would gain or, if one of them was chosen, the best of ours.
  void say_others()
  {
    bool const theirs = is_by_others(best_.candidate);
    Measured const* other = theirs && choice_.own ? &results_.measured[*choice_.own] : nullptr;
    for (Measured const& each : results_.measured) {
      bool const counts = !theirs && compares(each) && can_be_chosen(results_, each) && is_by_others(each.candidate);
      bool const is_better = other == nullptr || each.throughput > other->throughput;
      if (counts && is_faster(each, best_) && is_better) { other = &each; }
    }
    if (other == nullptr) { return; }
    std::string const title = title_of(*other);
    std::string const rate = rate_text(results_.workload, other->throughput);
    std::string const ratio = ratio_text(other->throughput / best_.throughput, uncertainty_of(*other, best_));
    std::string const memory = memory_change(*other, best_);
    std::string const bytes = bytes_a_key(other->bytes_per_key);
    say(Topic::alternative, theirs ? tr("The best table of this program is {}: {}, {} × the speed, with {} ({}).",
                                        title, rate, ratio, memory, bytes)
                                   : tr("A table of another library is faster: {}: {}, {} × the speed, with {} ({}).",
                                        title, rate, ratio, memory, bytes));
  }

  void say_present()
  {
    if (say_present_without_rate() || !results_.present) { return; }
    if (keeps()) { return say_what_was_passed_over(results_.measured[*choice_.passed_over]); }
    if (results_.stands_in()) { return say_stand_in(results_.measured[*results_.present]); }
    if (results_.present == choice_.winner) {
      return say(Topic::comparison, tr("That is your present setting: no measured table is clearly better. Keep it."));
    }
    Measured const& present = results_.measured[*results_.present];
    say(Topic::comparison, beside_present(present));
    if (present.failed != 0) {
      say(Topic::risk, tr("In your present setting, {} insertions failed.", grouped(present.failed)), true);
    }
  }

  void say_stand_in(Measured const& present)
  {
    std::string const own = missing_here(results_);
    std::string const title = title_of(present);
    if (results_.present == choice_.winner) {
      return say(Topic::comparison,
                 tr("That is not your own table, which was not measured: the tables here lack {}. This one comes "
                    "closest to yours.",
                    own));
    }
    double const off = uncertainty_of(best_, present);
    say(Topic::comparison,
        tr("Your own table was not measured: the tables here lack {}. The closest is {}: {}, {}.", own, title,
           rate_text(results_.workload, present.throughput), bytes_a_key(present.bytes_per_key)) +
            (cannot_be_told_apart(best_, present)
                 ? std::string()
                 : " " + tr("The choice has {} × its speed ({}).",
                            ratio_text(best_.throughput / present.throughput, off), off_text(off))));
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
            ? tr("So far, there is no measurable difference in speed ({}) from your present setting ({}: {}, {}), with "
                 "{}.",
                 off_text(off), title, rate, bytes, memory)
            : tr("That is {} × the speed ({}) of your present setting ({}: {}, {}), with {}.",
                 ratio_text(best_.throughput / present.throughput, off), off_text(off), title, rate, bytes, memory);
    bool const unlike = best_.candidate.table.keys_only && !present.candidate.table.keys_only;
    return unlike ? fmt::format("{} {}", text, tr("It has no sets, so it was measured with a value for each key."))
                  : text;
  }

  void say_what_was_passed_over(Measured const& other)
  {
    double const saved = whole_bytes(results_, best_) - whole_bytes(results_, other);
    say(Topic::comparison,
        tr("{} has a better balance of both: it takes {} ({}) less memory, and is {} slower ({}). That is not worth a "
           "change.",
           title_of(other), size_text(saved), percent(saved / whole_bytes(results_, best_)),
           percent(1.0 - other.throughput / best_.throughput), off_text(uncertainty_of(best_, other))));
  }

  /// The same table with more or fewer slots, and the fastest one; each only if it is better in some respect.
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
    std::string const how = tr(
        "For the fastest table, raise the memory limit: --most-bytes {:.0f}, or Bytes under the limits in the window.",
        std::ceil(fastest.bytes_per_key));
    bool const is_told = is_by_others(fastest.candidate) && !is_by_others(best_.candidate);  // by `say_others`
    say(Topic::alternative, is_told ? how : fmt::format("{} {}", what_is_fastest(fastest, &fastest == lower), how));
  }

  std::string what_is_fastest(Measured const& fastest, bool is_named) const
  {
    double const more = 100.0 * (fastest.throughput / best_.throughput - 1.0);
    std::string const gain = tr("{:.0f} % more throughput, for {}", more, memory_change(fastest, best_));
    if (Measured const& first = highest_rate(); first.throughput > fastest.throughput) {
      return tr("{} has the highest rate, {}, but it cannot be told apart ({}) from that of {}, which is smaller: {}.",
                title_of(first), short_number(first.throughput), off_text(uncertainty_of(first, fastest)),
                title_of(fastest), gain);
    }
    return is_named ? tr("That would be the fastest.") : tr("The fastest is {}: {}.", title_of(fastest), gain);
  }

  /// The highest rate among the comparable tables.
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
          "The same table at α {:.2f} would save {:.0f} % memory, with no difference in speed beyond the uncertainty.",
          load, memory);
    }
    return other.throughput > best_.throughput
               ? tr("The same table at α {:.2f} would save {:.0f} % memory and be {:.0f} % faster.", load, memory,
                    speed)
               : tr("The same table at α {:.2f} would save {:.0f} % memory and be {:.0f} % slower.", load, memory,
                    speed);
  }

  std::string larger_text(Measured const& other, double load, double memory, double speed) const
  {
    if (cannot_be_told_apart(best_, other)) {
      return tr(
          "The same table at α {:.2f} would take {:.0f} % more memory, with no difference in speed beyond the "
          "uncertainty.",
          load, memory);
    }
    return other.throughput > best_.throughput
               ? tr("The same table at α {:.2f} would take {:.0f} % more memory and be {:.0f} % faster.", load, memory,
                    speed)
               : tr("The same table at α {:.2f} would take {:.0f} % more memory and be {:.0f} % slower.", load, memory,
                    speed);
  }
};

}  // namespace

std::vector<Sentence> answer_of(Results const& results, Choice const& choice)
{
  if (!choice.winner) { return without_choice(results); }
  std::vector<Sentence> sentences;
  ChoicePart(results, choice, sentences).write();
  say_division(results, choice, sentences);
  say_risks(results, choice, sentences);
  say_certainty(results, choice, sentences);
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
