#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/filled_table.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/sparse/passes.hpp"

#include <algorithm>

namespace slotscape::sparse {

/// Sites in row order.
template <exec::Executor Exec>
struct Tensor {
  std::vector<Site> sites;
  Extents extents;
  typename Exec::template Buffer<Site> on_device;
};

/// One convolution over a tensor: its table, its outputs and its kernel map. Hides the width of keys.
template <exec::Executor Exec>
class Convolution {
public:
  virtual ~Convolution() = default;
  /// Returns false if cancelled.
  virtual bool run(Progress const& progress) = 0;
  virtual SparseSnapshot const& snapshot() const = 0;
  virtual InspectedTable& table() = 0;
  virtual Tensor<Exec> const& input() const = 0;
  virtual Tensor<Exec> const& output() const = 0;
  /// Hands over the tensor that the convolution has reached; nothing else may be called afterwards.
  virtual Tensor<Exec> take_reached() = 0;
  virtual Kernel const& kernel() const = 0;
  virtual std::vector<std::uint32_t> neighbours(std::uint32_t output) = 0;
  virtual std::vector<RowPair> pairs(std::uint32_t offset) = 0;
};

template <exec::Executor Exec, PairFormat Format>
class ConvolutionOf final : public Convolution<Exec> {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Tables = BatchTable<Exec, Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// `sites` must outlive this object.
  ConvolutionOf(Exec& exec, Tensor<Exec> const& sites, SparseSettings const& settings)
      : exec_(exec),
        settings_(settings),
        sites_(sites),
        kernel_(kernel_of(settings, sites.extents)),
        laps_(exec),
        pairs_(exec, kernel_.offsets()),
        row_(exec, kernel_.offsets())
  {
  }

  bool run(Progress const& progress) override
  {
    progress_ = progress;
    laps_.start();
    if (settings_.mode != Mode::submanifold && !reach_outputs()) { return false; }
    laps_.lap();
    build_table();
    laps_.lap();
    if (!make_map()) { return false; }
    laps_.lap();
    std::ranges::copy(laps_.seconds(), snapshot_.stage_seconds.begin());
    inspection_ = std::make_unique<Inspection<Exec, Format>>(exec_, *table_);
    count_pairs();
    return true;
  }

  SparseSnapshot const& snapshot() const override { return snapshot_; }
  InspectedTable& table() override { return *inspection_; }
  Tensor<Exec> const& input() const override { return settings_.mode == Mode::transposed ? reached_ : sites_; }
  Tensor<Exec> const& output() const override { return settings_.mode == Mode::sparse ? reached_ : sites_; }
  Tensor<Exec> take_reached() override { return std::move(reached_); }
  Kernel const& kernel() const override { return kernel_; }

  std::vector<std::uint32_t> neighbours(std::uint32_t output) override
  {
    exec_.for_each(offsets(), GatherRow{map_.data(), rows(), output, row_.data()});
    std::vector<std::uint32_t> inputs(offsets());
    exec_.download(std::span(inputs), static_cast<std::uint32_t const*>(row_.data()));
    return inputs;
  }

  std::vector<RowPair> pairs(std::uint32_t offset) override
  {
    std::vector<std::uint32_t> inputs(rows());
    exec_.download(std::span(inputs), static_cast<std::uint32_t const*>(map_.data() + offset * rows()));
    std::vector<RowPair> pairs;
    for (std::size_t out = 0; out < inputs.size(); ++out) {
      if (inputs[out] != no_row) { pairs.push_back({inputs[out], static_cast<std::uint32_t>(out)}); }
    }
    return pairs;
  }

private:
  std::uint32_t offsets() const { return kernel_.offsets(); }
  std::uint64_t rows() const { return output().sites.size(); }

  /// Allocates buffers for a batch of `count` operations.
  void reserve(std::uint64_t count, bool with_values)
  {
    exec::grow(exec_, operations_, count);
    exec::grow(exec_, keys_, count);
    exec::grow(exec_, outcomes_, count);
    if (with_values) { exec::grow(exec_, values_, count); }
  }

  Tally run_batch(Tables& table, Operation operation, std::uint64_t count, Value* values, bool distinct)
  {
    exec_.fill(operations_.data(), count, operation);
    double seconds = 0.0;
    return table.run({count, operations_.data(), keys_.data(), values, outcomes_.data(), nullptr, distinct,
                      mask_of(operation), false},
                     seconds);
  }

  TableChoice choice() const
  {
    return {settings_.family, settings_.hash, settings_.load_factor, "Flattened coordinates of these extents", "sites"};
  }

  /// Finds the sites that read an active one: inserts all candidates into a table, and sorts the resulting keys.
  bool reach_outputs()
  {
    reached_.extents = kernel_.outputs_of(sites_.extents);
    std::uint64_t const candidates = sites_.sites.size() * offsets();
    std::uint64_t const part = std::min<std::uint64_t>({candidates, Exec::batch_limit, 1u << 24});
    reserve(part, true);
    std::uint64_t live = 0;
    std::unique_ptr<Tables> table;
    for (std::uint64_t slots = 2 * (2 * sites_.sites.size() + part), first = 0; first < candidates;) {
      if (!progress_.report(0.5 * static_cast<double>(first) / static_cast<double>(candidates))) { return false; }
      std::uint64_t const count = std::min(part, candidates - first);
      if (!table || 2 * (live + count) > slots) {  // at most half full, so that insertions probe few slots
        if (table) { slots *= 4; }
        table = empty_table<Exec, Format>(exec_, {"linear_probing", settings_.hash}, slots);
        live = first = 0;
        continue;
      }
      exec_.for_each(count, ReachOutputs<Format>{sites_.on_device.data(), kernel_, reached_.extents, first,
                                                 keys_.data(), values_.data()});
      live += run_batch(*table, Operation::insert, count, values_.data(), false)[Outcome::inserted];
      first += count;
    }
    if (live == 0) {
      throw Error("No output reads an active site: choose a larger kernel, or a smaller stride or dilation.");
    }
    order_reached(*table, live);
    return true;
  }

  void order_reached(Tables& table, std::uint64_t count)
  {
    Inspection<Exec, Format> inspection(exec_, table);
    Buffer<Word> words(exec_, count);
    exec_.select(table.settings().slots, Format::empty_word, words.data(), inspection.live_words());
    Buffer<Key> keys(exec_, count);
    exec_.for_each(count, KeysOfWords<Format>{words.data(), keys.data()});
    exec_.sort(keys.data(), count);
    reached_.on_device = Buffer<Site>(exec_, count);
    exec_.for_each(count, UnflattenSites<Format>{keys.data(), reached_.extents, reached_.on_device.data()});
    reached_.sites.resize(count);
    exec_.download(std::span(reached_.sites), static_cast<Site const*>(reached_.on_device.data()));
  }

  /// Builds the table of the keys and rows of all input sites.
  void build_table()
  {
    std::uint64_t const count = input().sites.size();
    snapshot_.sites = count;
    snapshot_.outputs = rows();
    snapshot_.key_bits = Format::bits;
    reserve(count, true);
    table_ = filled_table<Exec, Format>(exec_, choice(), count, [&](Tables& table) {
      exec_.for_each(count, FlattenSites<Format>{input().on_device.data(), input().extents, keys_.data()});
      exec_.for_each(count, NumberRows<Value>{0, values_.data()});
      return run_batch(table, Operation::insert, count, values_.data(), true);
    });
  }

  bool make_map()
  {
    std::uint64_t const entries = rows() * offsets();
    if (entries > max_map_entries) {
      throw Error("The kernel map would have " + std::to_string(entries) +
                  " entries: choose a smaller kernel, or fewer sites.");
    }
    map_ = Buffer<std::uint32_t>(exec_, entries);
    snapshot_.map_bytes = entries * sizeof(std::uint32_t);
    if (settings_.search == Search::shared) {
      input_keys_ = Buffer<Key>(exec_, input().sites.size());
      exec_.for_each(input().sites.size(),
                     FlattenSites<Format>{input().on_device.data(), input().extents, input_keys_.data()});
    }
    bool const symmetric = settings_.search == Search::symmetric;
    std::uint32_t const searched = symmetric ? offsets() / 2 : offsets();
    for (Part part = first_part(); part.first_offset < searched; part = after(part)) {
      part.offsets = std::min(part.offsets, searched - part.first_offset);
      double const done = static_cast<double>(part.first()) / static_cast<double>(std::uint64_t{searched} * rows());
      if (!progress_.report(0.5 + 0.5 * done)) { return false; }
      find(part);
    }
    if (symmetric) {
      std::uint64_t const half = rows() * searched;
      exec_.fill(map_.data() + half, entries - half, no_row);
      exec_.for_each(rows(), NumberRows<std::uint32_t>{0, map_.data() + half});
      exec_.for_each(half, MirrorMap{rows(), offsets(), map_.data()});
    }
    return true;
  }

  /// As many offsets as fit in one batch, or as many rows of one offset.
  Part first_part() const
  {
    std::uint64_t const most = std::min<std::uint64_t>(Exec::batch_limit, 1u << 25);
    bool const one_by_one = settings_.search == Search::shared || rows() > most;
    auto const at_once = static_cast<std::uint32_t>(std::min<std::uint64_t>(offsets(), most / rows()));
    return {rows(), 0, one_by_one ? 1 : at_once, 0, std::min(rows(), most)};
  }
  Part after(Part part) const
  {
    part.first_row += part.row_count;
    if (part.first_row < rows()) {
      part.row_count = std::min(part.row_count, rows() - part.first_row);
      return part;
    }
    Part const first = first_part();
    return {rows(), part.first_offset + part.offsets, first.offsets, 0, first.row_count};
  }

  void find(Part const& part)
  {
    std::uint64_t const count = part.size();
    constexpr bool direct = std::is_same_v<Value, std::uint32_t>;  // if so, a batch's values are entries of the map
    reserve(count, !direct);
    bool const shares = settings_.search == Search::shared && part.first_offset % kernel_.size[2] != 0;
    exec_.for_each(part.row_count, KeysToFind<Format>{output().on_device.data(), kernel_, input().extents,
                                                      settings_.mode == Mode::transposed, part,
                                                      shares ? map_.data() : nullptr, keys_.data()});
    std::uint32_t* const entries = map_.data() + part.first();
    Tally tally;
    if constexpr (direct) {
      tally = run_batch(*table_, Operation::find, count, entries, false);
    } else {
      tally = run_batch(*table_, Operation::find, count, values_.data(), false);
      exec_.for_each(count, NarrowRows<Format>{values_.data(), entries});
    }
    snapshot_.lookups += tally[Outcome::found] + tally[Outcome::missing];
    bool const ends_column = part.first_row + part.row_count == rows();
    if (shares && ends_column) {
      exec_.for_each(rows(),
                     ShareNeighbours<Format>{output().on_device.data(), kernel_, input().extents, part.first_offset,
                                             rows(), input_keys_.data(), input().sites.size(), map_.data()});
    }
  }

  void count_pairs()
  {
    exec_.fill(pairs_.data(), offsets(), std::uint64_t{0});
    exec_.template for_each_tile<32>(offsets() * exec::stretches_of(rows()),
                                     CountPairs{map_.data(), rows(), pairs_.data()});
    snapshot_.pairs_per_offset.resize(offsets());
    exec_.download(std::span(snapshot_.pairs_per_offset), static_cast<std::uint64_t const*>(pairs_.data()));
    for (std::uint64_t const pairs : snapshot_.pairs_per_offset) { snapshot_.pairs += pairs; }
  }

  Exec& exec_;
  SparseSettings settings_;
  Tensor<Exec> const& sites_;
  Tensor<Exec> reached_;  ///< outputs of a sparse convolution, inputs of a transposed one
  Kernel kernel_;
  Progress progress_;
  SparseSnapshot snapshot_;
  typename Exec::Laps laps_;

  std::unique_ptr<Tables> table_;
  std::unique_ptr<Inspection<Exec, Format>> inspection_;
  Buffer<std::uint32_t> map_;  ///< for each offset, one number per output row
  Buffer<Key> input_keys_;     ///< keys of the input rows, for `Search::shared`
  Buffer<std::uint64_t> pairs_;
  Buffer<std::uint32_t> row_;

  Buffer<Operation> operations_;  ///< a batch
  Buffer<Key> keys_;
  Buffer<Value> values_;
  Buffer<Outcome> outcomes_;
};

}  // namespace slotscape::sparse
