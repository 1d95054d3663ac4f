#pragma once

#include "gpu/sparse/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace slotscape::sparse::test {

/// A test body that runs on every backend, and is skipped, visibly, where there is no device for one.
class SparseTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
    engine = make_sparse_engine(GetParam());
  }
  std::unique_ptr<SparseEngine> engine;
};

#define SLOTSCAPE_SPARSE_ON_EVERY_BACKEND(Suite)                                                                \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values(::slotscape::Backend::cpu, ::slotscape::Backend::cuda), \
                           [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; })

struct BySite {
  bool operator()(Site const& a, Site const& b) const
  {
    return std::tie(a.batch, a.x, a.y, a.z) < std::tie(b.batch, b.x, b.y, b.z);
  }
};
using SiteSet = std::set<Site, BySite>;

/// An input and an output.
using SitePair = std::pair<Site, Site>;
struct BySites {
  bool operator()(SitePair const& a, SitePair const& b) const
  {
    auto const numbers = [](SitePair const& pair) {
      auto const& [in, out] = pair;
      return std::tie(in.batch, in.x, in.y, in.z, out.batch, out.x, out.y, out.z);
    };
    return numbers(a) < numbers(b);
  }
};
using PairSet = std::set<SitePair, BySites>;

/// Each site of the box with this probability: the edges of the extents are as likely as any others.
inline std::vector<Site> random_sites(Extents const& extents, double share, unsigned seed)
{
  std::mt19937 random(seed);
  std::bernoulli_distribution active(share);
  std::vector<Site> sites;
  for (int batch = 0; batch < extents.batch; ++batch) {
    for (int x = 0; x < extents.x; ++x) {
      for (int y = 0; y < extents.y; ++y) {
        for (int z = 0; z < extents.z; ++z) {
          Site const& low = extents.low;
          if (active(random)) { sites.push_back({low.batch + batch, low.x + x, low.y + y, low.z + z}); }
        }
      }
    }
  }
  std::shuffle(sites.begin(), sites.end(), random);
  return sites;
}

/// Steps along one axis at which a kernel of this size reads.
inline std::vector<int> steps_of(int size)
{
  std::vector<int> steps;
  for (int step = size % 2 == 0 ? 0 : -(size / 2); static_cast<int>(steps.size()) < size; ++step) {
    steps.push_back(step);
  }
  return steps;
}

/// The whole number that is this many strides from 0; nothing if there is none.
inline std::optional<int> strides_of(int number, int stride)
{
  for (int strides = -std::abs(number); strides <= std::abs(number); ++strides) {
    if (strides * stride == number) { return strides; }
  }
  return std::nullopt;
}

/// Sites and pairs of sites of a convolution by its definition, offset after offset, without any flattening: there is a
/// pair of input i and output o wherever o * stride + step * dilation = i.
struct BruteForce {
  SiteSet outputs;
  std::vector<PairSet> pairs;  ///< input and output

  BruteForce(std::vector<Site> const& sites, Extents const& extents, SparseSettings const& settings)
  {
    SiteSet const active(sites.begin(), sites.end());
    int const deep_stride = extents.flat ? 1 : settings.stride;
    bool const submanifold = settings.mode == Mode::submanifold;
    for (int const dx : steps_of(settings.kernel)) {
      for (int const dy : steps_of(settings.kernel)) {
        for (int const dz : steps_of(extents.flat ? 1 : settings.kernel)) {
          auto& found = pairs.emplace_back();
          for (Site const& in : active) {
            auto const x = strides_of(in.x - dx * settings.dilation, settings.stride);
            auto const y = strides_of(in.y - dy * settings.dilation, settings.stride);
            auto const z = strides_of(in.z - dz * settings.dilation, deep_stride);
            if (!x || !y || !z) { continue; }
            Site const out{in.batch, *x, *y, *z};
            if (submanifold && !active.contains(out)) { continue; }
            outputs.insert(out);
            found.insert(settings.mode == Mode::transposed ? SitePair{out, in} : SitePair{in, out});
          }
        }
      }
    }
    if (settings.mode != Mode::sparse) { outputs = active; }
  }
};

/// What the engine's last update found, as sites.
inline std::vector<PairSet> pairs_of(SparseEngine& engine)
{
  std::vector<PairSet> pairs;
  for (std::uint32_t offset = 0; offset < engine.kernel().offsets(); ++offset) {
    auto& of_offset = pairs.emplace_back();
    for (auto const& [in, out] : engine.pairs(offset)) {
      of_offset.insert({engine.inputs().at(in), engine.outputs().at(out)});
    }
  }
  return pairs;
}

}  // namespace slotscape::sparse::test
