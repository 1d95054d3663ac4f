#pragma once

#include "gpu/execution/block.hpp"
#include "gpu/matching/basis_passes.hpp"
#include "gpu/matching/settings.hpp"
#include "gpu/multivalue/settings.hpp"

namespace slotscape::matching {

/// A pair of bases: one of the reference, and one of the query, which is given by the position of the Choice.
struct Choice {
  std::uint32_t basis;  ///< `basis_passes::no_basis` if there is none
  std::uint32_t votes;
};
inline constexpr std::uint32_t choices_per_basis = 4;

/// A cell with more than this number of bases casts no votes: cells where edges are dense match any query (Alcantara et
/// al. 2009, 6), and cost most of the time.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t max_votes_of_cell(std::uint32_t bases)
{
  return bases / 8 > 16 ? bases / 8 : 16;
}

/// One block per basis of the query: the bases in the cells of its features get votes; those that have many more votes
/// than pictures with as many features would give by chance stand out. `Lanes` threads share the bases of a cell.
template <int Threads, int Lanes>
struct CastVotes {
  static constexpr int threads = Threads;

  multivalue::Range const* ranges;  ///< of each feature relative to each basis of the query
  std::uint32_t const* bases_of_cells;
  std::uint32_t features;  ///< of the query
  std::uint32_t reference_features;
  BasisFrame const* query_frames;
  BasisFrame const* frames;
  std::uint32_t bases;  ///< of the reference
  std::uint32_t* rows;
  Choice* choices;
  std::uint64_t* cast;

  struct Shared {
    std::uint32_t votes[max_bases];
    float best[Threads];
    std::uint32_t best_basis[Threads];
    std::uint32_t cast;
  };

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t row, Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      for (auto b = static_cast<std::uint32_t>(t); b < bases; b += Threads) { shared.votes[b] = 0; }
      if (t == 0) { shared.cast = 0; }
    });
    std::uint32_t const max_votes = max_votes_of_cell(bases);
    block.for_each_thread([&](int t) {
      for (std::uint32_t f = static_cast<std::uint32_t>(t) / Lanes; f < features; f += Threads / Lanes) {
        multivalue::Range const range = ranges[row * features + f];
        if (range.count > max_votes) { continue; }
        std::uint32_t const* const listed = bases_of_cells + range.first;
        for (std::uint32_t i = static_cast<std::uint32_t>(t) % Lanes; i < range.count; i += Lanes) {
          block.add(shared.votes[listed[i]], 1);
        }
      }
    });
    block.for_each_thread([&](int t) {
      std::uint32_t mine = 0;
      for (auto b = static_cast<std::uint32_t>(t); b < bases; b += Threads) {
        rows[row * bases + b] = shared.votes[b];
        mine += shared.votes[b];
      }
      block.add_of_all(shared.cast, mine);
    });
    block.for_each_thread([&](int t) {
      if (t == 0) { exec::fetch_add(*cast, std::uint64_t{shared.cast}); }
    });
    for (std::uint32_t c = 0; c < choices_per_basis; ++c) { choose(row, c, block, shared); }
  }

private:
  /// How many standard deviations the votes are above chance.
  SLOTSCAPE_HOST_DEVICE float excess(std::uint64_t row, std::uint32_t basis, std::uint32_t votes) const
  {
    float const query_cells = query_frames[row].cells;
    float const cells = frames[basis].cells > query_cells ? frames[basis].cells : query_cells;
    float const expected = static_cast<float>(features) * static_cast<float>(reference_features) / cells;
    return (static_cast<float>(votes) - expected) / std::sqrt(expected + 1.0f);
  }

  /// Moves the best of some threads' bases to the first of these threads.
  SLOTSCAPE_HOST_DEVICE static void lead(Shared& shared, int first, int threads, int step)
  {
    float best = shared.best[first];
    std::uint32_t best_basis = shared.best_basis[first];
    for (int other = first + step; other < first + threads; other += step) {
      float const theirs = shared.best[other];
      std::uint32_t const their_basis = shared.best_basis[other];
      if (theirs < best || (theirs == best && their_basis > best_basis)) { continue; }
      best = theirs;
      best_basis = their_basis;
    }
    shared.best[first] = best;
    shared.best_basis[first] = best_basis;
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void choose(std::uint64_t row, std::uint32_t choice, Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      float best = 0.0f;
      std::uint32_t best_basis = basis_passes::no_basis;
      for (auto b = static_cast<std::uint32_t>(t); b < bases; b += Threads) {
        if (shared.votes[b] == 0) { continue; }
        float const mine = excess(row, b, shared.votes[b]);
        if (mine > best) {
          best = mine;
          best_basis = b;
        }
      }
      shared.best[t] = best;
      shared.best_basis[t] = best_basis;
    });
    block.for_each_thread([&](int t) {
      if (t < Threads / Lanes) { lead(shared, t * Lanes, Lanes, 1); }
    });
    block.for_each_thread([&](int t) {
      if (t != 0) { return; }
      lead(shared, 0, Threads, Lanes);
      std::uint32_t const basis = shared.best_basis[0];
      Choice& chosen = choices[row * choices_per_basis + choice];
      chosen = {basis, basis == basis_passes::no_basis ? 0 : shared.votes[basis]};
      if (basis != basis_passes::no_basis) { shared.votes[basis] = 0; }
    });
  }
};

}  // namespace slotscape::matching
