#include "app/scenes/sparse/settings.hpp"

#include "app/base/files.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/scenes/sparse/site_source.hpp"
#include "app/simulation/family_setting.hpp"
#include "app/simulation/hash_choice.hpp"
#include "gpu/spatial/engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace slotscape {

namespace fs = std::filesystem;

using sparse::Mode;
using sparse::Order;
using sparse::Search;

namespace {

std::string read_source(JsonNode const& node)
{
  std::string source = node.text();
  if (source.empty()) { node.fail("it must be the name of a built-in shape or a file"); }
  if (is_builtin_source(source)) { return source; }
  return node.file().string();
}

std::int32_t read_coordinate(JsonNode const& node)
{
  double const number = node.number(-sparse::max_coordinate, sparse::max_coordinate);
  if (number != std::floor(number)) { node.fail("it must be a whole number"); }
  return static_cast<std::int32_t>(number);
}

/// An alternative to `grid`, for cells of a given width.
Setting<SiteSource> voxel_setting()
{
  Setting<SiteSource> setting =
      saved_only_if([](SiteSource const& source) { return source.voxel > 0.0; },
                    number_setting({.name = "voxel",
                                    .label = "Voxel",
                                    .what = "side of a site's cell in the units of the file, instead of a grid",
                                    .argument = "SIZE",
                                    .hint = "Side of a site's cell in the units of the file: type a size and press "
                                            "Enter. Cells begin at multiples of it."},
                                   &SiteSource::voxel, clouds::min_voxel, clouds::max_voxel));
  setting.type = [](std::string_view option, std::string const& typed, SiteSource& source) {
    read_decimal(option, typed, clouds::min_voxel, clouds::max_voxel, source.voxel);
  };
  return setting;
}

Setting<sparse::SparseSettings> order_setting()
{
  return choice_setting({.name = "order",
                         .label = "Rows",
                         .what = "order of the rows",
                         .argument = "ORDER",
                         .hint = "The order in which sites are numbered, and thus which of them lie side by side in "
                                 "memory. It changes how well lookups use the caches, but not what they find.",
                         .more = {"O", "Next order of rows"}},
                        &sparse::SparseSettings::order, "order of sites");
}

Setting<sparse::SparseSettings> search_setting()
{
  return choice_setting({.name = "search",
                         .label = "Search",
                         .what = "how neighbours are found",
                         .argument = "HOW",
                         .hint = "How neighbours are found. By symmetry: if b is the neighbour of a, then a is the "
                                 "neighbour of b at the opposite offset (submanifold, odd kernels). Shared: along z, "
                                 "rows in row-major order give the next neighbour of a site that is present.",
                         .note =
                             "`symmetric` with `submanifold` and odd kernels; `shared` with `row_major`, dilation 1, "
                             "and not with `transposed`"},
                        &sparse::SparseSettings::search, "search");
}

Setting<SparseSetup> selected_setting()
{
  return other_setting<SparseSetup>(
      "`[batch, x, y, z]` of an output",
      {"selected",
       [](JsonNode const& node, SparseSetup& set_up) {
         std::vector<JsonNode> const numbers = node.elements();
         if (numbers.size() != 4) { node.fail("it must be a list of four numbers: [batch, x, y, z]"); }
         set_up.selected = sparse::Site{read_coordinate(numbers[0]), read_coordinate(numbers[1]),
                                        read_coordinate(numbers[2]), read_coordinate(numbers[3])};
       },
       [](SparseSetup const& set_up, fs::path const&) -> Json {
         if (!set_up.selected) { return {}; }
         return {set_up.selected->batch, set_up.selected->x, set_up.selected->y, set_up.selected->z};
       }});
}

std::vector<Setting<SparseSetup>> make_settings()
{
  std::vector<Setting<SparseSetup>> settings;
  add_settings_of_part<SiteSource>(
      settings, [](auto& set_up) -> auto& { return set_up.settings.source; });
  add_settings_of_part<sparse::SparseSettings>(
      settings, [](auto& set_up) -> auto& { return set_up.settings.convolution; });
  add_settings_of_part<SparseSceneSettings>(
      settings, [](auto& set_up) -> auto& { return set_up.settings; });
  settings.push_back(selected_setting());
  return settings;
}

}  // namespace

template <>
std::span<Setting<SiteSource> const> settings_of()
{
  static auto const settings = std::to_array<Setting<SiteSource>>({
      other_setting<SiteSource>(
          "a [built-in shape](manual/files.md#models), `spiral`, or a model or `.npy` file relative to the scenario",
          {"source", [](JsonNode const& node, SiteSource& source) { source.name = read_source(node); },
           [](SiteSource const& source, fs::path const& folder) -> Json {
             return is_builtin_source(source.name) ? source.name : relative_name(source.name, folder);
           }}),
      whole_setting({.name = "points", .what = "points sampled on a shape or mesh", .argument = "N"},
                    &SiteSource::points, 1, spatial::max_points),
      whole_setting({.name = "grid",
                     .label = "Grid",
                     .what = "sites along each axis",
                     .argument = "N",
                     .hint =
                         "The tensor's extents. They are virtual: only active sites take memory. The comma key makes "
                         "the grid coarser, the period key finer.",
                     .less = {"Comma", "Coarser grid"},
                     .more = {"Period", "Finer grid"}},
                    &SiteSource::grid, smallest_site_grid, largest_site_grid, Scale::log),
      voxel_setting(),
      whole_setting({.name = "seed", .what = "of the sampled points"}, &SiteSource::seed),
      flag_setting({.name = "ignore_outliers",
                    .what = "leave out points that lie far outside all others",
                    .option = "ignore-outliers"},
                   &SiteSource::ignore_outliers),
  });
  return settings;
}

template <>
std::span<Setting<sparse::SparseSettings> const> settings_of()
{
  using Settings = sparse::SparseSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      family_setting({.name = "family", .what = "table family", .argument = "FAMILY", .option = "table"},
                     &Settings::family, sparse::table_families, "table family for sites"),
      hash_setting({.name = "hash",
                    .label = "Hash",
                    .what = "hash of the table",
                    .hint = "identity puts neighbouring sites next to each other: watch what happens to the clusters.",
                    .note = "see [hash functions](hash-functions.md)"},
                   &Settings::hash),
      number_setting({.name = "load_factor",
                      .label = "Load α",
                      .what = "sites / slots",
                      .argument = "X",
                      .hint = "Sites / slots.",
                      .note = "as far as the family is safe"},
                     &Settings::load_factor, sparse::min_load_factor, sparse::max_load_factor),
      whole_setting({.name = "kernel",
                     .label = "Kernel",
                     .what = "sites that an output reads along each axis",
                     .argument = "K",
                     .hint = "How many sites an output reads along each axis.",
                     .less = {"J", "Smaller kernel"},
                     .more = {"K", "Larger kernel"}},
                    &Settings::kernel, 1, sparse::max_kernel),
      whole_setting({.name = "stride",
                     .label = "Stride",
                     .what = "sites between outputs",
                     .argument = "S",
                     .hint = "Spacing of the outputs along each axis, in sites.",
                     .note = "1 with `submanifold`"},
                    &Settings::stride, 1, sparse::max_stride),
      whole_setting({.name = "dilation",
                     .label = "Dilation",
                     .what = "sites between those that an output reads",
                     .argument = "D",
                     .hint = "Spacing of the sites that an output reads."},
                    &Settings::dilation, 1, sparse::max_dilation),
      choice_setting({.name = "mode",
                      .label = "Mode",
                      .what = "which sites become outputs",
                      .argument = "MODE",
                      .hint =
                          "Submanifold: outputs are the active sites, so that a network stays sparse. Sparse: every "
                          "site that reads an active one; with a stride, on a coarser grid. Transposed: back from "
                          "the outputs of a strided convolution to its inputs.",
                      .more = {"S", "Next mode"}},
                     &Settings::mode, "mode"),
      order_setting(),
      search_setting(),
  });
  return settings;
}

template <>
std::span<Setting<SparseSceneSettings> const> settings_of()
{
  using Settings = SparseSceneSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      whole_setting(
          {.name = "layers", .what = "layers whose growth is counted, with the kernel and the stride", .argument = "N"},
          &Settings::layers, 0, max_layers),
      choice_setting({.name = "view",
                      .label = "View",
                      .what = "how sites are shown",
                      .hint = "Voxels in space, or a slice of them that shows every number (V)."},
                     &Settings::view, "view"),
      choice_setting({.name = "slice_across",
                      .label = "Across",
                      .what = "the axis that the slice is cut across",
                      .hint = "The axis perpendicular to the slice."},
                     &Settings::slice_across, "axis"),
      number_setting({.name = "slice_at",
                      .label = "Slice",
                      .what = "where it is cut, as a share of the extent",
                      .hint = "Which slice is shown. Up and Down move it by one."},
                     &Settings::slice_at, 0.0, 1.0),
      other_setting<Settings>("whose sites are shown", field("batch", &Settings::batch, read_coordinate,
                                                             [](std::int32_t batch) { return batch; })),
      flag_setting({.name = "show_map"}, &Settings::show_map),
      map_setting("map", &Settings::map),
  });
  return settings;
}

template <>
std::span<Setting<SparseSetup> const> settings_of()
{
  static std::vector<Setting<SparseSetup>> const settings = make_settings();
  return settings;
}

template <>
std::span<EnumName<Mode> const> enum_names()
{
  static constexpr std::array<EnumName<Mode>, 3> names{{{Mode::submanifold, "submanifold", "Submanifold"},
                                                        {Mode::sparse, "sparse", "Sparse"},
                                                        {Mode::transposed, "transposed", "Transposed"}}};
  return names;
}

template <>
std::span<EnumName<Order> const> enum_names()
{
  static constexpr std::array<EnumName<Order>, 3> names{{{Order::given, "given", "As given"},
                                                         {Order::row_major, "row_major", "Row-major"},
                                                         {Order::morton, "morton", "Morton (Z-order)"}}};
  return names;
}

template <>
std::span<EnumName<Search> const> enum_names()
{
  static constexpr std::array<EnumName<Search>, 3> names{{{Search::each, "each", "One lookup per offset"},
                                                          {Search::symmetric, "symmetric", "Half, by symmetry"},
                                                          {Search::shared, "shared", "Shared along rows"}}};
  return names;
}

template <>
std::span<EnumName<SiteView> const> enum_names()
{
  static constexpr std::array<EnumName<SiteView>, 2> names{
      {{SiteView::space, "space", "Space"}, {SiteView::slice, "slice", "Slice"}}};
  return names;
}

template <>
std::span<EnumName<SliceAxis> const> enum_names()
{
  static constexpr std::array<EnumName<SliceAxis>, 3> names{
      {{SliceAxis::x, "x", "x"}, {SliceAxis::y, "y", "y"}, {SliceAxis::z, "z", "z"}}};
  return names;
}

void reconcile(sparse::SparseSettings& convolution)
{
  if (convolution.mode == Mode::submanifold) { convolution.stride = 1; }
  bool const symmetric = convolution.mode == Mode::submanifold && convolution.kernel % 2 == 1;
  bool const shares =
      convolution.order == Order::row_major && convolution.dilation == 1 && convolution.mode != Mode::transposed;
  if (convolution.search == Search::symmetric && !symmetric) { convolution.search = Search::each; }
  if (convolution.search == Search::shared && !shares) { convolution.search = Search::each; }
  double const safe = family_info(convolution.family).guarantees({.family = convolution.family}).safe_load;
  convolution.load_factor = std::min(convolution.load_factor, safe);
}

}  // namespace slotscape
