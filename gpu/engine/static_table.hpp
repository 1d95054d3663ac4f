#pragma once

#include "gpu/base/random.hpp"
#include "gpu/engine/home_order.hpp"
#include "gpu/engine/key_order.hpp"
#include "gpu/engine/static_passes.hpp"
#include "gpu/engine/stored_table.hpp"
#include "gpu/tables/static_family.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

namespace slotscape {

/// A table that is built as a whole (`StaticFamily`). A batch's inserts, finds and erases take turns. Inserting stored
/// keys changes their values; if there are new keys, the table is rebuilt from the live pairs and the new ones. The old
/// table stays until the rebuild has succeeded.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class StaticTable : public StoredTable<Family, Exec, Format, Interface> {
  using Base = StoredTable<Family, Exec, Format, Interface>;
  using StoredKey = typename Format::Key;
  using StoredValue = typename Format::Value;
  using Number = typename static_passes::Pending<Format>::Number;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Order = std::conditional_t<BuildsSorted<Family>, KeyOrder<Exec, Format>, HomeOrder<Exec, Format>>;
  static_assert(!UsesTiles<Family>, "static tables run each operation on one thread");

public:
  using typename Base::Layout;
  using typename Base::View;
  using typename Base::Word;

  using Base::Base;

  void clear() override
  {
    this->layout_ = Family::template layout<Format>(this->settings_);
    builds_ = 0;
    Base::clear();
  }

  Tally run(Batch<Format> const& wanted, double& seconds) override
  {
    Tally tally;
    bool const inserts = contains(wanted.kinds, Operation::insert);
    Batch<Format> const batch = inserts ? this->with_outcomes(wanted) : wanted;
    seconds += this->choose_addition(batch);
    if (inserts) {
      this->exec_.start_timer();
      tally += insert(batch);
      seconds += this->exec_.stop_timer();
    }
    tally += run(OperationMask::finds, batch, seconds);
    return tally += run(OperationMask::erases, batch, seconds);
  }

  void copy_from(Interface const& other) override
  {
    auto const& from = static_cast<StaticTable const&>(other);
    this->copy_memory(from);
    set_state(from.state());
  }

protected:
  struct State {
    typename Base::State stored;
    std::uint64_t builds;
  };
  State state() const { return {Base::state(), builds_}; }
  void set_state(State const& state)
  {
    Base::set_state(state.stored);
    builds_ = state.builds;
  }

  /// The first build is not a rebuild.
  std::uint64_t times_rebuilt() const { return builds_ - std::min<std::uint64_t>(builds_, 1); }

  /// The components of a table.
  struct Parts {
    Layout layout;
    Buffer<Word> words;
    Buffer<std::uint64_t> metadata;
  };
  /// The pairs to build from: the table's live pairs, followed by room for new ones.
  struct Gathered {
    Buffer<StoredKey> keys;
    Buffer<StoredValue> values;
    std::uint64_t kept;

    /// The live pairs with `more` new ones.
    Contents<Format> contents(std::uint64_t more, bool ascending = false) const
    {
      return {keys.data(), values.data(), kept, kept + more, ascending};
    }
  };

  Gathered gather(std::uint64_t more)
  {
    using namespace static_passes;
    if (builds_ == 0) { return {Buffer<StoredKey>(this->exec_, more), Buffer<StoredValue>(this->exec_, more), 0}; }
    std::uint64_t const slots = this->words_.size();
    Buffer<std::uint32_t> positions(this->exec_, slots);
    this->exec_.for_each(slots, MarkLive<Format>{this->words_.data(), positions.data()});
    std::uint64_t const kept = this->exec_.exclusive_scan(positions.data(), slots);
    Gathered pairs{Buffer<StoredKey>(this->exec_, kept + more), Buffer<StoredValue>(this->exec_, kept + more), kept};
    this->exec_.for_each(slots, CollectLive<Format>{this->words_.data(), positions.data(), pairs.keys.data(),
                                                    pairs.values.data()});
    return pairs;
  }

  /// Builds a table of these pairs; returns nullopt if it cannot be built.
  std::optional<Parts> built(Contents<Format> contents)
  {
    auto const in_order = ordered(contents);
    if (in_order) { contents = in_order->contents(); }
    Parts parts{{},
                Buffer<Word>(this->exec_, this->words_.size(), exec::MemoryUse::table),
                Buffer<std::uint64_t>(this->exec_, this->metadata_.size(), exec::MemoryUse::table)};
    for (std::uint64_t attempt = 0; attempt < Family::attempts; ++attempt) {
      parts.layout = Family::template layout<Format>(this->settings_);
      this->exec_.fill(parts.words.data(), parts.words.size(), Format::empty_word);
      this->exec_.fill(parts.metadata.data(), parts.metadata.size(), std::uint64_t{0});
      std::uint64_t const seed = random64(builds_, attempt);
      switch (Family::template build<Exec, Format>(this->exec_, parts.layout, seed, contents, parts.words.data(),
                                                   parts.metadata.data())) {
        case Built::done: return parts;
        case Built::unlucky: break;
        case Built::too_full: return std::nullopt;
      }
    }
    return std::nullopt;
  }

private:
  static constexpr int halvings = 2;  ///< how often the number of new keys is halved if not all of them fit

  /// The pairs in the order that suits the family, if sorting pays off and there is memory for it.
  std::optional<Order> ordered(Contents<Format> const& pairs)
  {
    std::optional<Order> order;
    try {
      if constexpr (BuildsSorted<Family>) {
        if (Order::pays(pairs)) { order.emplace(this->exec_, pairs); }
      } else if constexpr (BuildsByHome<Family>) {
        auto const homes = Family::homes(this->layout_, random64(builds_, 0));  // as in the first attempt
        if (Order::pays(this->exec_, homes, pairs.count)) { order.emplace(this->exec_, homes, pairs); }
      }
    } catch (Error const&) {
    }
    return order;
  }

  Tally run(OperationMask phase, Batch<Format> const& batch, double& seconds)
  {
    if (!overlap(phase, batch.kinds)) { return {}; }
    if (batch.kinds == OperationMask::finds) { return launch<OperationMask::finds>(phase, batch, seconds); }
    return launch<OperationMask::all>(phase, batch, seconds);
  }

  template <OperationMask kinds>
  Tally launch(OperationMask phase, Batch<Format> const& batch, double& seconds)
  {
    this->exec_.start_timer();
    Tally const tally =
        this->tally(batch.count, RunOperations<Family, View, kinds>{this->view(), batch, phase, nullptr});
    seconds += this->exec_.stop_timer();
    return tally;
  }

  Tally insert(Batch<Format> const& batch)
  {
    Tally tally = builds_ == 0 ? this->tally(batch.count, static_passes::RefuseAll<Format>{batch}) : update(batch);
    std::uint64_t const pending = std::exchange(tally[Outcome::full], 0);
    return pending == 0 ? tally : tally += insert_new(batch, pending);
  }

  Tally update(Batch<Format> const& batch)
  {
    return this->tally(batch.count, RunOperations<Family, View>{this->view(), batch, OperationMask::inserts, nullptr});
  }

  /// Inserts keys that are not in the table: `count` operations, some of which may have the same key.
  Tally insert_new(Batch<Format> const& batch, std::uint64_t count)
  {
    using namespace static_passes;
    if (builds_ == 0 && batch.distinct && count == batch.count) { return insert_all(batch); }
    Buffer<StoredKey> keys(this->exec_, count);
    Buffer<Number> numbers(this->exec_, count);
    collect_pending(batch, keys.data(), numbers.data());
    if (!batch.distinct) {
      KeySort<Exec, Format>(this->exec_).sort(keys.data(), numbers.data(), count, keys.data(), numbers.data());
    }

    Pending<Format> const pending{keys.data(), numbers.data()};
    Buffer<std::uint32_t> firsts_before(this->exec_, count);
    this->exec_.for_each(count, MarkFirst<Format>{pending, firsts_before.data()});
    std::uint64_t const distinct = this->exec_.exclusive_scan(firsts_before.data(), count);
    Gathered const pairs = gather(distinct);
    this->exec_.for_each(count, CollectNew<Format>{pending, firsts_before.data(), batch.values,
                                                   pairs.keys.data() + pairs.kept, pairs.values.data() + pairs.kept});
    std::uint64_t const admitted = rebuild(pairs.contents(distinct, !batch.distinct));
    return this->tally(count, Answer<Family, View>{this->view(), pending, firsts_before.data(), admitted, batch});
  }

  /// Inserts a batch of distinct, unreserved keys into an empty table, which is built from the batch itself.
  Tally insert_all(Batch<Format> const& batch)
  {
    Tally tally;
    tally[Outcome::inserted] = rebuild({batch.keys, batch.values, 0, batch.count});
    tally[Outcome::full] = batch.count - tally[Outcome::inserted];
    if (batch.keeps_outcomes || batch.changes != nullptr) {
      this->exec_.for_each(batch.count,
                           static_passes::AnswerAll<Family, View>{this->view(), tally[Outcome::inserted], batch});
    }
    return tally;
  }

  void collect_pending(Batch<Format> const& batch, StoredKey* keys, Number* numbers)
  {
    using namespace static_passes;
    Buffer<std::uint32_t> positions(this->exec_, batch.count);
    this->exec_.for_each(batch.count, MarkPending<Format>{batch, positions.data()});
    this->exec_.exclusive_scan(positions.data(), batch.count);
    this->exec_.for_each(batch.count, CollectPending<Format>{batch, positions.data(), keys, numbers});
  }

  /// Rebuilds the table with as many of the first new keys as fit. Returns their number.
  std::uint64_t rebuild(Contents<Format> pairs)
  {
    std::uint64_t const room = this->words_.size() - pairs.kept;
    std::uint64_t admitted = std::min(pairs.count - pairs.kept, room);
    for (int halved = 0; halved <= halvings && admitted != 0; ++halved, admitted /= 2) {
      pairs.count = pairs.kept + admitted;
      if (std::optional<Parts> parts = built(pairs)) {
        this->layout_ = parts->layout;
        this->words_ = std::move(parts->words);
        this->metadata_ = std::move(parts->metadata);
        ++builds_;
        return admitted;
      }
    }
    return 0;
  }

  std::uint64_t builds_ = 0;  ///< since the table was cleared
};

}  // namespace slotscape
