#pragma once

#include "gpu/blocks/engine.hpp"
#include "gpu/blocks/passes.hpp"
#include "gpu/engine/queried_table.hpp"
#include "gpu/engine/stored_table.hpp"
#include "gpu/neighbours/cells.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace slotscape::blocks {

/// A table in which kernels look up keys.
template <exec::Executor Exec, PairFormat Format>
class KeyTable final
    : public QueriedTable<LinearProbing, Exec, Format, StoredTable<LinearProbing, Exec, Format, Table<Exec, Format>>> {
  using Base = QueriedTable<LinearProbing, Exec, Format, StoredTable<LinearProbing, Exec, Format, Table<Exec, Format>>>;

public:
  using Base::Base;
  using Base::view;

  static TableSettings settings_for(std::uint64_t keys, BlocksSettings const& settings)
  {
    constexpr double fewest_slots = 16.0;
    double const wanted = std::max(std::ceil(static_cast<double>(keys) / settings.load_factor), fewest_slots);
    TableSettings table{.family = std::string(LinearProbing::info.name),
                        .hash = settings.hash,
                        .key_bits = Format::bits,
                        .keys_only = !Format::has_values};
    table.slots =
        std::ranges::max(nearest_slots(slot_counts_of(LinearProbing::info, table), static_cast<std::uint64_t>(wanted)));
    return table;
  }
};

/// A grid of voxels of exactly this side, starting at the lowest corner of a box.
inline neighbours::CellGrid voxel_grid(neighbours::Bounds const& bounds, double side)
{
  neighbours::CellGrid grid;
  grid.width = side;
  grid.per_width = 1.0 / side;
  std::array<float, 3> const low{bounds.low.x, bounds.low.y, bounds.low.z};
  std::array<float, 3> const high{bounds.high.x, bounds.high.y, bounds.high.z};
  for (int axis = 0; axis != 3; ++axis) {
    auto const at = static_cast<std::size_t>(axis);
    grid.low[axis] = static_cast<double>(low[at]);
    double const along = std::floor(grid.along(high[at], axis)) + 1.0;
    if (along > static_cast<double>(max_voxels_along)) {
      throw Error(
          "The box around the points has more than 65,536 voxels along an axis: choose larger ones, or leave "
          "out points far from all others.");
    }
    grid.size[axis] = static_cast<std::uint64_t>(along);
  }
  return grid;
}

/// The blocks of a grid of voxels.
inline neighbours::CellGrid block_grid(neighbours::CellGrid grid)
{
  constexpr std::uint64_t side = 1u << block_bits;
  grid.width *= static_cast<double>(side);
  grid.per_width /= static_cast<double>(side);
  for (std::uint64_t& size : grid.size) { size = (size + side - 1) / side; }
  return grid;
}

template <exec::Executor Exec>
class BlocksEngineOf final : public BlocksEngine {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }

  Comparison compare(std::span<neighbours::Point const> points, BlocksSettings const& settings,
                     Progress const& progress) override
  {
    validate(settings);
    if (points.empty()) { throw Error("There are no points: open a file, or choose a built-in shape."); }
    if (points.size() > neighbours::max_points) { throw Error("There are more than 2^31 points: choose fewer."); }
    Buffer<neighbours::Point> on_device(exec_, points.size());
    exec_.upload(on_device.data(), points);
    auto const bounds = neighbours::bounds_of(exec_, on_device.data(), points.size(), "Point");
    neighbours::CellGrid const grid = voxel_grid(bounds, static_cast<double>(settings.voxel));
    progress.require(0.1);
    voxels_.build(on_device.data(), points.size(), grid, neighbours::Listing::occupied);
    blocks_.build(on_device.data(), points.size(), block_grid(grid), neighbours::Listing::occupied);
    progress.require(0.2);
    Comparison result{points.size(), {grid.size[0], grid.size[1], grid.size[2]}, {}, {}};
    result.voxels = fits_narrow(voxels_) ? compare_voxels<NarrowSet>(settings) : compare_voxels<WideSet>(settings);
    progress.require(0.6);
    result.blocks = fits_narrow(blocks_) ? compare_blocks<Narrow>(settings) : compare_blocks<Wide>(settings);
    require_agreement(result);
    return result;
  }

private:
  static bool fits_narrow(neighbours::Cells<Exec> const& cells) { return cells.view().grid.cells() <= largest_key(32); }

  template <PairFormat Format>
  Structure compare_voxels(BlocksSettings const& settings)
  {
    KeyTable<Exec, Format> table(exec_, KeyTable<Exec, Format>::settings_for(voxels_.view().listed, settings));
    Structure structure = filled(table, voxels_.view());
    ask(structure, passes::VoxelTable<typename KeyTable<Exec, Format>::View>{table.view(), voxels_.view().grid},
        settings);
    return structure;
  }

  template <PairFormat Format>
  Structure compare_blocks(BlocksSettings const& settings)
  {
    neighbours::CellsView const& cells = blocks_.view();
    KeyTable<Exec, Format> table(exec_, KeyTable<Exec, Format>::settings_for(cells.listed, settings));
    Structure structure = filled(table, cells);
    Buffer<std::uint32_t> masks(exec_, cells.listed * mask_words);
    passes::BlockTable<typename KeyTable<Exec, Format>::View> const blocks{table.view(), cells.grid, masks.data()};
    exec_.start_timer();
    exec_.fill(masks.data(), masks.size(), 0u);
    exec_.for_each(voxels_.view().listed,
                   passes::SetBits<decltype(blocks)>{blocks, voxels_.view().grid, voxels_.view().keys});
    structure.seconds += exec_.stop_timer();
    structure.mask_bytes = masks.size() * sizeof(std::uint32_t);
    ask(structure, blocks, settings);
    return structure;
  }

  template <class Table>
  Structure filled(Table& table, neighbours::CellsView const& cells)
  {
    exec_.start_timer();
    exec_.for_each(cells.listed, passes::InsertKeys<typename Table::View>{table.view(), cells.keys});
    double const seconds = exec_.stop_timer();
    Structure structure;
    structure.entries = cells.listed;
    structure.slots = table.settings().slots;
    structure.table_bytes = table.memory_bytes();
    structure.seconds = seconds;
    return structure;
  }

  template <class Table>
  void ask(Structure& structure, Table const& table, BlocksSettings const& settings)
  {
    neighbours::CellsView const& voxels = voxels_.view();
    passes::Questions const questions{voxels.grid, voxels.keys, voxels.listed, settings.seed};
    std::uint64_t const around = std::clamp<std::uint64_t>(settings.accesses / 26, 1, voxels.listed);
    structure.patterns = {
        answered(passes::AtRandom{questions}, table, settings.accesses),
        answered(passes::OfNeighbours{questions, voxels.listed / around}, table, around),
        answered(passes::AlongRays{questions}, table, settings.rays),
    };
  }

  /// Runs a pattern twice: the second run, without counting, is timed.
  template <class Pattern, class Table>
  Accesses answered(Pattern const& pattern, Table const& table, std::uint64_t items)
  {
    exec::grow(exec_, answers_, items);
    exec::grow(exec_, reads_, items);
    exec_.for_each(items, passes::Ask<Pattern, Table, true>{pattern, table, answers_.data(), reads_.data()});
    passes::Sums sums;
    exec_.upload(sums_.data(), std::span<passes::Sums const>(&sums, 1));
    exec_.template for_each_tile<32>(exec::stretches_of(items),
                                     passes::AddUp{reads_.data(), answers_.data(), items, sums_.data()});
    exec_.download(std::span(&sums, 1), static_cast<passes::Sums const*>(sums_.data()));
    exec_.start_timer();
    exec_.for_each(items, passes::Ask<Pattern, Table, false>{pattern, table, answers_.data(), nullptr});
    double const seconds = exec_.stop_timer();
    return {sums.voxels, sums.found, sums.lookups, sums.slots, sums.checksum, seconds};
  }

  static void require_agreement(Comparison const& result)
  {
    for (std::size_t i = 0; i != pattern_names.size(); ++i) {
      if (result.voxels.patterns[i].checksum != result.blocks.patterns[i].checksum) {
        throw std::logic_error("voxels and blocks give different answers");
      }
    }
  }

  Exec exec_;
  neighbours::Cells<Exec> voxels_{exec_};
  neighbours::Cells<Exec> blocks_{exec_};
  Buffer<std::uint64_t> answers_;
  Buffer<passes::Reads> reads_;
  Buffer<passes::Sums> sums_{exec_, 1};
};

}  // namespace slotscape::blocks
