#include "gpu/spatial/orient.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotscape::spatial {
namespace {

using Index = std::uint32_t;

/// Groups of joined patches. Each patch is turned or not, relative to the root of its group.
class Groups {
public:
  explicit Groups(std::size_t count) : parents_(count), turned_(count, 0)
  {
    std::iota(parents_.begin(), parents_.end(), Index{0});
  }
  /// The root of the patch's group, and whether the patch is turned relative to it.
  std::pair<Index, bool> of(Index patch)
  {
    Index root = patch;
    bool turned = false;
    for (; parents_[root] != root; root = parents_[root]) { turned ^= turned_[root] != 0; }
    for (bool rest = turned; patch != root;) {
      Index const next = parents_[patch];
      bool const step = turned_[patch] != 0;
      parents_[patch] = root;
      turned_[patch] = rest ? 1 : 0;
      rest ^= step;
      patch = next;
    }
    return {root, turned};
  }
  /// Joins the groups of two patches. `agree`: whether the patches agree as they are; otherwise, one is turned.
  void join(Index a, Index b, bool agree)
  {
    auto const [root_a, turned_a] = of(a);
    auto const [root_b, turned_b] = of(b);
    if (root_a == root_b) { return; }
    parents_[root_b] = root_a;
    turned_[root_b] = turned_a ^ turned_b ^ !agree ? 1 : 0;
  }

private:
  std::vector<Index> parents_;
  std::vector<std::uint8_t> turned_;  ///< relative to the parent
};

/// How well two patches agree as they are, from -1 to 1.
float agreement(Vector const& a, Vector const& at_a, Vector const& b, Vector const& at_b)
{
  Vector const between = normalized(at_b - at_a);
  return dot(a - 2.0f * dot(a, between) * between, b);
}

/// How well two neighbouring patches agree. Flat patches in nearly the same plane belong to one sheet, though noise may
/// have moved one in front of the other.
float agreement(Patch const& a, Patch const& b)
{
  constexpr float nearly_parallel = 0.9f;
  float const parallel = dot(a.normal, b.normal);
  constexpr float max_roughness = 0.3f;  // a patch with two sheets exceeds it
  bool const are_flat = std::max(a.roughness, b.roughness) < max_roughness;
  return are_flat && std::abs(parallel) > nearly_parallel ? parallel : agreement(a.normal, a.place, b.normal, b.place);
}

/// The area of a surface in a cell, from its normal: the number of cells that a plane meets is inversely proportional.
float area_of(Vector const& normal)
{
  return 1.0f / (std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z));
}

class Orientation {
public:
  explicit Orientation(std::span<Patch> patches) : patches_(patches), groups_(patches.size()) {}

  void run()
  {
    join_neighbours();
    join_closed();
    for (std::int32_t shift = 1; shift <= max_shift && join_near(shift); ++shift) {}
    turn();
  }

private:
  static constexpr std::int32_t max_shift = 12;  ///< one cell then holds any grid

  struct Edge {
    float doubt;
    Index from;
    Index to;
    bool agree;
  };
  struct Part {
    std::size_t patches = 0;
    float area = 0.0f;
    Vector sum;
    Vector middle;
    float volume = 0.0f;  ///< three times
    float spread = 0.0f;  ///< the sum of the distances from the middle, weighted by area

    bool is_closed() const
    {
      constexpr std::size_t min_patches = 20;
      constexpr float max_opening = 0.2f;
      constexpr float min_volume = 0.2f;  // 1 for a ball
      return patches >= min_patches && length(sum) < max_opening * area && std::abs(volume) > min_volume * spread;
    }
  };

  /// The part of a group that lies in one cell.
  struct Piece {
    std::uint64_t cell;
    Index group;
    Index patch;  ///< one of its patches
    Vector normals;
    Vector places;
    float count;

    Vector place() const { return (1.0f / count) * places; }
  };

  bool is_known(Index i) const { return patches_[i].normal != Vector{}; }
  /// The patch's normal as oriented in its group.
  Vector normal(Index i) { return groups_.of(i).second ? -1.0f * patches_[i].normal : patches_[i].normal; }

  void join_in_order(std::vector<Edge>& edges)
  {
    std::ranges::sort(edges, [](Edge const& a, Edge const& b) {
      return std::tie(a.doubt, a.from, a.to) < std::tie(b.doubt, b.from, b.to);
    });
    for (Edge const& edge : edges) { groups_.join(edge.from, edge.to, edge.agree); }
  }

  void join_neighbours()
  {
    std::unordered_map<std::uint64_t, Index> index;
    index.reserve(patches_.size());
    for (Index i = 0; i < patches_.size(); ++i) { index.emplace(key_of_cell<std::uint64_t>(patches_[i].cell), i); }
    std::vector<Edge> edges;
    for (Index i = 0; i < patches_.size(); ++i) {
      for (int number = stencil_center + 1; number < stencil_size; ++number) {
        Cell const near = patches_[i].cell + stencil_step(number);
        if (near.x < 0 || near.y < 0 || near.z < 0) { continue; }
        auto const found = index.find(key_of_cell<std::uint64_t>(near));
        if (found == index.end() || !is_known(i) || !is_known(found->second)) { continue; }
        Patch const& other = patches_[found->second];
        float const agree = agreement(patches_[i], other);
        float const rough = patches_[i].roughness + other.roughness;
        edges.push_back({1.0f - std::abs(agree) + rough, i, found->second, agree > 0.0f});
      }
    }
    join_in_order(edges);
  }

  /// Joins the closed groups, facing outwards.
  void join_closed()
  {
    std::map<Index, Part> parts;
    for (Index i = 0; i < patches_.size(); ++i) {
      if (!is_known(i)) { continue; }
      Part& part = parts[groups_.of(i).first];
      float const area = area_of(patches_[i].normal);
      ++part.patches;
      part.area += area;
      part.middle = part.middle + area * patches_[i].place;
    }
    for (auto& [root, part] : parts) { part.middle = (1.0f / part.area) * part.middle; }
    for (Index i = 0; i < patches_.size(); ++i) {
      if (!is_known(i)) { continue; }
      Part& part = parts[groups_.of(i).first];
      Vector const area = area_of(patches_[i].normal) * normal(i);
      Vector const from_middle = patches_[i].place - part.middle;
      part.sum = part.sum + area;
      part.volume += dot(area, from_middle);
      part.spread += length(area) * length(from_middle);
    }
    Part const* first = nullptr;
    Index first_root = 0;
    for (auto const& [root, part] : parts) {
      if (!part.is_closed()) { continue; }
      if (first == nullptr) {
        first = &part;
        first_root = root;
      } else {
        groups_.join(first_root, root, (first->volume > 0.0f) == (part.volume > 0.0f));
      }
    }
    if (first != nullptr) { outward_ = {first_root, first->volume > 0.0f}; }
  }

  /// Joins groups in the same or in neighbouring cells of side 2^shift. Returns whether several groups remain.
  bool join_near(std::int32_t shift)
  {
    std::vector<Piece> const pieces = pieces_of(shift);
    bool const several = std::ranges::adjacent_find(pieces, std::ranges::not_equal_to(), &Piece::group) != pieces.end();
    if (!several) { return false; }
    std::vector<Edge> edges;
    for (Piece const& piece : pieces) {
      Cell const cell = cell_of_key(piece.cell);
      for (int number = stencil_center; number < stencil_size; ++number) {
        Cell const near = cell + stencil_step(number);
        if (near.x < 0 || near.y < 0 || near.z < 0) { continue; }
        std::uint64_t const there = key_of_cell<std::uint64_t>(near);
        auto other = std::ranges::lower_bound(pieces, there, {}, &Piece::cell);
        for (; other != pieces.end() && other->cell == there; ++other) {
          if (other->group == piece.group || (near == cell && other->group < piece.group)) { continue; }
          float const agree =
              agreement(normalized(piece.normals), piece.place(), normalized(other->normals), other->place());
          bool const turned = groups_.of(piece.patch).second != groups_.of(other->patch).second;
          edges.push_back({1.0f - std::abs(agree), piece.patch, other->patch, (agree > 0.0f) != turned});
        }
      }
    }
    join_in_order(edges);
    return true;
  }
  /// Sorted by cell and group.
  std::vector<Piece> pieces_of(std::int32_t shift)
  {
    std::vector<Piece> all;
    for (Index i = 0; i < patches_.size(); ++i) {
      if (!is_known(i)) { continue; }
      Cell const& cell = patches_[i].cell;
      auto const key = key_of_cell<std::uint64_t>({cell.x >> shift, cell.y >> shift, cell.z >> shift});
      all.push_back({key, groups_.of(i).first, i, normal(i), patches_[i].place, 1.0f});
    }
    std::ranges::sort(all, {}, [](Piece const& piece) { return std::tuple(piece.cell, piece.group, piece.patch); });
    std::vector<Piece> pieces;
    for (Piece const& one : all) {
      bool const is_new = pieces.empty() || pieces.back().cell != one.cell || pieces.back().group != one.group;
      if (is_new) {
        pieces.push_back(one);
        continue;
      }
      pieces.back().normals = pieces.back().normals + one.normals;
      pieces.back().places = pieces.back().places + one.places;
      pieces.back().count += 1.0f;
    }
    return pieces;
  }

  void turn()
  {
    bool const turns = turns_whole();
    for (Index i = 0; i < patches_.size(); ++i) {
      if (groups_.of(i).second != turns) { patches_[i].normal = -1.0f * patches_[i].normal; }
    }
  }
  bool turns_whole()
  {
    if (outward_) { return groups_.of(outward_->first).second == outward_->second; }
    constexpr float clearly = 0.1f;
    Vector sum;
    Vector middle;
    float area = 0.0f;
    for (Index i = 0; i < patches_.size(); ++i) {
      if (!is_known(i)) { continue; }
      float const own = area_of(patches_[i].normal);
      sum = sum + own * normal(i);
      middle = middle + own * patches_[i].place;
      area += own;
    }
    if (area == 0.0f) { return false; }
    if (std::abs(sum.z) > clearly * area) { return sum.z < 0.0f; }
    float volume = 0.0f;
    for (Index i = 0; i < patches_.size(); ++i) {
      if (is_known(i)) {
        volume += area_of(patches_[i].normal) * dot(normal(i), patches_[i].place - (1.0f / area) * middle);
      }
    }
    return volume < 0.0f;
  }

  std::span<Patch> patches_;
  Groups groups_;
  std::optional<std::pair<Index, bool>>
      outward_;  ///< a patch of the closed parts, and whether its group faces outwards
};

}  // namespace

void orient(std::span<Patch> patches)
{
  Orientation(patches).run();
}

}  // namespace slotscape::spatial
