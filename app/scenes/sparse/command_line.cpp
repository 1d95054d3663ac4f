#include "app/scenes/sparse/command_line.hpp"

#include "app/scenes/sparse/scene.hpp"
#include "app/scenes/sparse/site_source.hpp"
#include "gpu/base/translation.hpp"

#include <CLI/CLI.hpp>

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
  throw Error(tr("'{}' is neither a file nor built in; {}", word, suggest(word, builtin_sources())));
}

}  // namespace

SparseSubcommand::SparseSubcommand(CLI::App& command)
{
  command
      .add_option("MODEL", model_,
                  "a model, a point cloud, a .npy file of sites, a built-in shape, or - for standard input")
      ->transform([this](std::string const& word) { return piped_.file_of(word); });
  source_.add_to(command);
  convolution_.add_to(command);
  scene_.add_to(command);
  command.add_option("--export", export_, "write the kernel map as NumPy arrays")->type_name("OUT.npz");
}

SceneSetup SparseSubcommand::set_up() const
{
  SparseSetup set_up;
  SparseSceneSettings& settings = set_up.settings;
  sparse::SparseSettings& convolution = settings.convolution;
  settings.source.grid = 128;
  if (!model_.empty()) { settings.source.name = source_of(model_); }
  if (source_.has("voxel") && source_.has("grid")) {
    throw Error(tr("--voxel and --grid both set the cells; leave out one of the two"));
  }
  source_.read(settings.source);
  convolution_.read(convolution);
  scene_.read(settings);
  if (convolution.stride > 1 && !convolution_.has("mode")) { convolution.mode = sparse::Mode::sparse; }
  sparse::validate(convolution);
  return set_up;
}

std::vector<std::pair<std::string_view, std::filesystem::path>> SparseSubcommand::outputs() const
{
  return {{"export", export_}};
}

void SparseSubcommand::write_outputs(Scene& scene) const
{
  // The entry creates both the scene and the subcommand, so the cast is safe.
  if (!export_.empty()) { static_cast<SparseScene&>(scene).save_kernel_map(export_); }
}

}  // namespace slotscape
