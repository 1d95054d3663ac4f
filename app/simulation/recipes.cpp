#include "app/simulation/simulation.hpp"
#include "gpu/tables/hash.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

/// Beyond these limits, repeating a history takes longer than inserting the keys.
constexpr std::size_t max_entries = 20'000;
constexpr std::uint64_t max_operations_a_slot = 4;
constexpr std::uint64_t operations_always_repeated = 1 << 22;

/// Whether the keys of a stream depend on the table for which they are drawn.
bool is_aimed(KeySettings const& keys)
{
  return keys.distribution == KeyDistribution::one_home || keys.distribution == KeyDistribution::zipf;
}

/// Whether the operations may erase other keys when repeated in other tables. Which stored keys a batch erases depends
/// on the number of preceding batches, and several tables split a mix into parts; after operations on given keys, it
/// also depends on where each key is.
bool erases_other_keys_elsewhere(std::vector<Done> const& done)
{
  bool any_given = false;
  bool any_parts = false;
  for (Done const& one : done) {
    any_given = any_given || std::holds_alternative<OnKey>(one) || std::holds_alternative<OnKeys>(one);
    auto const* batch = std::get_if<BatchRequest>(&one);
    if (batch == nullptr) { continue; }
    any_parts = any_parts || !is_of_one_kind(*batch);
    bool const erases_stored = batch->erase > 0.0 && batch->erase_keys == KeyChoice::hits;
    if (erases_stored && (any_given || any_parts)) { return true; }
  }
  return false;
}

/// The operations on given keys (not drawn from a stream) since the table was last cleared. Consecutive single ones are
/// merged.
std::vector<OnKeys> given_since_clear(std::vector<Done> const& done)
{
  auto const clears = [](Done const& one) { return std::holds_alternative<Clear>(one); };
  std::span<Done const> const since(std::find_if(done.rbegin(), done.rend(), clears).base(), done.end());
  std::vector<OnKeys> given;
  std::vector<Pair> singles;
  Operation operation = Operation::insert;
  auto const end_singles = [&] {
    if (!singles.empty()) { given.push_back({operation, std::make_shared<std::vector<Pair> const>(singles)}); }
    singles.clear();
  };
  for (Done const& one : since) {
    if (auto const* single = std::get_if<OnKey>(&one)) {
      if (single->operation != operation) { end_singles(); }
      operation = single->operation;
      singles.push_back({single->key, single->value});
    } else if (auto const* several = std::get_if<OnKeys>(&one)) {
      end_singles();
      given.push_back(*several);
    }
  }
  end_singles();
  return given;
}

/// The insertion order of the given keys that have not been erased. Uses its own open-addressing table, because there
/// may be tens of millions of keys, and the window waits for them.
class GivenRanks {
public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  explicit GivenRanks(std::vector<OnKeys> const& given)
  {
    std::size_t inserted = 0;
    for (OnKeys const& step : given) { inserted += step.operation == Operation::insert ? step.pairs.size() : 0; }
    if (inserted == 0) { return; }
    entries_.resize(std::bit_ceil(inserted + inserted / 2 + 1));
    for (OnKeys const& step : given) {
      for_each_entry(*step.pairs, [&](std::size_t, Pair const& pair, Entry& entry) {
        if (step.operation == Operation::insert && entry.rank >= none) { entry = {pair.key, count_++}; }
        if (step.operation == Operation::erase && entry.rank < none) { entry.rank = erased; }
      });
    }
  }

  std::size_t count() const { return count_; }  ///< more than the largest rank
  /// Calls use(i, rank) for each pair in order; the rank is `none` if its key was not given.
  template <class Use>
  void of(std::span<Pair const> pairs, Use const& use)
  {
    if (entries_.empty()) {
      for (std::size_t i = 0; i < pairs.size(); ++i) { use(i, none); }
      return;
    }
    for_each_entry(pairs, [&](std::size_t i, Pair const&, Entry const& entry) {
      use(i, static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.rank, none)));
    });
  }

private:
  static constexpr std::uint64_t erased = std::uint64_t{none} + 1;  ///< marks an entry that remains occupied
  struct Entry {
    Key key = 0;
    std::uint64_t rank = none;
  };

  /// Calls visit(i, pair, entry) with the entry of each pair's key, or the first free entry for it. Entries are
  /// prefetched to hide memory latency.
  template <class Visit>
  void for_each_entry(std::span<Pair const> pairs, Visit const& visit)
  {
    constexpr std::size_t ahead = 32;
    auto const hash = HashRounds<Key>::of(HashKind::murmur3);
    std::size_t const last = entries_.size() - 1;
    auto const home = [&](std::size_t i) { return static_cast<std::size_t>(hash(pairs[i].key)) & last; };
    for (std::size_t i = 0; i < std::min(ahead, pairs.size()); ++i) { __builtin_prefetch(&entries_[home(i)]); }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (i + ahead < pairs.size()) { __builtin_prefetch(&entries_[home(i + ahead)]); }
      std::size_t place = home(i);
      while (entries_[place].rank != none && entries_[place].key != pairs[i].key) { place = (place + 1) & last; }
      visit(i, pairs[i], entries_[place]);
    }
  }

  std::vector<Entry> entries_;
  std::uint32_t count_ = 0;
};

/// Linear time, because a table may hold a hundred million keys.
void sort_by_value(std::vector<Pair>& pairs)
{
  constexpr int digit_bits = 11;
  constexpr std::size_t digits = 1u << digit_bits;
  Value largest = 0;
  for (Pair const& pair : pairs) { largest = std::max(largest, pair.value); }
  auto const bits = static_cast<int>(std::bit_width(largest));
  std::vector<Pair> sorted(pairs.size());
  for (int shift = 0; shift < bits; shift += digit_bits) {
    auto const digit = [&](Pair const& pair) { return (pair.value >> shift) % digits; };
    std::vector<std::size_t> next(digits + 1);
    for (Pair const& pair : pairs) { ++next[digit(pair) + 1]; }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (Pair const& pair : pairs) { sorted[next[digit(pair)]++] = pair; }
    pairs.swap(sorted);
  }
}

/// Sorts by value, and pairs with the same value by hash.
void arrange_drawn(std::vector<Pair>& pairs)
{
  sort_by_value(pairs);
  auto const hash = HashRounds<Key>::of(HashKind::murmur3);
  auto const differs = [](Pair const& a, Pair const& b) { return a.value != b.value; };
  for (auto first = pairs.begin(); first != pairs.end();) {
    auto const last = std::adjacent_find(first, pairs.end(), differs);
    auto const end = last == pairs.end() ? last : std::next(last);
    if (end - first > 1) {
      std::sort(first, end, [&](Pair const& a, Pair const& b) { return hash(a.key) < hash(b.key); });
    }
    first = end;
  }
}

/// Restores the order of insertion: first keys of the stream, whose values are their numbers in it, then given keys, as
/// far as the history knows them. The remaining keys get any order except that of their slots. Inserting keys in the
/// order of another table's slots means nearly the order of their homes, so no key would end up far from home, unlike
/// in a table filled by insertions.
void arrange_as_inserted(std::vector<Pair>& pairs, std::vector<OnKeys> const& all_given)
{
  constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  GivenRanks ranks(all_given);
  std::vector<Pair> arranged;
  std::vector<std::size_t> given(ranks.count(), nowhere);  // for each rank, the index of its pair
  ranks.of(pairs, [&](std::size_t i, std::uint32_t rank) {
    if (rank == GivenRanks::none) {
      arranged.push_back(pairs[i]);
    } else {
      given[rank] = i;
    }
  });
  arrange_drawn(arranged);
  arranged.reserve(pairs.size());
  for (std::size_t const i : given) {
    if (i != nowhere) { arranged.push_back(pairs[i]); }
  }
  pairs = std::move(arranged);
}

class AsInserted final : public SharedPairs::Order {
public:
  explicit AsInserted(std::vector<OnKeys> given) : given_(std::move(given)) {}
  void arrange(std::vector<Pair>& pairs) const override { arrange_as_inserted(pairs, given_); }
  bool same(Order const& other) const override
  {
    auto const* const inserted = dynamic_cast<AsInserted const*>(&other);
    return inserted != nullptr && inserted->given_ == given_;
  }

private:
  std::vector<OnKeys> given_;
};

}  // namespace

bool Simulation::is_history_short() const
{
  std::uint64_t const most = std::max(operations_always_repeated, max_operations_a_slot * tables_.min_room());
  return history_.complete() && history_.entries().size() <= max_entries && operations_of(history_.entries()) <= most;
}

Recipe Simulation::recipe() const
{
  Recipe recipe = is_history_short() ? recipe_of_history() : recipe_of_keys(tables_.engine(0).table().key_bits);
  add_what_is_queued(recipe);
  return recipe;
}

bool Simulation::is_reproducible_elsewhere(int key_bits) const
{
  auto const depends_on_table = [](Done const& done) {
    auto const* keys = std::get_if<SetKeys>(&done);
    return std::holds_alternative<Rehash>(done) || (keys != nullptr && is_aimed(keys->keys));
  };
  bool const refused = tables_.refused(0) != 0;  // the other tables may still have room
  return !refused && key_bits == tables_.engine(0).table().key_bits && !is_aimed(initial_keys_) &&
         std::ranges::none_of(history_.entries(), depends_on_table) && !erases_other_keys_elsewhere(history_.entries());
}

Recipe Simulation::recipe_for_others(int key_bits) const
{
  bool const alike = is_reproducible_elsewhere(key_bits);
  Recipe recipe = alike && is_history_short() ? recipe_of_history() : recipe_of_keys(key_bits);
  add_what_is_queued(recipe);
  return recipe;
}

std::optional<Recipe> Simulation::recipe_elsewhere() const
{
  int const key_bits = tables_.engine(0).table().key_bits;
  if (!is_history_short() || is_reproducible_elsewhere(key_bits)) { return std::nullopt; }
  return recipe_for_others(key_bits);
}

Recipe Simulation::recipe_of_history() const
{
  Recipe recipe{initial_tables_, initial_keys_, {}};
  for (Done const& done : history_.entries()) { recipe.steps.push_back(to_action(done)); }
  return recipe;
}

Recipe Simulation::recipe_of_keys(int key_bits) const
{
  Recipe recipe{{}, keys_, {}};
  for (std::size_t i = 0; i < tables(); ++i) { recipe.tables.push_back(tables_.engine(i).table()); }
  Engine& engine = tables_.engine(0);
  std::vector<Pair> pairs = engine.pairs();
  recipe.dropped = std::erase_if(pairs, [&](Pair const& pair) {
    return is_reserved(pair.key, key_bits) || pair.value > largest_value(key_bits);
  });
  std::uint64_t const given = GivenKeys().count(history_.entries());
  std::uint64_t const drawn_before = pairs.size() - std::min<std::uint64_t>(pairs.size(), given);
  if (!pairs.empty()) {
    recipe.of_keys = true;
    auto order = std::make_unique<AsInserted const>(given_since_clear(history_.entries()));
    recipe.steps.emplace_back(OnKeys{Operation::insert, SharedPairs(std::move(pairs), std::move(order))});
  }
  if (std::uint64_t const drawn = engine.keys_drawn(); drawn != 0) {
    recipe.steps.emplace_back(SetKeys{keys_, drawn, drawn_before});
  }
  return recipe;
}

void Simulation::add_what_is_queued(Recipe& recipe) const
{
  if (job_ && !job_->replayed) {
    Action rest = job_->action;
    if (auto* batch = std::get_if<BatchRequest>(&rest)) {
      bool const holds_what_ran = recipe.of_keys && begun_;
      batch->count -= job_->asked + (holds_what_ran ? begun_->ran : 0);
    }
    recipe.steps.push_back(std::move(rest));
  }
  for (Queued const& queued : queue_) { recipe.steps.push_back(queued.action); }
}

std::shared_ptr<Simulation::Image const> Simulation::save()
{
  for (Done const& ran : stop_batch()) { record(ran); }
  return std::make_shared<Image const>(Image{tables_.save(), keys_, history_.entries().size(), {}, raced_});
}

std::shared_ptr<Simulation::Image const> Simulation::exchange(Image const& image)
{
  cancel();
  Image present{tables_.save(), keys_, std::min(image.entries, history_.entries().size()), {}, raced_};
  std::vector<Done> const& entries = history_.entries();
  present.after.assign(entries.begin() + static_cast<std::ptrdiff_t>(present.entries), entries.end());
  tables_.restore(image.tables);
  keys_ = image.keys;
  raced_ = image.raced;
  mix_ = fresh_mix(tables_);
  paces_.forget();
  history_.truncate(image.entries);
  if (history_.entries().size() < image.entries) { history_.lose(); }
  history_.append(image.after);
  reports_.clear();
  return std::make_shared<Image const>(std::move(present));
}

}  // namespace slotscape
