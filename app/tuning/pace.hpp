#pragma once

#include <vector>

namespace slotscape::tuning {

/// The speed of the machine: the rate of the same work, measured repeatedly.
class Pace {
public:
  void add(double rate, double now);

  double now() const { return rates_.empty() ? 0.0 : rates_.back(); }
  bool known() const { return !rates_.empty(); }
  double age(double now) const { return now - measured_at_; }
  /// Whether the machine became faster or slower since the previous measurement, beyond the noise of repeats.
  bool changed() const;

  /// The factor that scales a rate measured at this pace to the best pace. 1 if they are nearly the same or the pace is
  /// 0.
  double to_best(double pace) const;
  /// By how much, as a share, the pace at slow times was below the best: the pace was lower still a tenth of the time.
  double unrest() const;

  static constexpr double same = 0.05;       ///< ratios within this are noise
  static constexpr double different = 0.15;  ///< ratios beyond this are not noise
  /// No rate is raised by more than this: a measurement at a low pace may itself have had a quieter moment.
  static constexpr double max_correction = 2.0;

private:
  /// The threshold of the fastest fifth of the rates: a few lucky ones are not the machine's pace.
  double best() const;

  std::vector<double> rates_;
  double measured_at_ = 0.0;
};

}  // namespace slotscape::tuning
