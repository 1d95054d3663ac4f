#pragma once

#include "app/base/piped_inputs.hpp"
#include "app/scene/entry.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <string>

namespace slotscape {

/// The options of `slotscape spatial A B ...`. Missing options keep the scene's defaults.
class SpatialSubcommand final : public Subcommand {
public:
  explicit SpatialSubcommand(CLI::App& command);

  /// The animation reaches the requested time with the requested picture.
  SceneSetup set_up(double lead_seconds) const override;
  std::vector<std::pair<std::string_view, std::filesystem::path>> outputs() const override;
  void write_outputs(Scene& scene) const override;

private:
  void read_coordinates(SpatialSceneSettings& settings) const;
  void read_voxel(SpatialSetup& set_up) const;

  PipedInputs piped_;
  std::string a_;
  std::string b_;
  SettingOptions<spatial::VoxelGrid> grid_;
  std::string voxel_;
  SettingOptions<ModelSettings> model_;
  SettingOptions<spatial::SpatialSettings> hashing_;
  std::string animate_;
  bool same_coordinates_ = false;
  bool own_coordinates_ = false;
  SettingOptions<SpatialSceneSettings> scene_;
  SettingOptions<ModelsViewSettings> view_;
  bool fit_ = false;
  bool no_fit_ = false;
  std::string save_result_;
  std::string save_voxels_;
};

}  // namespace slotscape
