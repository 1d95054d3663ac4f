#pragma once

#include "gpu/analysis/occupancy.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/histogram.hpp"

#include <algorithm>
#include <array>

namespace slotscape::passes {

/// Prepares for a scan: clears the histograms and level 1 of the occupancy, where only bits past the end are set.
struct ClearMeasures {
  Occupancy occupancy;
  exec::HistogramView measures;
  exec::HistogramView clusters;

  std::uint64_t count() const
  {
    std::uint64_t const words = occupancy.levels > 1 ? occupancy.counts[1] : 0;
    return std::max({words, std::uint64_t{measures.size}, std::uint64_t{clusters.size}});
  }
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    clear(measures, i);
    clear(clusters, i);
    if (occupancy.levels == 1 || i >= occupancy.counts[1]) { return; }
    std::uint64_t const left = occupancy.counts[0] - i * 64;
    occupancy.words[1][i] = left < 64 ? Occupancy::full_word << left : 0;
  }

private:
  SLOTSCAPE_HOST_DEVICE static void clear(exec::HistogramView const& view, std::uint64_t i)
  {
    if (i < view.size) { view.bins[i] = 0; }
    if (i == 0) { *view.totals = {}; }
  }
};

/// The first bins of a histogram, which are sent to the host. Usually, the others are empty.
struct HistogramHead {
  static constexpr std::uint32_t size = 256;
  exec::HistogramTotals totals;
  std::uint32_t bins[size];
};

/// Copies the heads of several histograms to one place, so that the host waits for the device only once.
template <std::size_t Count>
struct CopyHeads {
  std::array<exec::HistogramView, Count> histograms;
  HistogramHead* out;

  static constexpr std::uint64_t count() { return Count * HistogramHead::size; }
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    exec::HistogramView const& from = histograms[i / HistogramHead::size];
    HistogramHead& head = out[i / HistogramHead::size];
    std::uint64_t const bin = i % HistogramHead::size;
    head.bins[bin] = bin < from.size ? from.bins[bin] : 0;
    if (bin == 0) { head.totals = *from.totals; }
  }
};

/// Builds one level of the occupancy: its bits mark the full words of the level below.
struct BuildLevel {
  Occupancy occupancy;
  int level;  ///< the level to build, from 1

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t word, Tile tile) const
  {
    std::uint64_t bits = 0;
    for (int k = 0; k < 64; k += Tile::size) {
      std::uint64_t const below = word * 64 + k + tile.rank();
      bool const full =
          below >= occupancy.counts[level - 1] || occupancy.words[level - 1][below] == Occupancy::full_word;
      bits |= std::uint64_t{tile.ballot(full)} << k;
    }
    if (tile.rank() == 0) { occupancy.words[level][word] = bits; }
  }
};

/// Adds to the sink the length of each cluster that starts in the item's words of level 0.
struct MeasureClusters {
  Occupancy occupancy;

  std::uint64_t count() const { return (occupancy.counts[0] + words_per_item() - 1) / words_per_item(); }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    constexpr int short_lengths = Tile::size == 1 ? 8 : 12;  // lengths up to this are counted in bulk
    std::array<std::uint32_t, short_lengths> short_clusters{};
    std::uint64_t const first = item * words_per_item();
    for (std::uint64_t k = tile.rank(); k < words_per_item(); k += Tile::size) {
      if (first + k < occupancy.counts[0]) { measure(first + k, short_clusters, sink); }
    }
    for (int i = 0; i < short_lengths; ++i) {
      std::uint32_t const many = tile.sum(short_clusters[i]);
      if (tile.rank() == 0 && many != 0) { sink.add_many(i + 1, many); }
    }
  }

private:
  /// Small tables have small items, so that the whole device has work.
  SLOTSCAPE_HOST_DEVICE std::uint64_t words_per_item() const { return occupancy.counts[0] < (1u << 18) ? 32 : 128; }

  template <std::size_t short_lengths, class Sink>
  SLOTSCAPE_HOST_DEVICE void measure(std::uint64_t word, std::array<std::uint32_t, short_lengths>& short_clusters,
                                     Sink& sink) const
  {
    std::uint64_t const bits = occupancy.words[0][word];
    std::uint64_t const before = word == 0 ? occupancy.slots - 1 : word * 64 - 1;
    std::uint64_t starts = bits & ~((bits << 1) | (occupancy.occupied(before) ? 1u : 0u));
    std::uint64_t rest = bits;
    SLOTSCAPE_UNROLL
    for (std::size_t i = 0; i < short_lengths; ++i) {  // counts all clusters of i + 1 slots that end within the word
      rest >>= 1;
      std::uint64_t const goes_on = rest | ~(Occupancy::full_word >> (i + 1));
      short_clusters[i] += Occupancy::count(starts & ~goes_on);
      starts &= goes_on;
    }
    // The cluster that reaches the end of the word is handled separately, so that lanes hardly ever wait for each other
    // in the loop.
    int const top = bits == Occupancy::full_word ? 64 : 63 - Occupancy::highest(~bits);
    std::uint64_t const last = top == 0 ? 0 : std::uint64_t{1} << (64 - top);
    if ((starts & last) != 0) {
      starts &= ~last;
      std::uint64_t const slot = word * 64 + static_cast<std::uint64_t>(64 - top);
      if (slot < occupancy.slots) { sink.add(length(word, top)); }
    }
    for (; starts != 0; starts &= starts - 1) {
      sink.add(static_cast<std::uint32_t>(Occupancy::lowest(~(bits >> Occupancy::lowest(starts)))));
    }
  }
  /// The length of the cluster that starts with the last `top` slots of a word. Most end in the next word.
  SLOTSCAPE_HOST_DEVICE std::uint32_t length(std::uint64_t word, int top) const
  {
    std::uint64_t const next = word + 1 < occupancy.counts[0] ? occupancy.words[0][word + 1] : Occupancy::full_word;
    if (next != Occupancy::full_word) { return static_cast<std::uint32_t>(top + Occupancy::lowest(~next)); }
    return static_cast<std::uint32_t>(occupancy.length_from(word * 64 + static_cast<std::uint64_t>(64 - top)));
  }
};

/// Measures clusters that lie within rings. A full ring is one cluster.
struct MeasureClustersOfRings {
  static constexpr std::uint64_t words_per_item = 32;

  Occupancy occupancy;

  std::uint64_t count() const { return (occupancy.counts[0] + words_per_item - 1) / words_per_item; }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    for (std::uint64_t k = tile.rank(); k < words_per_item; k += Tile::size) {
      std::uint64_t const word = item * words_per_item + k;
      if (word < occupancy.counts[0]) { measure(word, sink); }
    }
  }

private:
  template <class Sink>
  SLOTSCAPE_HOST_DEVICE void measure(std::uint64_t word, Sink& sink) const
  {
    std::uint64_t const ring = occupancy.ring;
    for (std::uint64_t left = occupancy.words[0][word]; left != 0; left &= left - 1) {
      std::uint64_t const slot = word * 64 + static_cast<std::uint64_t>(Occupancy::lowest(left));
      if (slot >= occupancy.slots) { return; }
      bool const is_first = slot % ring == 0;
      bool const goes_on = occupancy.occupied(is_first ? slot + ring - 1 : slot - 1);
      if (goes_on && !is_first) { continue; }
      Cluster const cluster = occupancy.cluster(static_cast<Slot>(slot));
      if (!goes_on || cluster.length == ring) { sink.add(static_cast<std::uint32_t>(cluster.length)); }
    }
  }
};

}  // namespace slotscape::passes
