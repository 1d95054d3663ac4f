#include "app/clouds/readers/copc.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace slotscape::clouds::las {
namespace {

constexpr std::size_t bytes_of_header = 375;  ///< size of the header of LAS 1.4; the COPC record follows
constexpr std::size_t bytes_before_info = 54;
constexpr std::size_t bytes_of_entry = 32;
constexpr std::int32_t most_octree_levels = 64;

/// The points of an octree node, which form a chunk of the file.
struct Node {
  std::uint64_t offset;
  std::uint64_t points;
  std::int32_t level;
  Box box;  ///< in the file's coordinates
};

/// Reads the pages of an octree: each has nodes, and entries that point to further pages.
class OctreeReader {
public:
  OctreeReader(Source const& source, std::uint64_t points) : source_(source), left_(points) {}

  /// Returns the nodes in the order of the file.
  std::vector<Node> read()
  {
    constexpr std::size_t root_page = bytes_of_header + bytes_before_info + 40;
    std::vector<Page> pages{{number<std::uint64_t>(root_page), number<std::uint64_t>(root_page + 8)}};
    std::uint64_t entries = source_.bytes.size() / bytes_of_entry;  // more entries would mean repeated ones
    while (!pages.empty()) {
      auto const [offset, bytes] = pages.back();
      pages.pop_back();
      if (offset > source_.bytes.size() || bytes > source_.bytes.size() - offset || bytes / bytes_of_entry > entries) {
        damaged();
      }
      entries -= bytes / bytes_of_entry;
      for (std::size_t at = offset; at + bytes_of_entry <= offset + bytes; at += bytes_of_entry) {
        read_entry(at, pages);
      }
    }
    if (left_ != 0) { damaged(); }
    std::ranges::sort(nodes_, {}, &Node::offset);
    return std::move(nodes_);
  }

private:
  using Page = std::pair<std::uint64_t, std::uint64_t>;

  template <class Number>
  Number number(std::size_t at) const
  {
    return number_at<Number>(source_.bytes.data() + at);
  }

  void read_entry(std::size_t at, std::vector<Page>& pages)
  {
    auto const level = number<std::int32_t>(at);
    auto const offset = number<std::uint64_t>(at + 16);
    auto const bytes = number<std::int32_t>(at + 24);
    auto const points = number<std::int32_t>(at + 28);
    bool const is_page = points == -1;
    if (is_page && bytes > 0) { return pages.emplace_back(offset, bytes), void(); }
    if (level < 0 || level >= most_octree_levels || points < 0 || static_cast<std::uint64_t>(points) > left_) {
      damaged();
    }
    left_ -= static_cast<std::uint64_t>(points);
    if (points != 0) { nodes_.push_back({offset, static_cast<std::uint64_t>(points), level, box_of(at, level)}); }
  }

  /// The cube of the node with this entry: the octree's cube is halved at each level.
  Box box_of(std::size_t at, std::int32_t level) const
  {
    constexpr std::size_t info = bytes_of_header + bytes_before_info;
    double const half = number<double>(info + 24);
    double const side = std::ldexp(2.0 * half, -level);
    auto const low = [&](std::size_t axis) {
      return number<double>(info + 8 * axis) - half + side * number<std::int32_t>(at + 4 + 4 * axis);
    };
    Position const corner{low(0), low(1), low(2)};
    return {corner, corner + Position{side, side, side}};
  }

  [[noreturn]] void damaged() const
  {
    source_.fail("{} is damaged; get another copy, or export the file again", tr("the octree of its points"));
  }

  Source const& source_;
  std::uint64_t left_;  ///< points that no node has contained so far
  std::vector<Node> nodes_;
};

/// The number of levels, from the coarsest, that together have `wanted` points.
std::int32_t levels_with(std::vector<Node> const& nodes, std::int32_t all, std::uint64_t wanted)
{
  std::uint64_t points = 0;
  for (std::int32_t level = 0; level < all; ++level) {
    for (Node const& node : nodes) { points += node.level == level ? node.points : 0; }
    if (points >= wanted) { return level + 1; }
  }
  return all;
}

std::int32_t levels_of(std::vector<Node> const& nodes)
{
  return 1 + std::ranges::max(nodes, {}, &Node::level).level;
}

/// The nodes that `is_part` accepts.
CoarseLevels part_of(std::vector<Node> const& nodes, std::int32_t levels, auto const& is_part)
{
  CoarseLevels part{.runs = {}, .points = 0, .levels = levels, .of = levels_of(nodes)};
  std::uint64_t first = 0;
  for (Node const& node : nodes) {
    if (is_part(node)) {
      part.runs.push_back({first, node.points, node.level});
      part.points += node.points;
    }
    first += node.points;
  }
  return part;
}

bool is_copc(std::string_view bytes)
{
  constexpr std::size_t info_bytes = 160;
  constexpr std::string_view user("copc\0", 5);
  return bytes.size() >= bytes_of_header + bytes_before_info + info_bytes && bytes.starts_with("LASF") &&
         bytes.substr(bytes_of_header + 2, user.size()) == user &&
         number_at<std::uint16_t>(bytes.data() + bytes_of_header + 18) == 1;
}

}  // namespace

std::optional<CoarseLevels> coarse_levels(Source const& source, std::uint64_t points, std::uint64_t wanted)
{
  if (!is_copc(source.bytes)) { return std::nullopt; }
  std::vector<Node> const nodes = OctreeReader(source, points).read();
  std::int32_t const all = levels_of(nodes);
  std::int32_t const levels = levels_with(nodes, all, wanted);
  return part_of(nodes, levels, [levels](Node const& node) { return node.level < levels; });
}

std::optional<CoarseLevels> levels_in(Box const& box, Source const& source, std::uint64_t points)
{
  if (!is_copc(source.bytes)) { return std::nullopt; }
  std::vector<Node> const nodes = OctreeReader(source, points).read();
  return part_of(nodes, levels_of(nodes), [&](Node const& node) { return distance_between(node.box, box) == 0.0; });
}

}  // namespace slotscape::clouds::las
