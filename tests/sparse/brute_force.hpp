#pragma once

#include "gpu/sparse/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
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
  for (Key key = 0; key <= extents.flatten({extents.batch - 1, extents.x - 1, extents.y - 1, extents.z - 1}); ++key) {
    if (active(random)) { sites.push_back(extents.site_of(key)); }
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

/// Sites and pairs of sites of a convolution by its definition, offset after offset, without any flattening.
struct BruteForce {
  SiteSet outputs;
  std::vector<PairSet> pairs;  ///< input and output

  BruteForce(std::vector<Site> const& sites, Extents const& extents, SparseSettings const& settings)
  {
    SiteSet const active(sites.begin(), sites.end());
    auto const flat = extents.z == 1;
    int const stride_z = flat ? 1 : settings.stride;
    auto const coarse = [&](int size, int stride) { return (size + stride - 1) / stride; };
    Extents const out{extents.batch, coarse(extents.x, settings.stride), coarse(extents.y, settings.stride),
                      coarse(extents.z, stride_z)};
    bool const submanifold = settings.mode == Mode::submanifold;
    for (int const dx : steps_of(settings.kernel)) {
      for (int const dy : steps_of(settings.kernel)) {
        for (int const dz : steps_of(flat ? 1 : settings.kernel)) {
          auto& found = pairs.emplace_back();
          for (Key key = 0; key <= out.flatten({out.batch - 1, out.x - 1, out.y - 1, out.z - 1}); ++key) {
            Site const to = out.site_of(key);
            Site const from{to.batch, to.x * settings.stride + dx * settings.dilation,
                            to.y * settings.stride + dy * settings.dilation, to.z * stride_z + dz * settings.dilation};
            if (!active.contains(from) || (submanifold && !active.contains(to))) { continue; }
            outputs.insert(to);
            found.insert(settings.mode == Mode::transposed ? SitePair{to, from} : SitePair{from, to});
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
