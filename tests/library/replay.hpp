#pragma once

#include "tests/library/case.hpp"
#include "tests/library/histories.hpp"
#include "tests/support/failing_memory.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace slotscape::histories {

/// Does what a history says with a table of a backend and with a map, and compares them after each call. If the history
/// is `short_of_memory`, each call is made without its first piece of memory, without its second, and so on, until
/// there is enough: each time before, the table must be as it was. A call that does without a piece cannot be made
/// again with the same table: then the history is played again, in which it lacks the next piece.
template <class Backend, TableFamily Family, class Key>
class Player {
  using Table = typename Backend::template Table<Family, Key>;
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Model = std::unordered_map<Key, Key>;
  using Call = Step::Call;

public:
  /// What is wrong, with the number of the step; empty if nothing is.
  std::string play(History const& history)
  {
    is_short_ = history.short_of_memory;
    pieces_.clear();
    std::string wrong;
    do {
      wrong = play_once(history);
    } while (wrong.empty() && plays_again_);
    return wrong;
  }

  /// How many calls have failed for want of memory, and how many did without what they were refused.
  std::uint64_t faults() const { return faults_; }
  std::uint64_t did_without() const { return did_without_; }

private:
  struct Wrong {
    std::string what;
  };
  static void require(bool right, std::string const& what)
  {
    if (!right) { throw Wrong{what}; }
  }
  static std::uint64_t fitting(std::uint64_t slots)
  {
    return Family::info.slot_counts == SlotCounts::any ? slots : std::bit_ceil(slots);
  }
  static std::string name(Key key) { return "key " + std::to_string(key); }

  std::string play_once(History const& history)
  {
    std::size_t number = 0;
    call_ = 0;
    plays_again_ = false;
    table_.reset();
    model_.clear();
    try {
      options_ = {.slots = fitting(history.slots),
                  .hash = history.hash,
                  .deletion = history.deletion,
                  .grow_at = history.grow_at,
                  .memory = is_short_ ? Memory(memory_) : Memory()};
      attempt([&] { table_.emplace(backend_.template make<Family, Key>(options_)); });
      for (; number < history.steps.size(); ++number) {
        perform(history.steps[number]);
        compare();
      }
    } catch (Wrong const& wrong) {
      return "step " + std::to_string(number) + ": " + wrong.what;
    } catch (std::exception const& error) {
      return "step " + std::to_string(number) + ": it throws '" + error.what() + "'";
    }
    return {};
  }

  /// Calls until there is enough memory; returns what `call` does then.
  template <class Call>
  auto attempt(Call const& call)
  {
    if (call_ == pieces_.size()) { pieces_.push_back(0); }
    std::int64_t& pieces = pieces_[call_++];
    for (; is_short_; ++pieces) {
      test::FailingMemory::refuse_after(pieces);
      try {
        if constexpr (std::is_void_v<decltype(call())>) {
          call();
          note_done(pieces);
          return;
        } else {
          auto const result = call();
          note_done(pieces);
          return result;
        }
      } catch (std::exception const&) {
        if (!test::FailingMemory::stop()) { throw; }
        ++faults_;
        expect_as_it_was();
      }
    }
    return call();
  }
  void note_done(std::int64_t& pieces)
  {
    if (!test::FailingMemory::stop()) { return; }
    ++pieces;
    ++did_without_;
    plays_again_ = true;
  }
  /// A table that grows keeps what had room, and static ones change values before they make room for new keys.
  void expect_as_it_was()
  {
    if (!table_) { return; }
    bool const may_have_parts = options_.grow_at != 0.0 || IsStatic<Family>;
    if (!may_have_parts) { return compare(); }
    Model const now = contents(*table_);
    auto const was_given = [&](Key key) { return std::ranges::find(keys_, key) != keys_.end(); };
    for (auto const& [key, value] : model_) {
      auto const there = now.find(key);
      require(there != now.end(), name(key) + " is lost for want of memory");
      require(there->second == value || was_given(key), name(key) + " has another value for want of memory");
    }
    for (auto const& [key, value] : now) {
      require(model_.contains(key) || was_given(key), name(key) + " came from nowhere");
    }
    require(table_->size() == now.size(), "it miscounts its keys after a want of memory");
    model_ = now;
  }

  void perform(Step const& step)
  {
    keys_.assign(step.keys.size(), 0);
    std::ranges::transform(step.keys, keys_.begin(), [](std::uint64_t key) { return static_cast<Key>(key); });
    value_ = static_cast<Key>(step.value);
    switch (step.call) {
      case Call::insert: return insert(Combine::keep_first, &Table::template insert<Key const*, Key const*>);
      case Call::insert_or_assign:
        return insert(Combine::replace, &Table::template insert_or_assign<Key const*, Key const*>);
      case Call::insert_or_add: return insert(Combine::add, &Table::template insert_or_add<Key const*, Key const*>);
      case Call::insert_or_min: return insert(Combine::min, &Table::template insert_or_min<Key const*, Key const*>);
      case Call::insert_or_max: return insert(Combine::max, &Table::template insert_or_max<Key const*, Key const*>);
      case Call::insert_async: return insert_async();
      case Call::erase: return erase();
      case Call::erase_async: return erase_async();
      case Call::erase_if: return erase_if();
      case Call::find: return find();
      case Call::find_async: return find_async();
      case Call::merge: return merge();
      case Call::rehash: return rehash(fitting(step.slots));
      case Call::copy: return copy();
      case Call::move: return move();
      case Call::clear: table_->clear(); return model_.clear();
    }
  }

  /// How many times each key met each outcome.
  std::map<Key, Tally> tallies() const
  {
    std::map<Key, Tally> tallies;
    for (std::size_t i = 0; i < keys_.size(); ++i) { ++tallies[keys_[i]][outcomes_[i]]; }
    return tallies;
  }
  bool are_distinct() const
  {
    std::vector<Key> sorted = keys_;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end();
  }
  /// Attempts a call on all keys, without memory of its own for what it is told.
  template <class Call>
  auto attempt_batch(Call call)
  {
    std::vector<Outcome> const none(keys_.size(), not_run);
    Array<Outcome> outcomes(none);
    BatchOptions const options{.distinct = are_distinct(), .outcomes = outcomes.data()};
    auto const result = attempt([&] {
      outcomes.assign(none);
      return call(options);
    });
    outcomes_ = outcomes.host();
    return result;
  }
  /// Makes a call without waiting, then reads what it told.
  template <class Call>
  Tally follow_async(Call call)
  {
    Array<Outcome> outcomes(std::vector<Outcome>(keys_.size(), not_run));
    Array<Tally> counted(std::vector<Tally>(1));
    call(AsyncOptions{outcomes.data(), counted.data()});
    outcomes_ = outcomes.host();
    return counted.host().front();
  }

  template <class Member>
  void insert(Combine combine, Member member)
  {
    Array<Key> keys(keys_), values(std::vector<Key>(keys_.size(), value_));
    Inserted const done = attempt_batch([&](BatchOptions const& options) {
      return ((*table_).*member)(keys.data(), values.data(), keys_.size(), options);
    });
    Tally counted;
    counted[Outcome::inserted] = done.inserted;
    counted[Outcome::updated] = done.updated;
    counted[Outcome::full] = done.full;
    counted[Outcome::rejected] = done.rejected;
    follow_insertion(combine, counted);
  }
  void insert_async()
  {
    if constexpr (HasConcurrentOperations<Family>) {
      Array<Key> keys(keys_), values(std::vector<Key>(keys_.size(), value_));
      follow_insertion(Combine::replace, follow_async([&](AsyncOptions const& options) {
                         table_->insert_async(keys.data(), values.data(), keys_.size(), Combine::replace, options);
                       }));
    } else {
      insert(Combine::replace, &Table::template insert_or_assign<Key const*, Key const*>);
    }
  }
  /// Checks the outcomes, and does the same with the map.
  void follow_insertion(Combine combine, Tally const& counted)
  {
    Tally whole;
    for (auto const& [key, tally] : tallies()) {
      whole += tally;
      std::uint64_t const times = tally[Outcome::inserted] + tally[Outcome::updated];
      bool const reserved = key > Table::largest_key || value_ > Table::largest_value;
      require(reserved == (tally[Outcome::rejected] != 0) && (!reserved || times + tally[Outcome::full] == 0),
              name(key) + " is rejected if and only if it, or its value, is reserved");
      bool const was_there = model_.contains(key);
      require(!was_there || tally[Outcome::inserted] + tally[Outcome::full] == 0, name(key) + " was there: updated");
      require(was_there || reserved || tally[Outcome::inserted] == (times == 0 ? 0u : 1u),
              name(key) + " is new: inserted once");
      for (std::uint64_t i = 0; i < times; ++i) { apply(combine, key); }
    }
    require(whole == counted, "the outcomes add up to what is returned");
  }
  void apply(Combine combine, Key key)
  {
    auto const [place, is_new] = model_.insert({key, value_});
    if (is_new) { return; }
    Key& old = place->second;
    switch (combine) {
      case Combine::replace: old = value_; break;
      case Combine::keep_first: break;
      case Combine::add:
      case Combine::add_freely: old = old > Table::largest_value - value_ ? Table::largest_value : old + value_; break;
      case Combine::min: old = std::min(old, value_); break;
      case Combine::max: old = std::max(old, value_); break;
    }
  }

  void erase()
  {
    Array<Key> keys(keys_);
    follow_erasure(
        attempt_batch([&](BatchOptions const& options) { return table_->erase(keys.data(), keys_.size(), options); }));
  }
  void erase_async()
  {
    if constexpr (HasConcurrentOperations<Family>) {
      Array<Key> keys(keys_);
      Tally const counted =
          follow_async([&](AsyncOptions const& options) { table_->erase_async(keys.data(), keys_.size(), options); });
      follow_erasure(counted[Outcome::erased]);
    } else {
      erase();
    }
  }
  void follow_erasure(std::uint64_t counted)
  {
    std::uint64_t erased = 0;
    for (auto const& [key, tally] : tallies()) {
      std::uint64_t const wanted = model_.erase(key);
      require(tally[Outcome::erased] == wanted, name(key) + " is erased once if it was there");
      erased += wanted;
    }
    require(erased == counted, "as many keys are erased as is returned");
  }
  void erase_if()
  {
    std::uint64_t const erased = attempt([&] { return table_->erase_if(IsThird{}); });
    std::uint64_t const wanted = std::erase_if(model_, [](auto const& pair) { return pair.first % 3 == 0; });
    require(erased == wanted, "every third key is erased");
  }

  void find()
  {
    Array<Key> keys(keys_), values(keys_.size());
    std::uint64_t const found = attempt_batch(
        [&](BatchOptions const& options) { return table_->find(keys.data(), values.data(), keys_.size(), options); });
    follow_lookups(values.host());
    auto const there = std::ranges::count_if(keys_, [&](Key key) { return model_.contains(key); });
    require(found == static_cast<std::uint64_t>(there), "as many keys are found as are there");
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      require((outcomes_[i] == Outcome::found) == model_.contains(keys_[i]),
              name(keys_[i]) + " is found if it is there");
    }
  }
  void find_async()
  {
    Array<Key> keys(keys_), values(keys_.size());
    table_->find_async(keys.data(), values.data(), keys_.size());
    follow_lookups(values.host());
  }
  void follow_lookups(std::vector<Key> const& values) const
  {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      auto const expected = model_.find(keys_[i]);
      Key const value = expected == model_.end() ? Table::empty_value : expected->second;
      require(values[i] == value,
              name(keys_[i]) + " has the value " + std::to_string(values[i]) + ", not " + std::to_string(value));
    }
  }

  void merge()
  {
    Table other =
        backend_.template make<Family, Key>({.slots = Table::slots_for(std::max<std::uint64_t>(keys_.size(), 4))});
    Array<Key> keys(keys_), values(std::vector<Key>(keys_.size(), value_));
    static_cast<void>(other.insert(keys.data(), values.data(), keys_.size()));
    Model const its_pairs = contents(other);
    Inserted const done = attempt([&] { return table_->merge(other, Combine::add); });
    Model const now = contents(*table_);
    std::uint64_t full = 0;
    for (auto const& [key, value] : its_pairs) {
      bool const lost = !model_.contains(key) && !now.contains(key);
      full += lost ? 1 : 0;
      if (!lost) { apply(Combine::add, key); }
    }
    require(full == done.full, "as many keys find no place as is returned");
    require(done.inserted + done.updated + done.full == its_pairs.size(), "all pairs are merged");
  }
  void rehash(std::uint64_t slots)
  {
    try {
      attempt([&] { table_->rehash(slots); });
      require(table_->slots() >= slots, "it has as many slots as were asked for");
    } catch (Error const&) {  // there is no room for all of them, and it is as it was
      require(!model_.empty(), "an empty table has room anywhere");
    }
  }
  void copy()
  {
    Table other = backend_.template make<Family, Key>(options_);
    attempt([&] { other.copy_from(*table_); });
    table_->clear();
    table_.emplace(std::move(other));
  }
  void move()
  {
    Table other(std::move(*table_));
    table_.emplace(std::move(other));
  }

  static Model contents(Table& table)
  {
    std::uint64_t const size = table.size();
    Array<Key> exported_keys(size), exported_values(size);
    require(table.export_pairs(exported_keys.data(), exported_values.data(), size) == size,
            "as many pairs as its size");
    std::vector<Key> const keys = exported_keys.host();
    std::vector<Key> const values = exported_values.host();
    Model model;
    for (std::size_t i = 0; i < size; ++i) { model[keys[i]] = values[i]; }
    require(model.size() == size, "no key is there twice");
    return model;
  }
  void compare()
  {
    require(table_->size() == model_.size(),
            "it has " + std::to_string(table_->size()) + " keys, not " + std::to_string(model_.size()));
    Model const now = contents(*table_);
    for (auto const& [key, value] : model_) {
      auto const found = now.find(key);
      require(found != now.end(), name(key) + " is lost");
      require(found->second == value,
              name(key) + " has the value " + std::to_string(found->second) + ", not " + std::to_string(value));
    }
  }

  Backend backend_;
  test::FailingMemory memory_;  // before the table that has it
  bool is_short_ = false;
  TableOptions options_{.slots = 4};
  std::optional<Table> table_;
  Model model_;
  std::vector<Key> keys_;  ///< of the step
  Key value_ = 0;
  std::vector<Outcome> outcomes_;
  std::size_t call_ = 0;              ///< the next one of those that need memory
  std::vector<std::int64_t> pieces_;  ///< of each of these: those before were refused
  bool plays_again_ = false;
  std::uint64_t faults_ = 0;
  std::uint64_t did_without_ = 0;
};

/// What a history that was cut down is pasted into a test as.
template <class Backend, TableFamily Family, class Key>
std::string wrong_in(History const& history)
{
  return Player<Backend, Family, Key>().play(history);
}

/// What is wrong with the first of so many histories that fails, cut down to what can be pasted into a test; or
/// nothing.
template <class Backend, TableFamily Family, class Key>
std::string first_wrong(std::uint64_t first_seed, std::uint64_t count, std::uint64_t steps, std::uint64_t most_keys,
                        bool short_of_memory = false)
{
  constexpr int bits = 8 * sizeof(Key);
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    History history = random_history(seed, bits, steps, most_keys);
    history.short_of_memory = short_of_memory;
    std::string const wrong = wrong_in<Backend, Family, Key>(history);
    if (wrong.empty()) { continue; }
    History const small = shrunk(history, wrong_in<Backend, Family, Key>);
    return "seed " + std::to_string(seed) + ", " + wrong + "\ncut down, " + wrong_in<Backend, Family, Key>(small) +
           ":\n" + code_of(small, Family::info.name, bits);
  }
  return {};
}

}  // namespace slotscape::histories
