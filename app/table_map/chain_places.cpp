#include "app/table_map/chain_places.hpp"

#include <algorithm>

namespace slotscape {
namespace {

/// There is always room for chains of this length, so that the layout seldom changes while a table fills.
constexpr std::size_t least_length = 4;
constexpr std::uint32_t room_for_arrows = 3;  ///< cells between a directory and its buckets

std::uint32_t divided_up(std::size_t number, std::size_t by)
{
  return static_cast<std::uint32_t>((number + by - 1) / by);
}

std::size_t longest_of(std::vector<std::vector<Slot>> const& chains)
{
  std::size_t longest = least_length;
  for (std::vector<Slot> const& chain : chains) { longest = std::max(longest, chain.size()); }
  return longest;
}

}  // namespace

ChainPlaces::ChainPlaces(std::vector<std::vector<Slot>> const& chains, std::uint64_t nodes, double width, double height,
                         Of of)
    : chains_(chains), of_(of), nodes_(nodes)
{
  std::vector<bool> is_used(nodes);
  for (std::vector<Slot> const& chain : chains_) {
    for (Slot const node : chain) { is_used[node] = true; }
  }
  for (Slot node = 0; node != nodes; ++node) {
    if (!is_used[node]) { unused_.push_back(node); }
  }
  is_directory() ? arrange_directory(width, height) : arrange(width, height);
  place_nodes();
}

void ChainPlaces::arrange(double width, double height)
{
  column_width_ = static_cast<std::uint32_t>(2 * longest_of(chains_) + 2);
  double best = 0.0;
  for (std::size_t of_heads = 1; of_heads <= chains_.size(); ++of_heads) {
    auto const columns = static_cast<std::uint32_t>(of_heads * column_width_ - 1);
    std::uint32_t const heads = divided_up(chains_.size(), of_heads);
    std::uint32_t const rows = heads + (unused_.empty() ? 0 : 1 + divided_up(unused_.size(), columns));
    double const cell = std::min(width / columns, height / rows);
    if (cell <= best) { continue; }
    best = cell;
    columns_ = columns;
    rows_ = rows;
    heads_a_column_ = heads;
  }
}

/// Makes the directory wider than its buckets if that leaves fewer lines of unused slots.
void ChainPlaces::arrange_directory(double width, double height)
{
  heads_a_column_ = static_cast<std::uint32_t>(chains_.size());
  auto const least = static_cast<std::uint32_t>(1 + room_for_arrows + chains_.front().size());
  double best = 0.0;
  for (std::uint32_t columns = least; columns <= least + unused_.size(); ++columns) {
    std::uint32_t const rows = heads_a_column_ + (unused_.empty() ? 0 : 1 + divided_up(unused_.size(), columns));
    double const cell = std::min(width / columns, height / rows);
    if (cell <= best) { continue; }
    best = cell;
    columns_ = columns;
    rows_ = rows;
  }
  column_width_ = columns_ + 1;
}

void ChainPlaces::place_nodes()
{
  cells_.resize(std::size_t{columns_} * rows_);
  auto const put = [&](Slot node, Position at) {
    nodes_[node] = at;
    cells_[std::size_t{at.y} * columns_ + at.x] = node;
  };
  for (std::size_t number = 0; number < chains_.size(); ++number) {
    Position const first = head(number);
    bool const is_placed = is_directory() && is_led_to_before(number);
    for (std::uint32_t place = 0; place < chains_[number].size() && !is_placed; ++place) {
      std::uint32_t const across = is_directory() ? room_for_arrows + 1 + place : 2 * place + 2;
      put(chains_[number][place], {first.x + across, first.y});
    }
  }
  for (std::uint32_t i = 0; i < unused_.size(); ++i) {
    put(unused_[i], {i % columns_, heads_a_column_ + 1 + i / columns_});
  }
}

bool ChainPlaces::is_led_to_before(std::size_t head) const
{
  return std::ranges::any_of(chains_.begin(), chains_.begin() + static_cast<std::ptrdiff_t>(head),
                             [&](std::vector<Slot> const& other) { return other == chains_[head]; });
}

Position ChainPlaces::head(std::size_t number) const
{
  auto const at = static_cast<std::uint32_t>(number);
  return {at / heads_a_column_ * column_width_, at % heads_a_column_};
}

std::optional<Slot> ChainPlaces::node(Position at) const
{
  return cells_[std::size_t{at.y} * columns_ + at.x];
}

}  // namespace slotscape
