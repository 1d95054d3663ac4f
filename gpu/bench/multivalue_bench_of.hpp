#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/bench/multivalue_bench.hpp"
#include "gpu/multivalue/multi_value_table.hpp"

#include <string>
#include <utility>

namespace slotscape::bench {

/// The pairs of a case, with their numbers as values.
template <PairFormat Format>
struct DrawPairs {
  std::uint64_t keys_to_draw_from;
  bool half;
  std::uint64_t seed;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    using Key = typename Format::Key;
    std::uint64_t const drawn = half && i % 2 == 0 ? 0 : random64(seed, i) % keys_to_draw_from;
    auto const spread = static_cast<Key>((drawn + seed) * 0x9e3779b97f4a7c15u + 1);  // odd factor: a bijection
    auto const key = static_cast<Key>(spread ^ (spread >> 15));
    keys[i] = Format::is_reserved(key) ? Key{0} : key;
    values[i] = static_cast<typename Format::Value>(i);
  }
};

/// Whether the value at each place belongs there: the place is in the range of its key, and the next place, unless the
/// range ends here, is in the same range. Marks the values seen. The outcome is `inserted` for the first place of a
/// range, `found` for others, and `missing` for a wrong one.
template <class Value>
struct CheckPlace {
  Value const* values;
  multivalue::Range const* ranges;  ///< for the key of each pair
  std::uint64_t pairs;
  std::uint8_t* seen;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t place) const
  {
    auto const pair = static_cast<std::uint64_t>(values[place]);
    if (pair >= pairs) { return Outcome::missing; }
    seen[pair] = 1;
    multivalue::Range const range = ranges[pair];
    if (place < range.first || place - range.first >= range.count) { return Outcome::missing; }
    if (place + 1 - range.first < range.count) {
      auto const next = static_cast<std::uint64_t>(values[place + 1]);
      bool const same = next < pairs && ranges[next].first == range.first && ranges[next].count == range.count;
      if (!same) { return Outcome::missing; }
    }
    return place == range.first ? Outcome::inserted : Outcome::found;
  }
};

struct CountSeen {
  std::uint8_t const* seen;
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    return seen[i] == 1 ? Outcome::found : Outcome::missing;
  }
};

/// `Tables`: a `MultiValueTable`, or a class with the same interface.
template <exec::Executor Exec, PairFormat Format, class Tables>
class MultiValueBenchOf final : public MultiValueBench {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// make(exec) returns the table.
  template <class Make>
  MultiValueBenchOf(MultiValueCase const& subject, Make const& make)
      : subject_(subject),
        table_(make(exec_)),
        keys_(exec_, subject.pairs),
        values_(exec_, subject.pairs),
        ranges_(exec_, subject.pairs),
        seen_(exec_, subject.pairs)
  {
  }

  std::optional<MultiValueRun> run(std::uint64_t seed, Progress const& progress) override
  {
    if (progress.cancelled()) { return std::nullopt; }
    std::uint64_t const draw_from = std::max<std::uint64_t>(1, subject_.pairs / subject_.values);
    exec_.for_each(subject_.pairs, DrawPairs<Format>{draw_from, subject_.half, seed, keys_.data(), values_.data()});
    MultiValueRun run;
    exec_.start_timer();
    multivalue::BuildReport const built = table_->build(keys_.data(), values_.data(), subject_.pairs);
    run.build_seconds = exec_.stop_timer();
    exec_.start_timer();
    table_->retrieve(keys_.data(), subject_.pairs, ranges_.data());
    run.retrieve_seconds = exec_.stop_timer();
    run.stage_seconds = built.stage_seconds;
    run.distinct = table_->distinct();
    require("pairs", built.pairs, subject_.pairs);
    check(run.distinct);
    return run;
  }

  std::uint64_t memory_bytes() const override { return table_->memory_bytes(); }

private:
  void check(std::uint64_t distinct)
  {
    exec_.fill(seen_.data(), seen_.size(), std::uint8_t{0});
    Tally const places = exec_.tally(subject_.pairs, CheckPlace<Value>{table_->groups().values, ranges_.data(),
                                                                       subject_.pairs, seen_.data()});
    require("places of values", subject_.pairs - places[Outcome::missing], subject_.pairs);
    require("ranges", places[Outcome::inserted], distinct);
    require("values", exec_.tally(subject_.pairs, CountSeen{seen_.data()})[Outcome::found], subject_.pairs);
  }

  static void require(char const* what, std::uint64_t right, std::uint64_t all)
  {
    if (right == all) { return; }
    throw Error("A multi-value table gave wrong answers: " + std::to_string(right) + " of " + std::to_string(all) +
                " " + what + " are right. Please report this with the command that you ran.");
  }

  Exec exec_;
  MultiValueCase subject_;
  std::unique_ptr<Tables> table_;
  Buffer<Key> keys_;
  Buffer<Value> values_;
  Buffer<multivalue::Range> ranges_;  ///< for the key of each pair
  Buffer<std::uint8_t> seen_;
};

template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<MultiValueBench> multivalue_bench_of(MultiValueCase const& subject)
{
  using Tables = multivalue::MultiValueTable<Exec, Format>;
  return std::make_unique<MultiValueBenchOf<Exec, Format, Tables>>(subject, [&](Exec& exec) {
    return multivalue::make_table<Exec, Format>(exec, subject.settings);
  });
}

}  // namespace slotscape::bench
