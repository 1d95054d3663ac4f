#include "app/tuning/answer_part.hpp"

#include "app/bench/table_findings.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"

#include <cmath>

namespace slotscape::tuning {
namespace {

class RiskPart : public AnswerPart {
public:
  using AnswerPart::AnswerPart;

  void write()
  {
    say_risk();
    say_latency();
    if (!results_.workload.join && results_.workload.erase > 0.0) {
      for (ChurnResult const& churn : results_.churn) { say_churn(churn); }
    }
  }

private:
  void say_risk()
  {
    say_room();
    say_hash();
    say_rebuilds();
    say_failures();
    for (FailureResult const& result : results_.failures) {
      bool const present = results_.present && results_.measured[*results_.present].candidate.table == result.table;
      if (!present || results_.present == choice_.winner || result.failed == 0) { continue; }
      say(Topic::risk,
          results_.stands_in() ? tr("In {}, which stands in for your own table, {} of {} builds failed.",
                                    title_of(result.table), result.failed, result.builds)
                               : tr("In your present setting, {} of {} builds failed.", result.failed, result.builds),
          true);
    }
  }

  /// Says how many more keys the full-size table can take.
  void say_room()
  {
    constexpr double little = 0.05;  // as a share of the keys
    std::optional<Room> const room = room_of(results_, best_.candidate);
    if (!room) { return; }
    double const share =
        static_cast<double>(room->keys) / static_cast<double>(std::max<std::uint64_t>(1, results_.different));
    bool const is_little = share < little;
    if (room->load >= 1.0 && !is_little) { return; }
    std::string const keys = grouped(room->keys);
    std::string text = room->load < 1.0
                           ? tr("Random keys are guaranteed a slot up to α {:.2f}: {} more keys ({}) are safe.",
                                room->load, keys, percent(share))
                           : tr("Every slot can be used: {} more keys ({}) fit.", keys, percent(share));
    if (is_little) {
      text += ' ';
      text +=
          tr("If more keys may come, set the workload's growth, or let the table grow, as the code under Use "
             "this does (grow_at).");
    }
    say(Topic::risk, text, is_little);
  }

  /// With a hash that does not mix all bits, the homes depend on the pattern of the keys.
  void say_hash()
  {
    auto const& homes = results_.homes_of_choice;
    HashChoice const& hash = best_.candidate.table.hash;
    bool const mixes = hash == HashKind::murmur3 || hash == HashKind::xxhash;
    if (!uses_hash(best_.candidate) || mixes || (homes && homes->hash != hash)) { return; }
    std::string const name = to_text(hash);
    bool const is_pattern = !homes || homes->evenness() != Evenness::as_random;
    say(Topic::risk,
        is_pattern ? tr("The hash {} is good here because these keys are dense numbers, or lie at regular distances. "
                        "With other keys it may be many times slower: then choose murmur3.",
                        name)
                   : tr("The hash {} is good here because these keys are random numbers already. With keys that have a "
                        "pattern it may be many times slower: then choose murmur3.",
                        name),
        true);
  }

  /// Static tables were measured by building them as a whole; each later insertion costs a rebuild.
  void say_rebuilds()
  {
    Workload const& workload = results_.workload;
    bool const is_static =
        bench::subject_info(best_.candidate.table.family).guarantees(best_.candidate.table).is_static;
    if (!is_static || best_.candidate.grouped || workload.join || workload.insert <= 0.0) { return; }
    say(Topic::risk,
        tr("It is built as a whole: your {} of insertions were measured that way, in one batch. Each later batch "
           "rebuilds all of it. If keys arrive in smaller batches, set their size (Batch): such tables are then left "
           "out.",
           percent(workload.insert / workload.operations())),
        true);
  }

  void say_failures()
  {
    FailureResult const* last = nullptr;
    for (FailureResult const& result : results_.failures) {
      if (!is_best(result.table)) { continue; }
      if (result.failed != 0) {
        bool const here = std::abs(result.load - best_.load()) <= same_load;
        bool const smaller = result.table.shards != 1 && result.keys < results_.different;
        std::string text = here ? tr("At α {:.2f}, {} of {} builds failed: choose a lower load.", result.load,
                                     result.failed, result.builds)
                                : tr("At α {:.2f}, {} of {} builds failed: avoid this load.", result.load,
                                     result.failed, result.builds);
        if (smaller) {
          text += ' ' + tr("They had {} keys each; more keys spread over shards more evenly.", grouped(result.keys));
        }
        return say(Topic::risk, text, here);
      }
      last = &result;
    }
    if (last != nullptr) { say_no_failure(*last); }
  }

  void say_no_failure(FailureResult const& last)
  {
    std::string const keys = grouped(last.keys);
    bool const fuller = last.load > best_.load() + same_load;
    if (last.builds == 1) {
      return say(Topic::risk,
                 fuller ? tr("The only build tried did not fail at α {:.2f}, the highest load tried, with {} keys.",
                             last.load, keys)
                        : tr("The only build tried did not fail at α {:.2f}, with {} keys.", last.load, keys));
    }
    say(Topic::risk,
        fuller ? tr("None of {} builds failed at α {:.2f}, the highest load tried, with {} keys each.", last.builds,
                    last.load, keys)
               : tr("None of {} builds failed at α {:.2f}, with {} keys each.", last.builds, last.load, keys));
  }

  void say_latency()
  {
    if (best_.batch_seconds <= 0.0) { return; }
    if (results_.workload.join) { return say_join(); }
    std::uint64_t const count = best_.timed_batch;
    std::string const time = milliseconds(best_.batch_seconds);
    std::string const worst = milliseconds(best_.worst_batch_seconds);
    say(Topic::latency, best_.worst_batch_seconds <= 0.0
                            ? tr_plural("A batch of {} operation takes {}.", "A batch of {} operations takes {}.",
                                        count, grouped(count), time)
                            : tr_plural("A batch of {} operation takes {}; the slowest one seen took {}.",
                                        "A batch of {} operations takes {}; the slowest one seen took {}.", count,
                                        grouped(count), time, worst));
    if (auto const& mixed = best_.operations[static_cast<std::size_t>(bench::Timed::mixed)]) {
      for (std::string const& finding : findings_of_keys(*mixed, best_.keys)) { say(Topic::keys, finding); }
    }
  }

  /// The parts of a join as measured.
  void say_join()
  {
    auto const& build = best_.operations[static_cast<std::size_t>(bench::Timed::build)];
    auto const& probe = best_.operations[static_cast<std::size_t>(bench::Timed::probe)];
    if (!build || !probe) { return; }
    say(Topic::latency,
        tr("The {} join: {} build rows in {} ({}); {} probe rows, {} of which match, with their results in {} ({}).",
           to_text(results_.workload.join->kind), grouped(build->count), milliseconds(build->seconds),
           rate_text(results_.workload, build->rate()), grouped(probe->count), percent(results_.match),
           milliseconds(probe->seconds), rate_text(results_.workload, probe->rate())));
    say(Topic::latency, tr("Bytes cover the table that probes need; working memory and the result are extra."));
  }

  void say_churn(ChurnResult const& churn)
  {
    bool const best = churn.candidate == best_.candidate;
    std::string const title = title_of(churn.candidate);
    std::string const who = best                   ? ""
                            : results_.stands_in() ? tr("{}, which stands in for your own table:", title) + ' '
                                                   : tr("Your present setting, {}:", title) + ' ';
    if (churn.clogged) { return say(Topic::churn, who + clogged_text(churn), true); }
    if (churn.lookups.size() < 2) { return; }
    Change const all = change_of(churn, churn.lookups.front());
    std::string const trend = all == Change::slower ? trend_of(churn) : "";
    say(Topic::churn, fmt::format("{}{} {}{}", who, replaced_text(churn), change_text(churn, all), trend),
        all == Change::slower);
  }

  static std::string clogged_text(ChurnResult const& churn)
  {
    std::string const share = percent(churn.replaced);
    if (churn.failed != 0) {
      return tr(
          "After {} of the keys had been replaced by others, {} insertions failed: erased keys keep their "
          "slots, so this table must be rebuilt before that.",
          share, grouped(churn.failed));
    }
    return tr(
        "After {} of the keys had been replaced by others, operations took more than ten times as long as at first: "
        "erased keys keep their slots, so this table must be rebuilt before that.",
        share);
  }

  enum class Change : std::uint8_t { none, slower, unclear };

  /// The change of lookups from `before` to the last turn; the verdict holds at both ends of the uncertainty.
  static Change change_of(ChurnResult const& churn, double before)
  {
    constexpr double as_fast = 0.9;
    double const after = churn.lookups.back() / before;
    double const off = 1.0 + churn.uncertainty;
    if (after * off < as_fast) { return Change::slower; }
    return after / off >= as_fast ? Change::none : Change::unclear;
  }

  /// The beginning of a sentence on churn: how many keys were replaced.
  static std::string replaced_text(ChurnResult const& churn)
  {
    return churn.replaced < 1.5 ? std::string(tr("After all keys had been replaced once,"))
                                : tr("After all keys had been replaced {:.0f} times,", churn.replaced);
  }

  /// The end of that sentence: how the speed of lookups has changed.
  static std::string change_text(ChurnResult const& churn, Change change)
  {
    switch (change) {
      case Change::none: return tr("lookups were as fast as before.");
      case Change::slower:
        return tr("lookups were {:.0f} % slower.", 100.0 * (1.0 - churn.lookups.back() / churn.lookups.front()));
      case Change::unclear: break;
    }
    if (churn.uncertainty > beyond_use) {
      return tr("no clear change in lookups was seen: their times differ too much from run to run.");
    }
    return tr("no clear change in lookups was seen: their times differ by {} from run to run.",
              percent(churn.uncertainty));
  }

  static std::string trend_of(ChurnResult const& churn)
  {
    if (churn.lookups.size() < 3 || churn.runs < 2) { return ""; }  // a single run may have been disturbed
    switch (change_of(churn, churn.lookups[churn.lookups.size() - 2])) {
      case Change::slower:
        return ' ' + std::string(tr("It keeps getting slower: rebuild the table from time to time."));
      case Change::none: return ' ' + std::string(tr("In the last round, hardly anything changed."));
      case Change::unclear: break;
    }
    return ' ' + std::string(
                     tr("It is not clear whether it keeps getting slower: the times differ too much from run to run."));
  }
};

}  // namespace

void say_risks(Results const& results, Choice const& choice, std::vector<Sentence>& sentences)
{
  RiskPart(results, choice, sentences).write();
}

}  // namespace slotscape::tuning
