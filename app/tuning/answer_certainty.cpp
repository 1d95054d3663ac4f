#include "app/tuning/answer_part.hpp"

#include "app/tuning/candidates.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/shards.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace slotscape::tuning {
namespace {

/// The first few names, and how many more there are.
std::vector<std::string> first_of(std::vector<std::string> names)
{
  constexpr std::size_t max_named = 3;
  std::size_t const more = names.size() - std::min(names.size(), max_named);
  names.resize(names.size() - more);
  if (more != 0) { names.push_back(tr_plural("{} more", "{} more", more, more)); }
  return names;
}

std::string named_ones(std::vector<std::string> names)
{
  return listed(first_of(std::move(names)), tr("and"));
}

class CertaintyPart : public AnswerPart {
public:
  using AnswerPart::AnswerPart;

  void write()
  {
    say_rates();
    say_keys();
  }

private:
  void say_rates()
  {
    say(Topic::certainty, tr("Medians of {} repeats of {}; interquartile range {}.", best_.repeats,
                             operations_text(operations_of(best_)), percent(best_.spread)));
    say_equals();
    bool const is_said = best_.uncertainty > beyond_use;  // `say_equals` has said so
    bool const matters = best_.uncertainty > small_uncertainty || best_.uncertainty <= 0.0;
    if (best_.spread > rough_spread && matters && !is_said) {
      say(Topic::certainty, tr("The spread is large: close other programs, or give the sweep more time."), true);
    }
    if (results_.unrest > much_unrest) {
      say(Topic::certainty,
          tr("Other programs used the machine: at times it was {:.0f} % slower. Tables were compared in turn, and "
             "rates are from its fastest periods.",
             100.0 * results_.unrest),
          true);
    }
    say_rough();
    if (best_.handover.changed()) {
      say(Topic::certainty,
          fmt::format("{} {}", text_of(best_.handover),
                      tr("The system moved the program to other cores during the measurement, which makes changes to a "
                         "table slower.")),
          true);
    }
    bool const launched = results_.backend == Backend::cuda && best_.batch_seconds > 0.0;
    if (launched && best_.batch_seconds < short_batch) {
      say(Topic::certainty, tr("Much of a batch's {} is launch overhead, which differs from process to process: these "
                               "rates may differ, too, by a tenth or more.",
                               milliseconds(best_.batch_seconds)));
    }
    if (RateBasis const basis = basis_of(best_); basis.rough()) {
      say(Topic::certainty, tr("Rough: all repeats together cover only {}, in {}.", operations_text(basis.operations),
                               milliseconds(basis.seconds)));
    }
  }

  std::string operations_text(std::uint64_t count) const
  {
    std::string const number = grouped(count);
    return results_.workload.join ? tr_plural("{} row", "{} rows", count, number)
                                  : tr_plural("{} operation", "{} operations", count, number);
  }

  /// Tables that may be better but were measured only roughly.
  void say_rough()
  {
    if (!results_.unmeasured.empty()) {
      std::vector<std::string> titles;
      titles.reserve(results_.unmeasured.size());
      for (std::string const& title : results_.unmeasured) { titles.push_back(translated(title)); }
      say(Topic::certainty, tr("There was no time for {}: give the sweep more time.", named_ones(std::move(titles))),
          true);
    }
    Measured const* const faster = fastest_of_the_rough();
    std::string text = too_short_to_measure();
    if (faster != nullptr) {
      text += tr("The fastest of those that were measured only roughly so far is {}: {}, {}.", title_of(*faster),
                 rate_text(results_.workload, faster->throughput), bytes_a_key(faster->bytes_per_key)) +
              ' ';
    }
    if (!text.empty()) { say(Topic::certainty, text + tr("Give the sweep more time.")); }
  }

  /// The tables that there was no time to measure closely, with a space at the end; empty if there are none.
  std::string too_short_to_measure() const
  {
    std::string const title = choice_.rough.empty() ? "" : title_of(results_.measured[choice_.rough.back()]);
    std::uint64_t const count = results_.unchecked;
    if (results_.ended_early) {
      if (title.empty()) { return ""; }
      return tr("{} was measured only roughly: it may be better.", title) + ' ';
    }
    if (count > 1 && title.empty()) {
      return tr("The time was too short to measure {} tables closely: some may be better.", count) + ' ';
    }
    if (count > 1) {
      return tr("The time was too short to measure {} tables, such as {}, closely: some may be better.", count, title) +
             ' ';
    }
    if (!title.empty()) { return tr("The time was too short to measure {} closely: it may be better.", title) + ' '; }
    return count == 1 ? std::string(tr("The time was too short to measure one table closely: it may be better.")) + ' '
                      : std::string();
  }

  /// The fastest roughly measured table, if it seems faster than all closely measured tables of the same size.
  Measured const* fastest_of_the_rough() const
  {
    Measured const* fastest = nullptr;
    double most = 0.0;
    for (Measured const& each : results_.measured) {
      if (compares(each)) { most = std::max(most, each.throughput); }
    }
    for (Measured const& each : results_.measured) {
      bool const rough = can_be_chosen(results_, each) && !compares(each) && 2 * each.keys >= best_.keys;
      if (!rough || each.throughput <= most) { continue; }
      most = each.throughput;
      fastest = &each;
    }
    return fastest;
  }

  /// The tables that could equally well have been chosen.
  void say_equals()
  {
    if (best_.uncertainty > beyond_use) {
      say(Topic::certainty,
          best_.spread > rough_spread
              ? tr("Its speed is still too unsteady to compare with others: its repeats differ a lot. Close other "
                   "programs, and give the sweep more time.")
              : tr("Its speed is still too unsteady to compare with others: its repeats are alike, but the machine's "
                   "pace changed between them. Close other programs, and give the sweep more time."),
          true);
    } else if (is_open()) {
      say(Topic::certainty,
          tr("The speed of {} is not known: it differed too much from run to run. Close other programs, and give the "
             "sweep more time.",
             named_ones(titles_of(unsteady_rivals()))),
          true);
    } else if (best_.uncertainty > 0.0) {
      say(Topic::certainty, tr("Compared with other tables, its speed is known to ± {}.", percent(best_.uncertainty)));
    }
    if (choice_.equals.empty() || is_open()) { return; }
    std::uint64_t const count = choice_.equals.size();
    std::string const names = named_ones(titles_of(choice_.equals));
    bool const within_budget = results_.workload.max_bytes > 0.0;
    std::string const alike =
        within_budget
            ? tr_plural("Here, {} is as fast, within the uncertainty.", "Here, {} are as fast, within the uncertainty.",
                        count, names)
            : tr_plural("Here, {} has the same balance of speed and memory, within the uncertainty.",
                        "Here, {} have the same balance of speed and memory, within the uncertainty.", count, names);
    say(Topic::certainty, stays() ? fmt::format("{} {}", alike, tr("So keep your present setting.")) : alike);
  }

  /// Titles of tables; where two loads look alike, with the number of slots.
  std::vector<std::string> titles_of(std::vector<std::size_t> const& tables) const
  {
    std::map<std::string, int> seen{{title_of(best_), 1}};
    for (std::size_t const i : tables) { ++seen[title_of(results_.measured[i])]; }
    std::vector<std::string> titles;
    for (std::size_t const i : tables) {
      Measured const& each = results_.measured[i];
      std::string title = title_of(each);
      if (seen[title] > 1) { title += ' ' + tr("({} slots)", grouped(each.candidate.table.slots)); }
      titles.push_back(std::move(title));
    }
    return titles;
  }

  void say_keys()
  {
    if (std::string const remark = results_.remark.text(); !remark.empty()) { say(Topic::keys, remark); }
    say_sizes();
    say_set_aside();
    auto const [inserts, different] = results_.available;
    if (different != 0 && different < inserts) {
      say(Topic::keys, tr_plural("Of {} keys, {} is distinct.", "Of {} keys, {} are distinct.", different,
                                 grouped(inserts), grouped(different)));
    }
    double const misses = results_.misses();
    auto const& own = results_.homes_of_choice;
    bool const told =
        own && own->hash == best_.candidate.table.hash && own->slots == slots_of_shard(best_.candidate.table);
    if (told && uses_hash(best_.candidate) && own->evenness() != Evenness::as_random) {
      say(Topic::keys, verdict_of(*own), own->bad(misses) && best_.candidate.table.hash != HashKind::murmur3);
    }
    for (HashUniformity const& hash : results_.hashes) {
      bool const chosen = uses_hash(best_.candidate) && hash.hash == best_.candidate.table.hash;
      if (hash.bad() && !(chosen && told)) { say(Topic::keys, verdict_of(hash), chosen && hash.bad(misses)); }
    }
  }

  /// The size of the table to make, if a smaller one was measured.
  void say_sizes()
  {
    if (best_.keys == 0 || best_.keys >= results_.different || best_.slots == 0) { return; }
    std::uint64_t const slots =
        candidate_of(best_.candidate.table, best_.candidate.load, best_.keys).table.slots;  // as in the command
    say(Topic::keys,
        tr("For {} keys, the table has {} slots. The checking command uses the measured table, with {} slots and {} "
           "keys.",
           grouped(results_.different), grouped(best_.candidate.table.slots), grouped(slots), grouped(best_.keys)));
  }

  /// Lists earlier measurements that do not count, by reason.
  void say_set_aside()
  {
    std::map<std::string, std::vector<std::string>> reasons;
    for (Skipped const& each : results_.set_aside) { reasons[each.why.text()].push_back(title_of(each.candidate)); }
    for (auto const& [why, titles] : reasons) {
      say(Topic::keys,
          tr_plural("Of the earlier measurements, {} does not count: {}.",
                    "Of the earlier measurements, {} do not count: {}.", titles.size(), named_ones(titles), why));
    }
  }

  static std::uint64_t operations_of(Measured const& measured)
  {
    std::uint64_t sum = 0;
    for (auto const& result : measured.operations) { sum += result ? result->count : 0; }
    return sum;
  }

  static constexpr double rough_spread = 0.15;
  static constexpr double small_uncertainty = 0.05;  ///< precise enough, however far apart single repeats are
  static constexpr double much_unrest = 0.15;
  static constexpr double short_batch = 25e-6;  ///< seconds on a GPU, where the launch itself takes some of them
};

}  // namespace

void say_certainty(Results const& results, Choice const& choice, std::vector<Sentence>& sentences)
{
  CertaintyPart(results, choice, sentences).write();
}

}  // namespace slotscape::tuning
