#include "app/scenes/neighbours/command_line.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/neighbours/scene.hpp"
#include "gpu/base/translation.hpp"

#include <CLI/CLI.hpp>

namespace slotscape {
namespace {

/// The name of a built-in shape, or the absolute path of an existing file.
std::string points_of(std::string const& word)
{
  if (clouds::is_builtin(word)) { return word; }
  std::error_code unreadable;
  if (std::filesystem::is_regular_file(word, unreadable)) {
    return std::filesystem::absolute(word).lexically_normal().string();
  }
  throw Error(tr("'{}' is neither a file nor built in; {}", word, suggest(word, clouds::builtin_names())));
}

}  // namespace

NeighboursSubcommand::NeighboursSubcommand(CLI::App& command)
{
  command.add_option("CLOUD", cloud_, "a point cloud, a model, a built-in shape, or - for standard input")
      ->transform([this](std::string const& word) { return piped_.file_of(word); });
  source_.add_to(command);
  search_.add_to(command);
  scene_.add_to(command);
  command.add_option("--save", save_, "write all neighbours as NumPy arrays")->type_name("OUT.npz");
}

SceneSetup NeighboursSubcommand::set_up() const
{
  NeighbourSetup set_up;
  NeighbourSceneSettings& settings = set_up.settings;
  if (!cloud_.empty()) { settings.source.name = points_of(cloud_); }
  source_.read(settings.source);
  search_.read(settings.search);
  scene_.read(settings);
  validate(settings.search);
  return set_up;
}

std::vector<std::pair<std::string_view, std::filesystem::path>> NeighboursSubcommand::outputs() const
{
  return {{"save", save_}};
}

void NeighboursSubcommand::write_outputs(Scene& scene) const
{
  // The entry creates both the scene and the subcommand, so the cast is safe.
  if (!save_.empty()) { static_cast<NeighbourScene&>(scene).save_neighbours(save_); }
}

}  // namespace slotscape
