#pragma once

#include "app/base/piped_inputs.hpp"
#include "app/scene/entry.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <string>

namespace slotscape {

/// The options for saving models at the end.
class SpatialFiles final : public SceneFiles {
public:
  explicit SpatialFiles(CLI::App& command);

  std::vector<std::pair<std::string_view, std::filesystem::path>> outputs() const override;
  void write_outputs(Scene& scene) const override;

private:
  std::string result_;
  std::string voxels_;
};

/// The options of `slotscape spatial A B ...`. Missing options keep the scene's defaults.
class SpatialSubcommand final : public Subcommand {
public:
  explicit SpatialSubcommand(CLI::App& command);

  /// The animation is at the requested time in the requested picture.
  SceneSetup set_up() const override;
  std::vector<std::pair<std::string_view, std::filesystem::path>> outputs() const override { return files_->outputs(); }
  void write_outputs(Scene& scene) const override { files_->write_outputs(scene); }

private:
  void read_changes(spatial::SpatialSettings& hashing) const;
  void read_distances(SpatialSceneSettings& settings) const;
  void read_coordinates(SpatialSceneSettings& settings) const;
  void read_voxel(SpatialSetup& set_up) const;
  void read_units(SpatialSceneSettings& settings) const;

  PipedInputs piped_;
  std::string a_;
  std::string b_;
  SettingOptions<spatial::VoxelGrid> grid_;
  std::string voxel_;
  SettingOptions<ModelSettings> model_;
  spatial::PerModel<std::string> units_;
  SettingOptions<spatial::SpatialSettings> hashing_;
  SettingOptions<spatial::Changes> changes_;
  SettingOptions<DistanceSettings> distances_;
  std::string animate_;
  bool same_coordinates_ = false;
  bool own_coordinates_ = false;
  SettingOptions<SpatialSceneSettings> scene_;
  SettingOptions<ModelsViewSettings> view_;
  bool fit_ = false;
  bool no_fit_ = false;
  std::optional<SpatialFiles> files_;
};

}  // namespace slotscape
