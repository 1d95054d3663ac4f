#include "gpu/spatial/orient.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <vector>

namespace slotscape::spatial {
namespace {

using Index = std::uint32_t;

struct Edge {
  float length;
  Index from;
  Index to;
};
struct LongerFirst {
  bool operator()(Edge const& a, Edge const& b) const { return a.length > b.length; }
};

class Orientation {
public:
  explicit Orientation(std::span<Patch> patches) : patches_(patches), done_(patches.size())
  {
    index_.reserve(patches.size());
    for (Index i = 0; i < patches.size(); ++i) { index_.emplace(key_of_cell<std::uint64_t>(patches[i].cell), i); }
  }

  void run()
  {
    std::vector<Index> order(patches_.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) { return patches_[i].cell.z; });
    for (Index const highest : order) {
      if (done_[highest]) { continue; }
      if (patches_[highest].normal.z < 0.0f) { flip(highest); }
      settle(highest);
      spread();
    }
  }

private:
  void flip(Index i) { patches_[i].normal = -1.0f * patches_[i].normal; }

  void settle(Index i)
  {
    done_[i] = true;
    Cell const cell = patches_[i].cell;
    for (int number = 0; number < stencil_size; ++number) {
      Cell const near = cell + stencil_step(number);
      if (near.x < 0 || near.y < 0 || near.z < 0) { continue; }
      auto const found = index_.find(key_of_cell<std::uint64_t>(near));
      if (found == index_.end() || done_[found->second]) { continue; }
      float const parallel = std::abs(dot(patches_[i].normal, patches_[found->second].normal));
      edges_.push({1.0f - parallel, i, found->second});
    }
  }

  void spread()
  {
    while (!edges_.empty()) {
      Edge const edge = edges_.top();
      edges_.pop();
      if (done_[edge.to]) { continue; }
      if (dot(patches_[edge.from].normal, patches_[edge.to].normal) < 0.0f) { flip(edge.to); }
      settle(edge.to);
    }
  }

  std::span<Patch> patches_;
  std::vector<bool> done_;
  std::unordered_map<std::uint64_t, Index> index_;
  std::priority_queue<Edge, std::vector<Edge>, LongerFirst> edges_;
};

}  // namespace

void orient(std::span<Patch> patches)
{
  Orientation(patches).run();
}

}  // namespace slotscape::spatial
