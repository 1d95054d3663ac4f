#include "app/scenes/sparse/settings.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/scenes/sparse/site_source.hpp"
#include "gpu/spatial/engine.hpp"

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
  return fs::absolute(node.source().folder / path_of_text(source)).lexically_normal().string();
}

std::int32_t read_coordinate(JsonNode const& node)
{
  double const number = node.number(-sparse::max_coordinate, sparse::max_coordinate);
  if (number != std::floor(number)) { node.fail("it must be a whole number"); }
  return static_cast<std::int32_t>(number);
}

std::string read_family(JsonNode const& node)
{
  return std::string(sparse::table_families[node.one_of(sparse::table_families, "table family for sites")]);
}

/// A field of a part of the settings as a field of the set-up.
template <class Part>
void add_fields(std::vector<Field<SparseSetup>>& all, std::span<Field<Part> const> fields, auto part_of)
{
  for (Field<Part> const& field : fields) {
    all.push_back(
        {field.name, [=](JsonNode const& node, SparseSetup& set_up) { field.read(node, part_of(set_up)); },
         [=](SparseSetup const& set_up, fs::path const& folder) { return field.write(part_of(set_up), folder); }});
  }
}

std::span<Field<SiteSource> const> source_fields()
{
  static auto const fields = std::to_array<Field<SiteSource>>({
      {"source", [](JsonNode const& node, SiteSource& source) { source.name = read_source(node); },
       [](SiteSource const& source, fs::path const& folder) -> Json {
         return is_builtin_source(source.name) ? source.name : relative_name(source.name, folder);
       }},
      whole_number("points", &SiteSource::points, 1, spatial::max_points),
      whole_number("grid", &SiteSource::grid, smallest_site_grid, largest_site_grid),
      whole_number("seed", &SiteSource::seed),
  });
  return fields;
}

std::span<Field<sparse::SparseSettings> const> convolution_fields()
{
  using Settings = sparse::SparseSettings;
  static auto const fields = std::to_array<Field<Settings>>({
      field("family", &Settings::family, read_family, [](std::string const& family) { return family; }),
      choice("hash", &Settings::hash, "hash"),
      number("load_factor", &Settings::load_factor, 0.05, 0.95),
      whole_number("kernel", &Settings::kernel, 1, sparse::max_kernel),
      whole_number("stride", &Settings::stride, 1, sparse::max_stride),
      whole_number("dilation", &Settings::dilation, 1, sparse::max_dilation),
      choice("mode", &Settings::mode, "mode"),
      choice("order", &Settings::order, "order of sites"),
      choice("search", &Settings::search, "search"),
  });
  return fields;
}

Field<SparseSetup> selected_field()
{
  return {"selected",
          [](JsonNode const& node, SparseSetup& set_up) {
            std::vector<JsonNode> const numbers = node.elements();
            if (numbers.size() != 4) { node.fail("it must be a list of four numbers: [batch, x, y, z]"); }
            set_up.selected = sparse::Site{read_coordinate(numbers[0]), read_coordinate(numbers[1]),
                                           read_coordinate(numbers[2]), read_coordinate(numbers[3])};
          },
          [](SparseSetup const& set_up, fs::path const&) -> Json {
            if (!set_up.selected) { return {}; }
            return {set_up.selected->batch, set_up.selected->x, set_up.selected->y, set_up.selected->z};
          }};
}

std::vector<Field<SparseSetup>> make_fields()
{
  using Settings = SparseSceneSettings;
  static auto const scene_fields = std::to_array<Field<Settings>>({
      whole_number("layers", &Settings::layers, 0, max_layers),
      choice("view", &Settings::view, "view"),
      choice("slice_across", &Settings::slice_across, "axis"),
      number("slice_at", &Settings::slice_at, 0.0, 1.0),
      field("batch", &Settings::batch, read_coordinate, [](std::int32_t batch) { return batch; }),
      flag("show_map", &Settings::show_map),
      object("map", &Settings::map),
  });
  std::vector<Field<SparseSetup>> fields;
  add_fields(
      fields, source_fields(), [](auto& set_up) -> auto& { return set_up.settings.source; });
  add_fields(
      fields, convolution_fields(), [](auto& set_up) -> auto& { return set_up.settings.convolution; });
  add_fields(
      fields, std::span<Field<Settings> const>(scene_fields), [](auto& set_up) -> auto& { return set_up.settings; });
  fields.push_back(selected_field());
  return fields;
}

}  // namespace

template <>
std::span<Field<SparseSetup> const> fields_of()
{
  static std::vector<Field<SparseSetup>> const fields = make_fields();
  return fields;
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
