#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/bench/build_trial.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"

#include <string>

namespace slotscape::bench {

inline constexpr std::uint64_t papers_pairs_per_bucket = 409;

/// Distinct random keys and their numbers.
struct DrawDistinct {
  Shuffle shuffle;
  std::uint32_t* keys;
  std::uint32_t* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    keys[i] = shuffle(static_cast<std::uint32_t>(i));
    values[i] = static_cast<std::uint32_t>(i);
  }
};

/// Whether each key is found with its value.
template <class View>
struct FindBuilt {
  View table;
  std::uint32_t const* keys;
  std::uint32_t const* values;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    auto const found = TwoLevelCuckoo::find(table, keys[i]);
    return found.outcome == Outcome::found && found.value == values[i] ? Outcome::found : Outcome::missing;
  }
};

template <exec::Executor Exec>
class BuildTrialsOf final : public BuildTrials {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Layout = TwoLevelCuckoo::Layout<Narrow>;
  using View = slotscape::View<Layout, typename Exec::template Machine<Narrow>>;

public:
  explicit BuildTrialsOf(std::uint64_t pairs)
      : layout_{{static_cast<std::uint32_t>((pairs + papers_pairs_per_bucket - 1) / papers_pairs_per_bucket)}},
        pairs_(pairs),
        keys_(exec_, pairs),
        values_(exec_, pairs),
        words_(exec_, layout_.slots()),
        metadata_(exec_, layout_.metadata()),
        builder_(exec_)
  {
  }

  std::optional<BuildTrial> run(std::uint64_t seed, Progress const& progress) override
  {
    if (progress.cancelled()) { return std::nullopt; }
    exec_.for_each(pairs_, DrawDistinct{make_shuffle(seed, Narrow::locked_key), keys_.data(), values_.data()});
    Layout layout = layout_;
    Contents<Narrow> const contents{keys_.data(), values_.data(), 0, pairs_};
    BuildTrial trial;
    exec_.start_timer();
    Built const built = builder_.build(layout.bucket_hash, seed, contents, words_.data(), metadata_.data());
    trial.seconds = exec_.stop_timer();
    if (built != Built::done) { throw Error("A two-level cuckoo table could not be built."); }
    View const table{{words_.data(), metadata_.data()}, layout};
    std::uint64_t const right =
        exec_.tally(pairs_, FindBuilt<View>{table, keys_.data(), values_.data()})[Outcome::found];
    if (right != pairs_) {
      throw Error("two_level_cuckoo gave wrong answers: " + std::to_string(right) + " of " + std::to_string(pairs_) +
                  " pairs are in the table. Please report this with the command that you ran.");
    }
    trial.restarts = builder_.report().restarts;
    trial.rounds = static_cast<double>(builder_.report().steps) /
                   (static_cast<double>(two_level::sub_tables) * static_cast<double>(layout_.bucket_hash.buckets));
    return trial;
  }

  std::uint64_t slots() const override { return layout_.slots(); }
  std::uint64_t memory_bytes() const override
  {
    return layout_.slots() * sizeof(Narrow::Word) + layout_.metadata() * sizeof(std::uint64_t);
  }

private:
  Exec exec_;
  Layout layout_;
  std::uint64_t pairs_;
  Buffer<std::uint32_t> keys_;
  Buffer<std::uint32_t> values_;
  Buffer<Narrow::Word> words_;
  Buffer<std::uint64_t> metadata_;
  two_level::Builder<Exec, Narrow> builder_;
};

}  // namespace slotscape::bench
