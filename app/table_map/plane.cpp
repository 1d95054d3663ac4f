#include "app/table_map/plane.hpp"

#include "app/table_map/chain_places.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

/// Rounder numbers of columns, or a single row, are preferred if their cells have at least this share of the largest
/// possible size.
constexpr double worth_a_round_number = 0.92;
constexpr double worth_equal_rows = 0.85;  ///< rows of equal length, a round number of slots
constexpr double worth_a_single_row = 0.75;
constexpr double worth_staying = 0.6;  ///< likewise for keeping the previous layout

double cell_in(double width, double height, std::uint32_t columns, std::uint32_t rows)
{
  return std::min(width / columns, height / rows);
}

}  // namespace

bool is_arranged(std::uint64_t slots, ViewSettings const& view)
{
  return slots <= max_arranged_slots && view.layout == Layout::rows;
}

Plane::Plane(Grid const& grid, std::shared_ptr<ChainPlaces const> chains)
    : grid_(grid), kind_(Kind::chains), columns_(chains->columns()), rows_(chains->rows()), chains_(std::move(chains))
{
}

Plane Plane::of(std::uint64_t slots, ViewSettings const& view, double width, double height, std::uint64_t part)
{
  Grid const grid = Grid::of(slots, view.layout);
  if (!is_arranged(slots, view)) { return Plane(grid); }
  auto const count = static_cast<std::uint32_t>(slots);
  bool const has_arrays =
      part != 0 && (view.arrangement == Arrangement::fitting || view.arrangement == Arrangement::grid);
  if (has_arrays) {
    auto const arrays = static_cast<std::uint32_t>((slots + part - 1) / part);
    return {grid, Kind::arrays, static_cast<std::uint32_t>(part), 2 * arrays};
  }
  Plane row(grid, Kind::lines, count, 1);
  Plane lines = lines_of(slots, grid, width, height);
  switch (view.arrangement) {
    case Arrangement::row: return row;
    case Arrangement::ring: return ring_of(slots, grid, width, height);
    case Arrangement::grid: return lines;
    case Arrangement::fitting: break;
  }
  bool const row_fits =
      cell_in(width, height, count, 1) >= worth_a_single_row * cell_in(width, height, lines.columns(), lines.rows());
  return row_fits ? row : lines;
}

Plane Plane::of(std::uint64_t slots, ViewSettings const& view, double width, double height, Plane const& before,
                std::uint64_t part)
{
  Plane best = of(slots, view, width, height, part);
  if (best.kind_ == Kind::arrays) { return best; }
  bool const is_free = view.arrangement == Arrangement::fitting || before.rows_ > 1;  // a single row was not requested
  bool const of_same_kind = is_arranged(slots, view) && before.kind_ == best.kind_ && is_free;
  double const kept = cell_in(width, height, before.columns_, before.rows_);
  bool const large_enough = kept >= worth_staying * cell_in(width, height, best.columns_, best.rows_);
  return of_same_kind && large_enough ? before : best;
}

/// The number of columns with the largest cells. A power of two is preferred if its cells are nearly as large, because
/// slots are then easier to count.
Plane Plane::lines_of(std::uint64_t slots, Grid const& grid, double width, double height)
{
  auto const count = static_cast<std::uint32_t>(slots);
  auto const cell = [&](std::uint32_t columns) {
    return cell_in(width, height, columns, (count + columns - 1) / columns);
  };
  std::uint32_t best = 1;
  std::uint32_t best_round = 1;
  for (std::uint32_t columns = 1; columns <= count; ++columns) {
    if (cell(columns) > cell(best)) { best = columns; }
    if (std::has_single_bit(columns) && cell(columns) > cell(best_round)) { best_round = columns; }
  }
  double const worth = std::has_single_bit(count) ? worth_equal_rows : worth_a_round_number;
  std::uint32_t const columns = cell(best_round) >= worth * cell(best) ? best_round : best;
  return {grid, Kind::lines, columns, (count + columns - 1) / columns};
}

/// With an odd number of slots, one cell between the last slot and the first remains free.
Plane Plane::ring_of(std::uint64_t slots, Grid const& grid, double width, double height)
{
  auto const half = std::max((static_cast<std::uint32_t>(slots) + 5) / 2, 4u);  // columns + rows
  std::uint32_t best = 2;
  for (std::uint32_t columns = 2; columns + 2 <= half; ++columns) {
    if (cell_in(width, height, columns, half - columns) > cell_in(width, height, best, half - best)) { best = columns; }
  }
  return {grid, Kind::ring, best, half - best};
}

Position Plane::position(Slot slot) const
{
  if (kind_ == Kind::grid) { return grid_.position(slot); }
  if (kind_ == Kind::chains) { return chains_->position(slot); }
  if (kind_ == Kind::lines) { return {slot % columns_, slot / columns_}; }
  if (kind_ == Kind::arrays) { return {slot % columns_, 2 * (slot / columns_) + 1}; }
  std::uint32_t const right = columns_ - 1;
  std::uint32_t const bottom = rows_ - 1;
  if (slot < right) { return {slot, 0}; }
  if (slot < right + bottom) { return {right, slot - right}; }
  if (slot < 2 * right + bottom) { return {right - (slot - right - bottom), bottom}; }
  return {0, bottom - std::min(slot - 2 * right - bottom, bottom)};
}

std::optional<Slot> Plane::slot(Position at) const
{
  if (at.x >= columns_ || at.y >= rows_) { return std::nullopt; }
  if (kind_ == Kind::grid) { return grid_.slot(at); }
  if (kind_ == Kind::chains) { return chains_->node(at); }
  if (kind_ == Kind::lines) { return at.y * columns_ + at.x; }
  if (kind_ == Kind::arrays) { return at.y % 2 == 0 ? std::nullopt : std::optional(at.y / 2 * columns_ + at.x); }
  std::uint32_t const right = columns_ - 1;
  std::uint32_t const bottom = rows_ - 1;
  if (at.y == 0) { return at.x; }
  if (at.x == right) { return right + at.y; }
  if (at.y == bottom) { return right + bottom + (right - at.x); }
  if (at.x == 0) { return 2 * right + bottom + (bottom - at.y); }
  return std::nullopt;
}

}  // namespace slotscape
