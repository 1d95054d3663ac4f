#pragma once

#include "app/base/piped_inputs.hpp"
#include "app/scene/entry.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scenes/match/settings.hpp"

#include <string>

namespace slotscape {

/// slotscape match [REFERENCE] [QUERY] --turn 30 ...
class MatchSubcommand final : public Subcommand {
public:
  explicit MatchSubcommand(CLI::App& command);

  SceneSetup set_up() const override;
  void write_outputs(Scene& scene) const override;

private:
  PipedInputs piped_;
  std::string reference_;
  std::string query_;
  SettingOptions<matching::MatchSettings> matching_;
  SettingOptions<QueryPose> pose_;
  std::string shift_;
  std::string frame_;
};

}  // namespace slotscape
