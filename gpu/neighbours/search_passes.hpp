#pragma once

#include "gpu/neighbours/cells.hpp"

/// Passes that find the neighbours of queries. A `Source` provides the points near a query: see `SortedSource`.
namespace slotscape::neighbours::passes {

/// Finds the points of cells by the cells' keys.
struct SortedSource {
  CellsView cells;

  /// Calls f(range, cells) for the points in the cells that query `item`, located at a point, reads.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each_range(std::uint64_t /*item*/, Point at, F const& f) const
  {
    cells.grid.for_each_row(at, [&](std::uint64_t first_key, std::uint64_t count) {
      f(cells.points_in(first_key, count), count);
    });
  }
};

/// Counts of what a query has read.
struct Reading {
  std::uint32_t cells = 0;
  std::uint32_t candidates = 0;
};

/// Queries that are answered together.
struct Queries {
  Placed const* points;  ///< in any order; faster if queries in the same cell are adjacent
  bool excludes_self;    ///< each query is the point with its number, and not its own neighbour
  std::uint32_t k;       ///< only the k nearest; 0: all
  float squared_radius;

  /// Calls f(squared, number) for each neighbour of query `item`; counts the cells read and the points tested.
  template <class Source, class F>
  SLOTSCAPE_HOST_DEVICE void for_each_neighbour(Source const& source, std::uint64_t item, Reading& reading,
                                                F const& f) const
  {
    for_each_near(source, item, points[item], reading, f);
  }
  /// The same for a query that is not in `points`.
  template <class Source, class F>
  SLOTSCAPE_HOST_DEVICE void for_each_near(Source const& source, std::uint64_t item, Placed const& query,
                                           Reading& reading, F const& f) const
  {
    source.for_each_range(item, query.at, [&](PlacedRange range, std::uint64_t cells) {
      reading.cells += static_cast<std::uint32_t>(cells);
      reading.candidates += range.end - range.first;
      for (std::uint32_t place = range.first; place < range.end; ++place) {
        Placed const candidate = source.cells.placed[place];
        float const squared = squared_distance(query.at, candidate.at);
        bool const is_self = excludes_self && candidate.number == query.number;
        if (squared <= squared_radius && !is_self) { f(squared, candidate.number); }
      }
    });
  }
};

/// How much each query has read and found.
struct PerQuery {
  std::uint32_t* neighbours;
  std::uint32_t* cells_read;
  std::uint32_t* candidates;
};

template <class Source>
struct CountNeighbours {
  Source source;
  Queries queries;
  PerQuery found;
  std::uint32_t* by_number;  ///< neighbour counts again, by query number

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item) const
  {
    std::uint32_t neighbours = 0;
    Reading reading;
    queries.for_each_neighbour(source, item, reading, [&](float, std::uint32_t) { ++neighbours; });
    if (queries.k != 0 && neighbours > queries.k) { neighbours = queries.k; }
    found.neighbours[item] = neighbours;
    found.cells_read[item] = reading.cells;
    found.candidates[item] = reading.candidates;
    by_number[queries.points[item].number] = neighbours;
  }
};

struct Totals {
  std::uint64_t neighbours = 0;
  std::uint64_t cells_read = 0;
  std::uint64_t candidates = 0;
};
/// Sums of the per-query counts, in 64 bits. An item is a stretch of queries.
struct AddUp {
  PerQuery found;
  std::uint64_t count;
  Totals* totals;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    Totals sums;
    exec::for_each_in_stretch(item, count, tile, [&](std::uint64_t i) {
      sums.neighbours += found.neighbours[i];
      sums.cells_read += found.cells_read[i];
      sums.candidates += found.candidates[i];
    });
    sums = {tile.sum(sums.neighbours), tile.sum(sums.cells_read), tile.sum(sums.candidates)};
    if (tile.rank() != 0) { return; }
    exec::fetch_add(totals->neighbours, sums.neighbours);
    exec::fetch_add(totals->cells_read, sums.cells_read);
    exec::fetch_add(totals->candidates, sums.candidates);
  }
};

/// A thread's heap of words with the largest on top (Williams 1964).
SLOTSCAPE_HOST_DEVICE inline void sift_down(std::uint64_t* heap, std::uint32_t count, std::uint32_t at)
{
  std::uint64_t const word = heap[at];
  for (std::uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && heap[child] < heap[child + 1]) { ++child; }
    if (heap[child] <= word) { break; }
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = word;
}
SLOTSCAPE_HOST_DEVICE inline void make_heap(std::uint64_t* words, std::uint32_t count)
{
  for (std::uint32_t at = count / 2; at-- != 0;) { sift_down(words, count, at); }
}
SLOTSCAPE_HOST_DEVICE inline void sort_heap(std::uint64_t* heap, std::uint32_t count)
{
  for (std::uint32_t last = count; last-- > 1;) {
    std::uint64_t const largest = heap[0];
    heap[0] = heap[last];
    sift_down(heap, last, 0);
    heap[last] = largest;
  }
}

/// Keeps the nearest of the words that are added, up to its capacity.
struct NearestWords {
  std::uint64_t* words;
  std::uint32_t room;
  std::uint32_t count = 0;

  SLOTSCAPE_HOST_DEVICE void add(std::uint64_t word)
  {
    if (count < room) {
      words[count++] = word;
      if (count == room) { make_heap(words, count); }
    } else if (word < words[0]) {
      words[0] = word;
      sift_down(words, count, 0);
    }
  }
};

/// Writes the neighbours of each query, as unordered words.
template <class Source>
struct CollectNeighbours {
  Source source;
  Queries queries;
  std::uint32_t const* starts;  ///< start of each query's words, and the end of the last
  std::uint64_t* words;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item) const
  {
    std::uint64_t* const mine = words + starts[item];
    std::uint32_t const room = starts[item + 1] - starts[item];
    Reading reading;
    if (room == 0) { return; }
    if (queries.k == 0) {
      std::uint32_t count = 0;
      queries.for_each_neighbour(source, item, reading, [&](float squared, std::uint32_t number) {
        mine[count++] = word_of(squared, number);
      });
    } else {
      NearestWords nearest{mine, room};
      queries.for_each_neighbour(source, item, reading,
                                 [&](float squared, std::uint32_t number) { nearest.add(word_of(squared, number)); });
    }
  }
};

/// Sorts the words of each query, and writes them to the places of its neighbours. Up to `ranked_per_lane` words per
/// lane, each lane counts the words smaller than its own; more words than that are sorted by a single lane.
struct OrderNeighbours {
  static constexpr std::uint32_t ranked_per_lane = 32;

  Placed const* queries;
  std::uint32_t const* starts;
  std::uint64_t* words;
  std::uint32_t const* offsets;  ///< start of each query's neighbours, by the query's number
  std::uint32_t* numbers;
  float* squared;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t* const mine = words + starts[item];
    std::uint32_t const count = starts[item + 1] - starts[item];
    std::uint32_t const offset = offsets[queries[item].number];
    auto const first = static_cast<std::uint32_t>(tile.rank());
    if (count <= ranked_per_lane * Tile::size) {
      for (std::uint32_t i = first; i < count; i += Tile::size) {
        std::uint64_t const word = mine[i];
        std::uint32_t rank = 0;
        for (std::uint32_t j = 0; j < count; ++j) { rank += mine[j] < word ? 1 : 0; }
        write(offset + rank, word);
      }
    } else if (first == 0) {
      make_heap(mine, count);
      sort_heap(mine, count);
      for (std::uint32_t i = 0; i < count; ++i) { write(offset + i, mine[i]); }
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void write(std::uint64_t place, std::uint64_t word) const
  {
    numbers[place] = number_of(word);
    squared[place] = squared_of(word);
  }
};

/// The ranges of the points in single cells.
struct RangesOfKeys {
  CellsView cells;
  std::uint64_t const* keys;
  PlacedRange* ranges;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { ranges[i] = cells.points_in(keys[i], 1); }
};
struct Gather {
  Placed const* placed;
  std::uint32_t const* places;
  Placed* gathered;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { gathered[i] = placed[places[i]]; }
};

}  // namespace slotscape::neighbours::passes
