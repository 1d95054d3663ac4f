#include "app/tuning/answer_part.hpp"
#include "app/tuning/candidates.hpp"

#include <cmath>
#include <functional>

namespace slotscape::tuning {
namespace {

class DivisionPart : public AnswerPart {
public:
  using AnswerPart::AnswerPart;

  void write()
  {
    if (!results_.workload.division.compares()) { return; }
    Measured const* const other = best_of([&](Measured const& each) { return compares(each) && is_other(each); });
    if (other == nullptr) { return say_open(); }
    if (uncertainty_of(*other, best_) > beyond_use) {
      return say(Topic::division,
                 tr("Whether dividing pays cannot be told yet: speeds were too unsteady to be compared. Close other "
                    "programs, and give the sweep more time."),
                 true);
    }
    if (is_divided(best_)) {
      say_what_it_brings(*other);
    } else {
      say_what_it_would_bring(*other);
    }
    say_twin(*other);
    say_other_counts(*other);
  }

private:
  using Wanted = std::function<bool(Measured const&)>;

  static bool is_divided(Measured const& each) { return each.candidate.table.shards != 1; }
  /// Whether it is one of the tables that the workload asks for, and not the present setting alone.
  bool asks(Measured const& each) const { return results_.workload.division.has(each.candidate.table); }
  /// In one piece where the choice is in shards, and the other way round.
  bool is_other(Measured const& each) const { return is_divided(each) != is_divided(best_); }

  double score(Measured const& each) const
  {
    return results_.workload.max_bytes > 0.0 ? each.throughput : each.throughput / std::max(each.bytes_per_key, 1e-9);
  }

  /// Of those that could be chosen and are wanted.
  Measured const* best_of(Wanted const& wanted) const
  {
    Measured const* best = nullptr;
    for (Measured const& each : results_.measured) {
      if (!can_be_chosen(results_, each) || !asks(each) || !wanted(each)) { continue; }
      if (best == nullptr || score(each) > score(*best)) { best = &each; }
    }
    return best;
  }

  /// Whether it differs from the choice only in its shards.
  bool is_twin(Measured const& each) const
  {
    TableSettings table = results_.workload.division.divided(each.candidate.table, best_.candidate.table.shards);
    bool const other_shards = each.candidate.table.shards != best_.candidate.table.shards;
    return other_shards && is_best(table) && std::abs(each.load() - best_.load()) <= 2.0 * same_load;
  }

  /// "in 2 shards on 2 devices"
  std::string where(Measured const& each) const
  {
    TableSettings const& table = each.candidate.table;
    std::string pieces = pieces_text(table.shards);
    if (table.devices == ShardDevices::one) { return pieces; }
    std::uint32_t const devices = std::min(results_.devices, table.shards);
    if (devices < 2) { return tr("{}, each with arrays of its own on one device", pieces); }
    return tr("{} on {} devices", pieces, devices);
  }

  /// Whether they may differ by a lot, for all that is known.
  static bool is_unclear(Measured const& one, Measured const& another)
  {
    constexpr double a_lot = 0.1;
    return cannot_be_told_apart(one, another) && uncertainty_of(one, another) > a_lot;
  }

  /// "1.6 × as fast (± 3.0 %)", "35 % slower (± 4.0 %)": of one, compared with another.
  static std::string speed_text(Measured const& one, Measured const& another)
  {
    double const off = uncertainty_of(one, another);
    if (cannot_be_told_apart(one, another)) { return tr("as fast, as far as can be told ({})", off_text(off)); }
    double const ratio = one.throughput / another.throughput;
    if (ratio > 1.0) { return tr("{} × as fast ({})", ratio_text(ratio, off), off_text(off)); }
    return tr("{} slower ({})", percent(1.0 - ratio), off_text(off));
  }

  static std::string memory_text(Measured const& one, Measured const& another)
  {
    bool const same = !is_smaller(one, another) && !is_smaller(another, one);
    return same ? tr("as much memory") : memory_change(one, another);
  }

  void say_what_it_brings(Measured const& whole)
  {
    std::string const outcome = tr("{}, it is {}, with {}, compared with the best in one piece, {} ({}).", where(best_),
                                   speed_text(best_, whole), memory_text(best_, whole), title_of(whole),
                                   rate_text(results_.workload, whole.throughput));
    std::string const text = is_faster(best_, whole)    ? tr("Dividing pays: {}", outcome)
                             : is_unclear(best_, whole) ? tr("Whether dividing pays is not clear: {}", outcome)
                                                        : tr("Dividing brings no clear gain of speed: {}", outcome);
    say(Topic::division, text + parts_of(best_));
  }

  void say_what_it_would_bring(Measured const& divided)
  {
    std::string const speed = speed_text(divided, best_);
    std::string const memory = memory_text(divided, best_);
    std::string const outcome = is_twin(divided) ? tr("{}, it would be {}, with {}.", where(divided), speed, memory)
                                                 : tr("{}, the best table, {}, would be {}, with {}.", where(divided),
                                                      title_of(divided), speed, memory);
    std::string const text = is_faster(divided, best_)    ? tr("Divided {}", outcome)
                             : is_unclear(divided, best_) ? tr("Whether dividing pays is not clear: {}", outcome)
                                                          : tr("Dividing it does not pay: {}", outcome);
    say(Topic::division, text + parts_of(divided));
  }

  /// What the time of a table in shards goes into; empty where only the sum is known.
  std::string parts_of(Measured const& divided) const
  {
    auto const report = shards_of(results_.workload, divided);
    if (!report || report->seconds.all() <= 0.0) { return ""; }
    ShardSeconds const& sum = report->seconds;
    std::string const dealt = percent(sum.partition / sum.all());
    return ' ' +
           (sum.exchange > 0.0
                ? tr("In shards, dealing keys and bringing results back takes {} of its time, and sending them {}.",
                     dealt, percent(sum.exchange / sum.all()))
                : tr("In shards, dealing keys and bringing results back takes {} of its time.", dealt));
  }

  /// The choice itself, divided otherwise, if that is not said yet.
  void say_twin(Measured const& other)
  {
    Measured const* const twin =
        best_of([&](Measured const& each) { return compares(each) && is_other(each) && is_twin(each); });
    if (twin == nullptr || twin == &other) { return; }
    say(Topic::division,
        tr("The same table {} would be {}.", pieces_text(twin->candidate.table.shards), speed_text(*twin, best_)));
  }

  /// Of each other number of shards, the best.
  void say_other_counts(Measured const& other)
  {
    for (std::uint32_t const count : results_.workload.division.shards) {
      if (count == 1 || count == best_.candidate.table.shards || count == other.candidate.table.shards) { continue; }
      Measured const* const best =
          best_of([&](Measured const& each) { return compares(each) && each.candidate.table.shards == count; });
      if (best == nullptr) { continue; }
      say(Topic::division,
          tr("The best {}, {}, would be {}.", pieces_text(count), title_of(*best), speed_text(*best, best_)));
    }
  }

  /// Nothing of the other kind was measured closely, or at all.
  void say_open()
  {
    std::string const kind = is_divided(best_) ? tr("in one piece") : tr("in shards");
    if (Measured const* const rough = best_of([&](Measured const& each) { return is_other(each); })) {
      return say(Topic::division,
                 tr("Whether dividing pays is open: {}, the best so far is {} ({}), measured only roughly. "
                    "Give the sweep more time.",
                    kind, title_of(*rough), rate_text(results_.workload, rough->throughput)),
                 true);
    }
    bool const waits = std::ranges::any_of(results_.unmeasured_shards,
                                           [&](std::uint32_t count) { return (count != 1) != is_divided(best_); });
    for (Skipped const& skipped : results_.skipped) {
      TableSettings const& table = skipped.candidate.table;
      if (waits || (table.shards != 1) == is_divided(best_)) { continue; }
      return say(Topic::division,
                 tr("Whether dividing pays is not known: no table {} could be measured. {}, for example: {}.", kind,
                    title_of(skipped.candidate), skipped.why.text()),
                 true);
    }
    say(Topic::division,
        tr("Whether dividing pays is open: there was no time for tables {}. Give the sweep more.", kind), true);
  }
};

}  // namespace

void say_division(Results const& results, Choice const& choice, std::vector<Sentence>& sentences)
{
  DivisionPart(results, choice, sentences).write();
}

}  // namespace slotscape::tuning
