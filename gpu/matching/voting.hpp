#pragma once

#include "gpu/matching/cell_table.hpp"
#include "gpu/matching/vote_passes.hpp"

namespace slotscape::matching {

/// The query's bases vote for those of the reference, and the pairs that stand out are chosen. Buffers only grow.
template <exec::Executor Exec>
class Voting {
  static constexpr bool on_cpu = Exec::backend == Backend::cpu;
  using Cast = CastVotes<on_cpu ? 1 : 1024, on_cpu ? 1 : 32>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Voting(Exec& exec) : exec_(&exec), bases_(exec), cast_(exec, 1) {}

  void choose_bases(PictureEdges<Exec> const& query, MatchSettings const& settings, std::uint64_t seed)
  {
    bases_.choose(query, settings, settings.query_bases, seed);
  }

  /// The table must have been built. Output: `cast`, the number of votes. Returns false if cancelled.
  bool run(PictureEdges<Exec> const& reference, PictureEdges<Exec> const& query, CellTable<Exec> const& cells,
           std::uint64_t& cast, Progress const& progress)
  {
    std::uint64_t const count = std::uint64_t{bases_.count()} * query.features();
    rows_ = bases_.count();
    columns_ = cells.bases().count();
    exec::grow(*exec_, keys_, count);
    exec::grow(*exec_, ranges_, count);
    exec::grow(*exec_, votes_, std::uint64_t{rows_} * columns_);
    exec::grow(*exec_, choices_, std::uint64_t{rows_} * choices_per_basis);
    exec_->for_each(count, basis_passes::WriteItems{query.points(), bases_.bases(), bases_.frames(), query.features(),
                                                    keys_.data(), nullptr});
    exec_->fill(cast_.data(), 1, std::uint64_t{0});
    for (std::uint32_t first = 0; first < rows_; first += rows_at_once) {
      if (progress.cancelled()) { return false; }
      cast_rows(first, std::min(rows_at_once, rows_ - first), reference, query, cells);
    }
    exec_->download(std::span(&cast, 1), static_cast<std::uint64_t const*>(cast_.data()));
    return true;
  }

  BasisSet<Exec> const& bases() const { return bases_; }
  Choice const* choices() const { return choices_.data(); }
  std::uint32_t choice_count() const { return rows_ * choices_per_basis; }

  std::vector<std::uint32_t> votes() const
  {
    std::vector<std::uint32_t> votes(std::size_t{rows_} * columns_);
    exec_->download(std::span(votes), static_cast<std::uint32_t const*>(votes_.data()));
    return votes;
  }

private:
  static constexpr std::uint32_t rows_at_once = on_cpu ? 8 : 512;

  void cast_rows(std::uint32_t first, std::uint32_t rows, PictureEdges<Exec> const& reference,
                 PictureEdges<Exec> const& query, CellTable<Exec> const& cells)
  {
    std::uint64_t const before = std::uint64_t{first} * query.features();
    multivalue::Range* const ranges = ranges_.data() + before;
    cells.table()->retrieve(keys_.data() + before, std::uint64_t{rows} * query.features(), ranges);
    exec_->template for_each_block<Cast::threads>(rows, Cast{ranges, cells.table()->groups().values, query.features(),
                                                             reference.features(), bases_.frames() + first,
                                                             cells.bases().frames(), columns_,
                                                             votes_.data() + std::uint64_t{first} * columns_,
                                                             choices_.data() + std::uint64_t{first} * choices_per_basis,
                                                             cast_.data()});
  }

  Exec* exec_;
  BasisSet<Exec> bases_;
  std::uint32_t rows_ = 0;
  std::uint32_t columns_ = 0;
  Buffer<std::uint32_t> keys_;
  Buffer<multivalue::Range> ranges_;
  Buffer<std::uint32_t> votes_;
  Buffer<Choice> choices_;
  Buffer<std::uint64_t> cast_;
};

}  // namespace slotscape::matching
