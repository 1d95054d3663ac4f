#pragma once

#include "gpu/sparse/engine.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::sparse {

/// Estimates how much of the work of consecutive layers is done, although the sites of later layers are not known yet.
/// With stride 1, the sites of a shape grow with a power of the width that kernels have added to each: 0 for a solid, 3
/// for single points. With a stride, each layer has the same share of the previous layer's sites.
class LayerWork {
public:
  LayerWork(SparseSettings const& settings, int count)
      : count_(count), step_((settings.kernel - 1) * settings.dilation), strides_(settings.stride > 1)
  {
    if (settings.mode == Mode::submanifold) { power_ = 0.0; }
  }

  void add(SparseSnapshot const& layer)
  {
    done_ += work_of(static_cast<double>(layer.sites), static_cast<double>(layer.outputs));
    if (layers_ == 0) { first_ = static_cast<double>(layer.sites); }
    ratio_ = static_cast<double>(layer.outputs) / static_cast<double>(layer.sites);
    last_ = static_cast<double>(layer.outputs);
    ++layers_;
    if (step_ > 0) { power_ = std::clamp(std::log(last_ / first_) / std::log(width(layers_)), 0.0, 3.0); }
  }
  /// The share of the work that is done, 0 to 1.
  double done() const { return done_ / (done_ + ahead(count_)); }
  /// The share that will be done after the next layer.
  double after_next() const
  {
    double const next = ahead(layers_ + 1);
    return (done_ + next) / (done_ + ahead(count_));
  }

private:
  static constexpr double usual_ratio = 0.5;  ///< for strided layers
  static constexpr double usual_power = 1.5;

  static double work_of(double sites, double outputs) { return sites + outputs; }
  double width(int layers) const { return 1.0 + layers * step_; }
  double growth(int layer) const { return strides_ ? ratio_ : std::pow(width(layer + 1) / width(layer), power_); }
  /// The work from here up to layer `until`.
  double ahead(int until) const
  {
    double work = 0.0;
    double sites = last_;
    for (int layer = layers_; layer < until; ++layer) {
      double const outputs = sites * growth(layer);
      work += work_of(sites, outputs);
      sites = outputs;
    }
    return work;
  }

  int count_;
  int step_;
  bool strides_;
  int layers_ = 0;
  double done_ = 0.0;
  double first_ = 1.0;
  double last_ = 1.0;  ///< sites of the next layer
  double ratio_ = usual_ratio;
  double power_ = usual_power;
};

}  // namespace slotscape::sparse
