#pragma once

#include "gpu/engine/engine.hpp"

#include <cstdint>

namespace slotscape {

/// When and how many keys a mix inserts into static tables. As each batch with new keys rebuilds these as a whole,
/// inserts are collected, and run together once the rebuilding so far is within its share of the time.
class Bursts {
public:
  /// `most`: operations of a batch.
  explicit Bursts(std::uint64_t most) : most_{most} {}

  /// A frame begins, so long after the last one.
  void pass(double seconds);
  bool due() const { return seconds_left_ > 0.0; }
  /// A batch that inserted took so long.
  void observe(double seconds) { seconds_left_ -= seconds; }

  std::uint64_t most() const { return most_; }
  bool collected_enough() const { return collected_ >= most_; }
  void forget_collected() { collected_ = 0; }
  /// The part of a batch to run now. Its inserts are collected; where a burst is due, all are part of it. The count is
  /// 0 where nothing is left.
  BatchRequest now_of(BatchRequest const& batch);

private:
  std::uint64_t most_;
  std::uint64_t collected_ = 0;
  double seconds_left_ = 0.0;  // for rebuilding; below 0 after a long one
};

}  // namespace slotscape
