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
                 tr("It is not clear yet whether dividing pays off: speeds were too unsteady to compare. Close other "
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
  /// Whether the workload asks for the table's shards; otherwise, the table is only the present setting.
  bool asks(Measured const& each) const { return results_.workload.division.has(each.candidate.table); }
  /// Whether the table is in one piece and the choice is in shards, or vice versa.
  bool is_other(Measured const& each) const { return is_divided(each) != is_divided(best_); }

  double score(Measured const& each) const
  {
    return results_.workload.max_bytes > 0.0 ? each.throughput : each.throughput / std::max(each.bytes_per_key, 1e-9);
  }

  /// The best of the wanted tables that can be chosen.
  Measured const* best_of(Wanted const& wanted) const
  {
    Measured const* best = nullptr;
    for (Measured const& each : results_.measured) {
      if (!can_be_chosen(results_, each) || !asks(each) || !wanted(each)) { continue; }
      if (best == nullptr || score(each) > score(*best)) { best = &each; }
    }
    return best;
  }

  /// Whether the table differs from the choice only in its shards.
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

  /// Whether the measurements leave room for a large difference.
  static bool is_unclear(Measured const& one, Measured const& another)
  {
    constexpr double a_lot = 0.1;
    return cannot_be_told_apart(one, another) && uncertainty_of(one, another) > a_lot;
  }

  /// "1.6 × as fast (± 3.0 %)", "35 % slower (± 4.0 %)": the first table compared with the second.
  static std::string speed_text(Measured const& one, Measured const& another)
  {
    double const off = uncertainty_of(one, another);
    if (cannot_be_told_apart(one, another)) { return tr("as fast, within the uncertainty ({})", off_text(off)); }
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
                             : is_unclear(best_, whole) ? tr("It is not clear whether dividing pays off: {}", outcome)
                                                        : tr("Dividing gives no clear gain in speed: {}", outcome);
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
                             : is_unclear(divided, best_) ? tr("It is not clear whether dividing pays off: {}", outcome)
                                                          : tr("Dividing it does not pay off: {}", outcome);
    say(Topic::division, text + parts_of(divided));
  }

  /// What a table in shards spends its time on; empty if only the total is known.
  std::string parts_of(Measured const& divided) const
  {
    auto const report = shards_of(results_.workload, divided);
    if (!report || report->seconds.all() <= 0.0) { return ""; }
    ShardSeconds const& sum = report->seconds;
    std::string const dealt = percent(sum.partition / sum.all());
    return ' ' +
           (sum.exchange > 0.0
                ? tr("In shards, distributing keys and collecting results takes {} of its time, and sending them {}.",
                     dealt, percent(sum.exchange / sum.all()))
                : tr("In shards, distributing keys and collecting results takes {} of its time.", dealt));
  }

  /// The choice itself with the other division, if not mentioned yet.
  void say_twin(Measured const& other)
  {
    Measured const* const twin =
        best_of([&](Measured const& each) { return compares(each) && is_other(each) && is_twin(each); });
    if (twin == nullptr || twin == &other) { return; }
    say(Topic::division,
        tr("The same table {} would be {}.", pieces_text(twin->candidate.table.shards), speed_text(*twin, best_)));
  }

  /// The best table for each other number of shards.
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

  /// Says that no table with the other division was measured closely, or at all.
  void say_open()
  {
    std::string const kind = is_divided(best_) ? tr("in one piece") : tr("in shards");
    if (Measured const* const rough = best_of([&](Measured const& each) { return is_other(each); })) {
      return say(Topic::division,
                 tr("It is not clear yet whether dividing pays off: {}, the best so far is {} ({}), measured only "
                    "roughly. Give the sweep more time.",
                    kind, title_of(*rough), rate_text(results_.workload, rough->throughput)),
                 true);
    }
    bool const waits = std::ranges::any_of(results_.unmeasured_shards,
                                           [&](std::uint32_t count) { return (count != 1) != is_divided(best_); });
    for (Skipped const& skipped : results_.skipped) {
      TableSettings const& table = skipped.candidate.table;
      if (waits || (table.shards != 1) == is_divided(best_)) { continue; }
      return say(Topic::division,
                 tr("It is not known whether dividing pays off: no table {} could be measured. {}, for example: {}.",
                    kind, title_of(skipped.candidate), skipped.why.text()),
                 true);
    }
    say(Topic::division,
        tr("It is not clear yet whether dividing pays off: there was no time for tables {}. Give the sweep more time.",
           kind),
        true);
  }
};

}  // namespace

void say_division(Results const& results, Choice const& choice, std::vector<Sentence>& sentences)
{
  DivisionPart(results, choice, sentences).write();
}

}  // namespace slotscape::tuning
