#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/stage_times.hpp"
#include "gpu/matching/checking.hpp"

#include <stdexcept>

namespace slotscape::matching {

template <exec::Executor Exec>
class MatchEngineOf final : public MatchEngine {
public:
  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }

  void set_picture(Side side, Picture const& picture) override
  {
    require_size(picture);
    forget_results();
    of(side).set(picture);
  }

  bool match(MatchSettings const& settings, Progress const& progress) override
  {
    validate(settings);
    if (!reference_.is_set() || !query_.is_set()) {
      throw Error("A match takes two pictures: choose a reference and a query.");
    }
    forget_results();
    progress_ = progress;
    times_.start();
    bool completed = find_features(settings) && fill_table(settings);
    for (std::uint32_t attempt = 0; completed && attempt < settings.attempts && !snapshot_.found; ++attempt) {
      completed = attempt_match(settings, attempt);
    }
    if (!completed) {
      forget_results();
      return false;
    }
    fill_snapshot();
    has_results_ = true;
    return true;
  }
  MatchSnapshot const& snapshot() const override { return snapshot_; }

  std::vector<Feature> const& features(Side side) const override
  {
    std::vector<Feature>& features = features_[static_cast<std::size_t>(side)];
    if (has_results_ && features.empty()) {
      PictureEdges<Exec> const& edges = side == Side::reference ? reference_ : query_;
      for (EdgePoint const& p : downloaded(edges.points(), edges.features())) { features.push_back({p.x, p.y}); }
    }
    return features;
  }
  std::vector<Basis> const& bases(Side side) const override
  {
    std::vector<Basis>& bases = bases_[static_cast<std::size_t>(side)];
    if (has_results_ && bases.empty()) {
      BasisSet<Exec> const& set = side == Side::reference ? cells_.bases() : voting_.bases();
      bases = downloaded(set.bases(), set.count());
    }
    return bases;
  }
  Picture edges(Side side) override
  {
    if (!has_results_) { throw std::logic_error("no results before the first match"); }
    return of(side).magnitudes();
  }
  std::vector<std::uint32_t> const& votes() const override
  {
    if (has_results_ && votes_.empty()) { votes_ = voting_.votes(); }
    return votes_;
  }

  InspectedTable& table() override
  {
    InspectedTable* const table = cells_.inspected();
    if (table == nullptr) { throw std::logic_error("no table before the first match"); }
    return *table;
  }
  Bin bin_of(Key key) const override
  {
    auto const part = [](std::uint64_t bits) {
      return static_cast<std::int32_t>(bits & 0xffffu) - static_cast<std::int32_t>(cell_offset);
    };
    return {part(key), part(key >> 16)};
  }
  Key key_of(Bin bin) const override { return key_of_cell(bin.u, bin.v); }
  Distribution multiplicity() override { return cells_.multiplicity(); }
  std::vector<std::uint32_t> bases_at(Key key) override { return cells_.bases_at(Narrow::narrow(key)); }
  multivalue::Range run_at(Key key) override { return cells_.run_at(Narrow::narrow(key)); }

private:
  /// Different pictures rarely score 0.2, and are never far ahead of their next candidate; but parts of one picture may
  /// look very much alike, in which case most of its edges must agree.
  static bool is_match(double score, double runner_up)
  {
    return (score >= 0.22 && score >= 2.2 * runner_up) || (score >= 0.6 && score >= 1.3 * runner_up);
  }

  PictureEdges<Exec>& of(Side side) { return side == Side::reference ? reference_ : query_; }

  static void require_size(Picture const& picture)
  {
    if (picture.width < smallest_side || picture.height < smallest_side) {
      throw Error("A picture to match has at least " + std::to_string(smallest_side) + " pixels a side, not " +
                  std::to_string(picture.width) + " x " + std::to_string(picture.height) + ": choose a larger one.");
    }
    std::uint64_t const pixels = std::uint64_t{picture.width} * picture.height;
    if (pixels > max_pixels) {
      throw Error("A picture to match has at most " + std::to_string(max_pixels >> 20) +
                  " megapixels: choose a smaller one.");
    }
    if (picture.pixels.size() != pixels) { throw std::invalid_argument("a picture has a grey for each pixel"); }
  }

  template <class T>
  std::vector<T> downloaded(T const* from, std::uint64_t count) const
  {
    std::vector<T> to(count);
    if (count != 0) { exec_.download(std::span(to), from); }
    return to;
  }

  void forget_results()
  {
    has_results_ = false;
    snapshot_ = {};
    votes_.clear();
    for (auto& features : features_) { features.clear(); }
    for (auto& bases : bases_) { bases.clear(); }
  }

  bool find_features(MatchSettings const& settings)
  {
    double share = 0.0;
    for (PictureEdges<Exec>* picture : {&reference_, &query_}) {
      if (!progress_.report(share) || !picture->find_edges(settings, progress_)) { return false; }
      times_.end(MatchStage::edges);
      share += 0.15;
    }
    std::uint32_t const corners = BasisSet<Exec>::corners_for(settings.bases);
    for (PictureEdges<Exec>* picture : {&reference_, &query_}) {
      if (!progress_.report(share)) { return false; }
      picture->choose_points(settings, corners);
      times_.end(MatchStage::features);
    }
    return true;
  }

  bool fill_table(MatchSettings const& settings)
  {
    snapshot_.reused_table = !cells_.is_stale(settings, reference_.version());
    if (snapshot_.reused_table) { return true; }
    cells_.choose_bases(reference_, settings, random64(settings.seed, 0));
    times_.end(MatchStage::bases);
    if (!progress_.report(0.4) || !cells_.build(reference_, settings, reference_.version(), progress_)) {
      return false;
    }
    times_.end(MatchStage::table);
    return true;
  }

  bool attempt_match(MatchSettings const& settings, std::uint32_t attempt)
  {
    double const done = 0.6 + 0.4 * attempt / settings.attempts;
    if (!progress_.report(done)) { return false; }
    voting_.choose_bases(query_, settings, random64(settings.seed, 1 + attempt));
    times_.end(MatchStage::bases);
    if (!voting_.run(reference_, query_, cells_, snapshot_.votes, progress_)) { return false; }
    times_.end(MatchStage::votes);
    if (!progress_.report(done)) { return false; }
    checking_.select(reference_, query_, cells_, voting_);
    times_.end(MatchStage::candidates);
    if (!progress_.report(done)) { return false; }
    snapshot_.candidates = checking_.check(reference_, query_);
    times_.end(MatchStage::check);
    snapshot_.found = is_match(snapshot_.score(), snapshot_.runner_up());
    return true;
  }

  void fill_snapshot()
  {
    snapshot_.features = {reference_.features(), query_.features()};
    snapshot_.bases = {cells_.bases().count(), voting_.bases().count()};
    snapshot_.items = cells_.items();
    snapshot_.keys = cells_.table()->distinct();
    snapshot_.max_values = cells_.max_values();
    snapshot_.slots = cells_.table()->slots();
    snapshot_.bytes = cells_.table()->memory_bytes();
    snapshot_.stage_seconds = times_.seconds();
  }

  mutable Exec exec_;  ///< mutable: const functions copy results from the device
  exec::StageTimes<Exec, MatchStage, match_stage_count> times_{exec_};
  PictureEdges<Exec> reference_{exec_};
  PictureEdges<Exec> query_{exec_};
  CellTable<Exec> cells_{exec_};
  Voting<Exec> voting_{exec_};
  Checking<Exec> checking_{exec_};
  Progress progress_;

  bool has_results_ = false;
  MatchSnapshot snapshot_;
  mutable std::array<std::vector<Feature>, 2> features_;  ///< copied on demand
  mutable std::array<std::vector<Basis>, 2> bases_;
  mutable std::vector<std::uint32_t> votes_;
};

}  // namespace slotscape::matching
