#pragma once

#include "gpu/base/device_lost.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/execution/free_memory.hpp"
#include "gpu/neighbours/search_passes.hpp"

#include <utility>
#include <vector>

namespace slotscape::neighbours {

/// Places of neighbours in a result are 32-bit numbers.
inline constexpr std::uint64_t max_neighbours = (std::uint64_t{1} << 32) - 2;

/// The neighbours of queries on the device (CSR): those of query i are in `numbers` and `squared` from offsets[i] up to
/// offsets[i + 1], by ascending distance, and at equal distance by ascending number.
template <exec::Executor Exec>
struct FoundNeighbours {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  std::uint64_t queries = 0;
  passes::Totals totals = {};
  Buffer<std::uint32_t> offsets;  ///< number of queries + 1
  Buffer<std::uint32_t> numbers;  ///< empty, like `squared`, if only counts were requested
  Buffer<float> squared;
};

/// The parameters of a search.
struct SearchRequest {
  std::uint32_t k = 0;  ///< only the k nearest; 0: all within the radius
  bool excludes_self = false;
  bool lists = true;                    ///< false: only count the neighbours
  std::uint64_t most = max_neighbours;  ///< maximum number of listed neighbours
};

/// Answers queries in parts: counts neighbours, then collects them, then sorts each query's neighbours. `parts(first,
/// count)` returns the source for a part of the queries (`passes::SortedSource`).
template <exec::Executor Exec>
class NeighbourSearch {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit NeighbourSearch(Exec& exec) : exec_(exec), totals_(exec, 1) {}

  /// `queries`: each number from 0 to `count` once, on the device. Throws Cancelled, and Error, with advice, if there
  /// are more than `max_neighbours` neighbours, or more than memory can hold.
  template <class Parts>
  FoundNeighbours<Exec> run(Placed const* queries, std::uint64_t count, float squared_radius,
                            SearchRequest const& request, std::uint64_t part_size, Parts const& parts,
                            Progress const& progress)
  {
    FoundNeighbours<Exec> found;
    found.queries = count;
    found.offsets = Buffer<std::uint32_t>(exec_, count + 1);
    exec_.fill(found.offsets.data() + count, 1, 0u);
    std::vector<Part> done;
    for (std::uint64_t first = 0; first < count; first += part_size) {
      progress.require(static_cast<double>(first) / static_cast<double>(count));
      Part part{first, std::min(part_size, count - first)};
      passes::Queries const asked{queries + first, request.excludes_self, request.k, squared_radius};
      auto const source = parts(first, part.count);
      this->count(source, asked, part.count, found);
      if (!request.lists) { continue; }
      require_room(found.totals.neighbours, request.most);
      collect(source, asked, part);
      done.push_back(std::move(part));
    }
    if (request.lists) { order(queries, done, found, progress); }
    return found;
  }

private:
  struct Part {
    std::uint64_t first;
    std::uint64_t count;
    Buffer<std::uint32_t> starts = {};
    Buffer<std::uint64_t> words = {};
  };
  static constexpr std::uint64_t bytes_per_neighbour = 2 * sizeof(std::uint64_t);  // once as collected, once in order

  template <class Source>
  void count(Source const& source, passes::Queries const& asked, std::uint64_t count, FoundNeighbours<Exec>& found)
  {
    exec::grow(exec_, neighbours_, count + 1);
    exec::grow(exec_, cells_read_, count);
    exec::grow(exec_, candidates_, count);
    passes::PerQuery const per_query{neighbours_.data(), cells_read_.data(), candidates_.data()};
    exec_.for_each(count, passes::CountNeighbours<Source>{source, asked, per_query, found.offsets.data()});
    passes::Totals sums;
    exec_.upload(totals_.data(), std::span<passes::Totals const>(&sums, 1));
    exec_.template for_each_tile<32>(exec::stretches_of(count), passes::AddUp{per_query, count, totals_.data()});
    exec_.download(std::span(&sums, 1), static_cast<passes::Totals const*>(totals_.data()));
    found.totals.neighbours += sums.neighbours;
    found.totals.cells_read += sums.cells_read;
    found.totals.candidates += sums.candidates;
    in_part_ = sums.neighbours;
  }

  template <class Source>
  void collect(Source const& source, passes::Queries const& asked, Part& part)
  {
    part.starts = Buffer<std::uint32_t>(exec_, part.count + 1);
    exec_.copy(part.starts.data(), static_cast<std::uint32_t const*>(neighbours_.data()), part.count);
    exec_.fill(part.starts.data() + part.count, 1, 0u);
    exec_.prefix_sums(part.starts.data(), part.count + 1);
    part.words = room_for<std::uint64_t>(in_part_);
    exec_.for_each(part.count, passes::CollectNeighbours<Source>{source, asked, part.starts.data(), part.words.data()});
  }

  void order(Placed const* queries, std::vector<Part>& parts, FoundNeighbours<Exec>& found, Progress const& progress)
  {
    exec_.prefix_sums(found.offsets.data(), found.queries + 1);
    found.numbers = room_for<std::uint32_t>(found.totals.neighbours);
    found.squared = room_for<float>(found.totals.neighbours);
    for (Part& part : parts) {
      progress.require();
      exec_.template for_each_tile<32>(part.count, passes::OrderNeighbours{queries + part.first, part.starts.data(),
                                                                           part.words.data(), found.offsets.data(),
                                                                           found.numbers.data(), found.squared.data()});
      exec_.wait();
      part = {};
    }
  }

  /// Checked here because the system promises more memory than it has.
  void require_room(std::uint64_t neighbours, std::uint64_t most) const
  {
    std::uint64_t const needed =
        sizeof(std::uint64_t) * (in_part_ + neighbours);  // those collected now, and the final result
    bool const fits = Exec::backend != Backend::cpu || needed <= checked_from || needed <= exec::free_host_memory();
    if (neighbours > most || !fits) { throw_too_many(neighbours); }
  }
  template <class T>
  Buffer<T> room_for(std::uint64_t neighbours) const
  {
    try {
      return Buffer<T>(exec_, neighbours);
    } catch (DeviceLost const&) {
      throw;
    } catch (Error const&) {
      throw_too_many(neighbours);
    }
  }
  [[noreturn]] static void throw_too_many(std::uint64_t neighbours)
  {
    throw Error("There are at least " + std::to_string(neighbours) + " neighbours, which take " +
                std::to_string(bytes_per_neighbour * neighbours >> 20) +
                " MiB: more than can be listed here. Choose a smaller radius, or only the k nearest.");
  }
  static constexpr std::uint64_t checked_from = std::uint64_t{64} << 20;  // bytes

  Exec& exec_;
  std::uint64_t in_part_ = 0;  ///< neighbours
  Buffer<std::uint32_t> neighbours_;
  Buffer<std::uint32_t> cells_read_;
  Buffer<std::uint32_t> candidates_;
  Buffer<passes::Totals> totals_;
};

}  // namespace slotscape::neighbours
