#pragma once

#include "gpu/analysis/occupancy_passes.hpp"
#include "gpu/analysis/passes.hpp"
#include "gpu/analysis/scan_cells.hpp"
#include "gpu/analysis/statistics.hpp"
#include "gpu/execution/executor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace slotscape {

/// Analyses and draws the contents of a table. Owns the device memory for both.
template <exec::Executor Exec>
class Analyser {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// rings: the number of equal parts of the slots, each of which wraps around on its own.
  Analyser(Exec& exec, std::uint64_t slots, std::uint32_t rings = 1)
      : exec_(&exec),
        totals_(exec, 2),
        probe_bins_(exec, live_histogram_limit),
        cluster_bins_(exec, live_histogram_limit),
        other_totals_(exec, 1),
        other_bins_(exec, live_histogram_limit),
        heads_(exec, head_count)
  {
    make_room(slots, slots);
    occupancy_.ring = slots / rings;
  }

  /// Resizes for a table of one ring with this many slots. Reuses memory that is large enough; new memory has room to
  /// grow. Throws Error, and changes nothing, if memory runs out.
  void resize(std::uint64_t slots)
  {
    if (slots == occupancy_.slots) { return; }
    make_room(slots, slots + slots / 4);
    located_.reset();
  }

  Occupancy const& occupancy() const { return occupancy_; }

  SlotMark const* marks() const { return marks_.data(); }
  SlotMark* marks() { return marks_.data(); }

  /// Scans the whole table for marks, counts, measures, occupancy and clusters, which `statistics` then reads.
  template <class Table>
  void measure(Table& table)
  {
    clear();
    table.scan(occupancy_, marks_.data(), view(probe_bins_, 0));
    build_levels(1);
    measure_clusters();
  }

  /// Like `measure`, but writes no marks and draws the picture at the same time, without recent changes. Returns false,
  /// and does nothing, if the table or the picture needs marks.
  template <class Table>
  bool measure_and_draw(Table& table, PictureRequest const& request, Texel* texels)
  {
    Grid const grid = Grid::of(occupancy_.slots, request.layout);
    passes::CellPicture const picture{grid, request, texels};
    if (!picture.is_possible()) { return false; }
    clear();
    if (request.x + request.width > grid.columns >> request.level ||
        request.y + request.height > grid.rows >> request.level) {
      exec_->fill(texels, request.texels(), passes::CellSums{}.texel(request.reduce, 0));
    }
    if (!table.scan_cells(occupancy_, picture, view(probe_bins_, 0))) { return false; }
    build_levels(2);
    measure_clusters();
    auto const shape = passes::CellShape::of(grid, request.level);
    if (request.color_by == ColorBy::cluster_length) {
      locate_cells(grid, request, shape.slots());
      passes::ColorByClusters const color{occupancy_, shape, cells_.data(), request.reduce, texels};
      for_each_cell(request, shape, color);
    }
    return true;
  }

  /// Draws the results of the last `measure`.
  void draw(std::uint8_t const* changes, PictureRequest const& request, Texel* texels)
  {
    Grid const grid = Grid::of(occupancy_.slots, request.layout);
    auto const shape = passes::CellShape::of(grid, request.level);
    locate_cells(grid, request, shape.slots());
    passes::ReduceCell const reduce{marks_.data(), occupancy_,       changes,        shape,
                                    cells_.data(), request.color_by, request.reduce, texels};
    for_each_cell(request, shape, reduce);
  }

  /// Starts copying the first bins of the last `measure`'s histograms to the host and, if `with_other`, those of the
  /// last `count_other`. The host then waits only once for these and other work.
  void send(bool with_other)
  {
    exec::HistogramView const measures = view(probe_bins_, 0);
    exec::HistogramView const clusters = view(cluster_bins_, 1);
    if (with_other) {
      send<3>({measures, clusters, other()}, measures_head);
    } else {
      send<2>({measures, clusters}, measures_head);
    }
  }

  /// The statistics of the last `measure`.
  Statistics statistics()
  {
    send(false);
    exec_->wait();
    return sent_statistics();
  }
  /// The statistics of the last `measure`, after they were sent and the host has waited.
  Statistics sent_statistics()
  {
    passes::HistogramHead const& measures = heads_.data()[measures_head];
    passes::HistogramHead const& clusters = heads_.data()[clusters_head];
    Statistics statistics;
    statistics.links = measures.totals.links;
    statistics.slots = occupancy_.slots - statistics.links;
    statistics.tombstones = measures.totals.tombstones;
    statistics.probe_length = distribution(measures, probe_bins_);
    statistics.live = statistics.probe_length.count;
    statistics.clusters = distribution(clusters, cluster_bins_);
    if (statistics.empty() == 0 && !occupancy_.has_rings()) { add_endless_cluster(statistics); }
    return statistics;
  }

  /// The statistics, with complete histograms of any length.
  template <class Table>
  Statistics complete(Table& table)
  {
    measure(table);
    Statistics found = statistics();
    if (found.probe_length.beyond == 0 && found.clusters.beyond == 0) { return found; }
    auto const measure_with = [&](std::uint64_t probe_bins, std::uint64_t cluster_bins) {
      probe_bins_ = Buffer<std::uint32_t>(*exec_, probe_bins);
      cluster_bins_ = Buffer<std::uint32_t>(*exec_, cluster_bins);
      measure(table);
    };
    measure_with(std::max(found.probe_length.max + 1, live_histogram_limit),
                 std::max(found.clusters.max + 1, live_histogram_limit));
    found = statistics();
    measure_with(live_histogram_limit, live_histogram_limit);
    return found;
  }

  /// Counts the values that `count` adds to a histogram.
  template <class Count>
  void count_other(Count const& count)
  {
    exec_->fill(other_bins_.data(), other_bins_.size(), std::uint32_t{0});
    exec_->fill(other_totals_.data(), 1, exec::HistogramTotals{});
    count(other());
  }
  /// The distribution from `count_other`. Call this after the host has waited for its transfer.
  Distribution sent_distribution() { return distribution(heads_.data()[other_head], other_bins_); }
  /// The distribution of the values that `count` adds to a histogram.
  template <class Count>
  Distribution distribution_of(Count const& count)
  {
    count_other(count);
    send<1>({other()}, other_head);
    exec_->wait();
    return sent_distribution();
  }

  /// Like `distribution_of`, but with a complete histogram of any length.
  template <class Count>
  Distribution complete_distribution_of(Count const& count)
  {
    Distribution found = distribution_of(count);
    if (found.beyond == 0) { return found; }
    other_bins_ = Buffer<std::uint32_t>(*exec_, found.max + 1);
    found = distribution_of(count);
    other_bins_ = Buffer<std::uint32_t>(*exec_, live_histogram_limit);
    return found;
  }

private:
  enum Head : int { measures_head, clusters_head, other_head, head_count };

  void clear()
  {
    passes::ClearMeasures const clear{occupancy_, view(probe_bins_, 0), view(cluster_bins_, 1)};
    exec_->for_each(clear.count(), clear);
  }
  /// Builds the levels of the occupancy from `first` upwards.
  void build_levels(int first)
  {
    for (int level = first; level < occupancy_.levels; ++level) {
      exec_->template for_each_tile<32>(occupancy_.counts[level], passes::BuildLevel{occupancy_, level});
    }
  }
  void measure_clusters()
  {
    auto const accumulate = [&](auto const& clusters) {
      exec_->accumulate(clusters.count(), view(cluster_bins_, 1), clusters);
    };
    if (occupancy_.has_rings()) {
      accumulate(passes::MeasureClustersOfRings{occupancy_});
    } else {
      accumulate(passes::MeasureClusters{occupancy_});
    }
  }

  /// Calls f(cell, tile) for each cell of a picture. Lanes read neighbouring slots within a row, eight each.
  template <class F>
  void for_each_cell(PictureRequest const& request, passes::CellShape const& shape, F const& f)
  {
    switch (std::min(shape.columns / passes::EightMarks::size, 32u)) {
      case 0:
      case 1: return exec_->template for_each_tile<1>(request.texels(), f);
      case 2: return exec_->template for_each_tile<2>(request.texels(), f);
      case 4: return exec_->template for_each_tile<4>(request.texels(), f);
      case 8: return exec_->template for_each_tile<8>(request.texels(), f);
      case 16: return exec_->template for_each_tile<16>(request.texels(), f);
      default: return exec_->template for_each_tile<32>(request.texels(), f);
    }
  }

  /// Prepares for `slots` slots, in the present memory if it is large enough, else in new memory for `capacity` slots.
  void make_room(std::uint64_t slots, std::uint64_t capacity)
  {
    Occupancy occupancy = levels_of(slots);
    if (marks_.size() < slots) {
      Buffer<SlotMark> marks(*exec_, capacity);
      bits_ = Buffer<std::uint64_t>(*exec_, words_of(levels_of(capacity)));
      marks_ = std::move(marks);
    }
    std::uint64_t* level = bits_.data();
    for (int i = 0; i < occupancy.levels; level += occupancy.counts[i++]) { occupancy.words[i] = level; }
    occupancy_ = occupancy;
  }

  static Occupancy levels_of(std::uint64_t slots)
  {
    Occupancy occupancy{};
    occupancy.slots = occupancy.ring = slots;
    std::uint64_t count = slots;
    do {
      count = (count + 63) / 64;
      occupancy.counts[occupancy.levels++] = count;
    } while (count > 1);
    return occupancy;
  }
  static std::uint64_t words_of(Occupancy const& occupancy)
  {
    return std::accumulate(occupancy.counts.begin(), occupancy.counts.begin() + occupancy.levels, std::uint64_t{0});
  }

  /// The positions of a picture's cells change only with the view, so they are cached.
  void locate_cells(Grid const& grid, PictureRequest const& request, std::uint32_t slots)
  {
    auto const place = [](PictureRequest const& r) {
      return std::tuple(r.layout, r.level, r.x, r.y, r.width, r.height);
    };
    if (located_ && place(*located_) == place(request)) { return; }
    if (cells_.size() < request.texels()) {
      cells_ = {};
      cells_ = Buffer<Slot>(*exec_, std::bit_ceil(request.texels()));
    }
    exec_->for_each(request.texels(), passes::LocateCells{grid, request, slots, cells_.data()});
    located_ = request;
  }

  exec::HistogramView view(Buffer<std::uint32_t>& bins, int which)
  {
    return {bins.data(), static_cast<std::uint32_t>(bins.size()), totals_.data() + which};
  }

  exec::HistogramView other()
  {
    return {other_bins_.data(), static_cast<std::uint32_t>(other_bins_.size()), other_totals_.data()};
  }

  template <std::size_t Count>
  void send(std::array<exec::HistogramView, Count> const& histograms, int first_head)
  {
    using Copy = passes::CopyHeads<Count>;
    exec_->for_each(Copy::count(), Copy{histograms, heads_.data() + first_head});
  }

  Distribution distribution(passes::HistogramHead const& head, Buffer<std::uint32_t>& bins)
  {
    exec::HistogramTotals const& totals = head.totals;
    Distribution found;
    found.histogram =
        totals.used <= head.size ? std::vector(head.bins, head.bins + totals.used) : read_bins(bins, totals.used);
    found.count = found.beyond = totals.beyond;
    found.max = totals.beyond_max;
    double sum = static_cast<double>(totals.beyond_sum);
    for (std::uint64_t i = 0; i < found.histogram.size(); ++i) {
      found.count += found.histogram[i];
      sum += static_cast<double>(i) * found.histogram[i];
    }
    while (!found.histogram.empty() && found.histogram.back() == 0) { found.histogram.pop_back(); }
    if (found.beyond == 0 && !found.histogram.empty()) { found.max = found.histogram.size() - 1; }
    if (found.count != 0) { found.mean = sum / static_cast<double>(found.count); }
    return found;
  }

  std::vector<std::uint32_t> read_bins(Buffer<std::uint32_t>& bins, std::uint64_t used)
  {
    std::vector<std::uint32_t> counts(used);
    exec_->download(std::span(counts), static_cast<std::uint32_t const*>(bins.data()));
    return counts;
  }

  /// A table without an empty slot is one cluster that neither starts nor ends.
  void add_endless_cluster(Statistics& statistics) const
  {
    Distribution& clusters = statistics.clusters;
    clusters = {1, static_cast<double>(occupancy_.slots), occupancy_.slots, {}, 0};
    if (cluster_bins_.size() > occupancy_.slots) {
      clusters.histogram.resize(occupancy_.slots + 1);
      clusters.histogram.back() = 1;
    } else {
      clusters.beyond = 1;
    }
  }

  Exec* exec_;
  Occupancy occupancy_;
  Buffer<std::uint64_t> bits_;
  Buffer<exec::HistogramTotals> totals_;
  Buffer<std::uint32_t> probe_bins_;
  Buffer<std::uint32_t> cluster_bins_;
  Buffer<exec::HistogramTotals> other_totals_;  ///< of `count_other`
  Buffer<std::uint32_t> other_bins_;
  typename Exec::template HostBuffer<passes::HistogramHead> heads_;
  Buffer<SlotMark> marks_;  ///< for every slot
  Buffer<Slot> cells_;      ///< the first slot of each cell of the picture last drawn
  std::optional<PictureRequest> located_;
};

}  // namespace slotscape
