#include "app/simulation/simulation.hpp"
#include "gpu/tables/hash.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

/// Beyond these, repeating a history takes longer than inserting the keys.
constexpr std::size_t max_entries = 20'000;
constexpr std::uint64_t max_operations_a_slot = 4;
constexpr std::uint64_t operations_always_repeated = 1 << 22;

/// Whether the keys that a stream gives depend on the table that it is aimed at.
bool is_aimed(KeySettings const& keys)
{
  return keys.distribution == KeyDistribution::one_home || keys.distribution == KeyDistribution::zipf;
}

/// Whether the operations erase keys that other tables would not erase, if they did the same. Which stored keys a batch
/// takes depends on how many batches came before it, and several tables run one in parts; after operations on given
/// keys, it also depends on where each key is.
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

/// For each key that was given (and drawn from no stream), when it was inserted; only of those that were not erased
/// since. A table with open addressing of its own: there may be tens of millions, and the window waits for them.
class GivenRanks {
public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  explicit GivenRanks(std::vector<Done> const& done)
  {
    auto const clears = [](Done const& one) { return std::holds_alternative<Clear>(one); };
    auto const last_clear = std::find_if(done.rbegin(), done.rend(), clears);
    std::span<Done const> const since(last_clear.base(), done.end());
    std::size_t inserted = 0;
    for_each(since, [&](Operation operation, Key) { inserted += operation == Operation::insert ? 1 : 0; });
    if (inserted == 0) { return; }
    entries_.resize(std::bit_ceil(2 * inserted));
    for_each(since, [&](Operation operation, Key key) {
      Entry& entry = entry_of(entries_, key);
      if (operation == Operation::insert && entry.rank == none) { entry = {key, count_++, true}; }
      if (operation == Operation::erase) { entry.rank = none; }
    });
  }

  std::size_t count() const { return count_; }  ///< all ranks are less
  std::size_t of(Key key) const { return entries_.empty() ? none : entry_of(entries_, key).rank; }

private:
  struct Entry {
    Key key = 0;
    std::size_t rank = none;
    bool is_taken = false;  ///< also by a key that was erased
  };

  /// note(operation, key) for each given key.
  template <class Note>
  static void for_each(std::span<Done const> done, Note const& note)
  {
    for (Done const& one : done) {
      if (auto const* given = std::get_if<OnKey>(&one)) { note(given->operation, given->key); }
      if (auto const* given = std::get_if<OnKeys>(&one)) {
        for (Pair const& pair : *given->pairs) { note(given->operation, pair.key); }
      }
    }
  }
  /// The key's, or the first that is free for it.
  template <class Entries>
  static auto entry_of(Entries& entries, Key key) -> decltype(entries.front())
  {
    static auto const hash = HashRounds<Key>::of(HashKind::murmur3);
    std::size_t const last = entries.size() - 1;
    std::size_t i = hash(key) & last;
    while (entries[i].is_taken && entries[i].key != key) { i = (i + 1) & last; }
    return entries[i];
  }

  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

/// In linear time: a table may hold a hundred million.
void sort_by_value(std::span<Pair> pairs)
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
    std::ranges::copy(sorted, pairs.begin());
  }
}

/// By value, and those of one value by hash.
void arrange_drawn(std::span<Pair> pairs)
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

/// As they were inserted: keys of a stream, whose values are their numbers in it, then those that were given, where the
/// history knows them; others in any order but that of their slots. A table that gets keys in the order of another
/// one's slots has them nearly in the order of their homes: then none is far from home, which is not so in a table that
/// is filled by insertions.
void arrange_as_inserted(std::vector<Pair>& pairs, std::vector<Done> const& done)
{
  GivenRanks const ranks(done);
  std::vector<std::size_t> rank_of(pairs.size());
  std::ranges::transform(pairs, rank_of.begin(), [&](Pair const& pair) { return ranks.of(pair.key); });
  std::vector<Pair> drawn;
  std::vector<std::optional<Pair>> given(ranks.count());
  drawn.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (rank_of[i] == GivenRanks::none) {
      drawn.push_back(pairs[i]);
    } else {
      given[rank_of[i]] = pairs[i];
    }
  }
  arrange_drawn(drawn);
  for (std::optional<Pair> const& pair : given) {
    if (pair) { drawn.push_back(*pair); }
  }
  pairs = std::move(drawn);
}

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

bool Simulation::comes_to_the_same_elsewhere(int key_bits) const
{
  auto const depends_on_table = [](Done const& done) {
    auto const* keys = std::get_if<SetKeys>(&done);
    return std::holds_alternative<Rehash>(done) || (keys != nullptr && is_aimed(keys->keys));
  };
  bool const refused = tables_.refused(0) != 0;  // others may have room
  return !refused && key_bits == tables_.engine(0).table().key_bits && !is_aimed(initial_keys_) &&
         std::ranges::none_of(history_.entries(), depends_on_table) && !erases_other_keys_elsewhere(history_.entries());
}

Recipe Simulation::recipe_for_others(int key_bits) const
{
  bool const alike = comes_to_the_same_elsewhere(key_bits);
  Recipe recipe = alike && is_history_short() ? recipe_of_history() : recipe_of_keys(key_bits);
  add_what_is_queued(recipe);
  return recipe;
}

std::optional<Recipe> Simulation::recipe_elsewhere() const
{
  int const key_bits = tables_.engine(0).table().key_bits;
  if (!is_history_short() || comes_to_the_same_elsewhere(key_bits)) { return std::nullopt; }
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
  arrange_as_inserted(pairs, history_.entries());
  std::uint64_t const given = GivenKeys().count(history_.entries());
  std::uint64_t const drawn_before = pairs.size() - std::min<std::uint64_t>(pairs.size(), given);
  if (!pairs.empty()) {
    recipe.of_keys = true;
    recipe.steps.emplace_back(OnKeys{Operation::insert, std::make_shared<std::vector<Pair> const>(std::move(pairs))});
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
