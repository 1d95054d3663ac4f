#include "app/scenes/sparse/command_line.hpp"

#include "app/scene/option_text.hpp"
#include "app/scenes/sparse/scene.hpp"
#include "app/scenes/sparse/site_source.hpp"
#include "gpu/spatial/engine.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace slotscape {
namespace {

/// The name of a built-in shape, or the absolute path of an existing file.
std::string source_of(std::string const& word)
{
  if (is_builtin_source(word)) { return word; }
  std::error_code unreadable;
  if (std::filesystem::is_regular_file(word, unreadable)) {
    return std::filesystem::absolute(word).lexically_normal().string();
  }
  throw Error(fmt::format("'{}' is neither a file nor built in; {}", word, suggest(word, builtin_sources())));
}

}  // namespace

SparseSubcommand::SparseSubcommand(CLI::App& command)
{
  command
      .add_option("MODEL", model_,
                  "a model, a point cloud, a .npy file of sites, a built-in shape, or - for standard input")
      ->transform([this](std::string const& word) { return piped_.file_of(word); });
  command.add_option("--grid", grid_, "sites along each axis (default: 128)")->type_name("N");
  command.add_option("--points", points_, "points sampled on a shape or mesh")->type_name("N");
  command.add_option("--kernel", kernel_, "sites that an output reads along each axis: 1 to 7")->type_name("K");
  command.add_option("--stride", stride_, "sites between outputs: 1 to 8")->type_name("S");
  command.add_option("--dilation", dilation_, "sites between those that an output reads: 1 to 8")->type_name("D");
  command.add_option("--mode", mode_, "submanifold, sparse or transposed")->type_name("MODE");
  command.add_option("--order", order_, "order of the rows: given, row_major or morton")->type_name("ORDER");
  command.add_option("--search", search_, "how neighbours are found: each, symmetric or shared")->type_name("HOW");
  command.add_option("--table", table_, "linear_probing, two_level_cuckoo, segmented_cuckoo or cuckoo")
      ->type_name("FAMILY");
  command.add_option("--load-factor", load_factor_, "sites / slots")->type_name("X");
  command.add_option("--layers", layers_, "layers whose growth is counted: 0 to 8")->type_name("N");
  command.add_option("--export", export_, "write the kernel map as NumPy arrays")->type_name("OUT.npz");
}

SceneSetup SparseSubcommand::set_up(double) const
{
  SparseSetup set_up;
  SparseSceneSettings& settings = set_up.settings;
  sparse::SparseSettings& convolution = settings.convolution;
  settings.source.grid = 128;
  if (!model_.empty()) { settings.source.name = source_of(model_); }
  read_whole("--grid", grid_, smallest_site_grid, largest_site_grid, settings.source.grid);
  read_whole("--points", points_, 1, spatial::max_points, settings.source.points);
  read_whole("--kernel", kernel_, 1, sparse::max_kernel, convolution.kernel);
  read_whole("--stride", stride_, 1, sparse::max_stride, convolution.stride);
  read_whole("--dilation", dilation_, 1, sparse::max_dilation, convolution.dilation);
  read_choice("--mode", mode_, convolution.mode);
  if (convolution.stride > 1 && mode_.empty()) { convolution.mode = sparse::Mode::sparse; }
  read_choice("--order", order_, convolution.order);
  read_choice("--search", search_, convolution.search);
  if (!table_.empty()) {
    if (std::ranges::find(sparse::table_families, table_) == sparse::table_families.end()) {
      throw Error(fmt::format("--table: '{}' is unknown; {}", table_, suggest(table_, sparse::table_families)));
    }
    convolution.family = table_;
  }
  read_number("--load-factor", load_factor_, 0.05, 0.95, convolution.load_factor);
  read_whole("--layers", layers_, 0, max_layers, settings.layers);
  sparse::validate(convolution);
  return set_up;
}

std::vector<std::pair<std::string_view, std::filesystem::path>> SparseSubcommand::outputs() const
{
  return {{"export", export_}};
}

void SparseSubcommand::write_outputs(Scene& scene) const
{
  // The entry creates scene and subcommand.
  if (!export_.empty()) { static_cast<SparseScene&>(scene).save_kernel_map(export_); }
}

}  // namespace slotscape
