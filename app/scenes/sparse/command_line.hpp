#pragma once

#include "app/base/piped_inputs.hpp"
#include "app/scene/entry.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scenes/sparse/settings.hpp"

#include <string>

namespace slotscape {

/// slotscape sparse [MODEL] --kernel 3 ...
class SparseSubcommand final : public Subcommand {
public:
  explicit SparseSubcommand(CLI::App& command);

  SceneSetup set_up() const override;
  std::vector<std::pair<std::string_view, std::filesystem::path>> outputs() const override;
  void write_outputs(Scene& scene) const override;

private:
  PipedInputs piped_;
  std::string model_;
  SettingOptions<SiteSource> source_;
  SettingOptions<sparse::SparseSettings> convolution_;
  SettingOptions<SparseSceneSettings> scene_;
  std::string export_;
};

}  // namespace slotscape
