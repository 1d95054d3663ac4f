#pragma once

#include "app/base/piped_inputs.hpp"
#include "app/scene/entry.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scenes/neighbours/settings.hpp"

#include <string>

namespace slotscape {

/// slotscape neighbours [CLOUD] --radius R --k K ...
class NeighboursSubcommand final : public Subcommand {
public:
  explicit NeighboursSubcommand(CLI::App& command);

  SceneSetup set_up() const override;
  std::vector<std::pair<std::string_view, std::filesystem::path>> outputs() const override;
  void write_outputs(Scene& scene) const override;

private:
  PipedInputs piped_;
  std::string cloud_;
  SettingOptions<PointSource> source_;
  SettingOptions<NeighbourSearchSettings> search_;
  SettingOptions<NeighbourSceneSettings> scene_;
  std::string save_;
};

}  // namespace slotscape
