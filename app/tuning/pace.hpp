#pragma once

#include <vector>

namespace slotscape::tuning {

/// How fast the machine is: the rate of one and the same work, measured again every now and then.
class Pace {
public:
  void add(double rate, double now);

  double now() const { return rates_.empty() ? 0.0 : rates_.back(); }
  bool known() const { return !rates_.empty(); }
  double age(double now) const { return now - measured_at_; }
  /// Whether the machine became faster or slower since the last but one measurement, beyond what repeats differ.
  bool changed() const;

  /// What brings a rate, measured at such a pace, to the best one. 1 if they are nearly the same or the pace is 0.
  double to_best(double pace) const;
  /// By how much, as a share, the pace was lower at its slower times than at its best: a tenth of the time it was
  /// worse.
  double unrest() const;

  static constexpr double same = 0.05;       ///< ratios within this are noise
  static constexpr double different = 0.15;  ///< ratios beyond this are none
  /// No rate is raised by more than this: what was measured at such a pace may itself have had a quieter moment.
  static constexpr double max_correction = 2.0;

private:
  /// What the fastest fifth of the rates exceeds: a few lucky ones are not the machine's pace.
  double best() const;

  std::vector<double> rates_;
  double measured_at_ = 0.0;
};

}  // namespace slotscape::tuning
