#pragma once

#include "app/scene/entry.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scenes/races/settings.hpp"

#include <string>

namespace slotscape {

/// slotscape races [CASE] --explore ...
class RacesSubcommand final : public Subcommand {
public:
  explicit RacesSubcommand(CLI::App& command);

  SceneSetup set_up() const override;

private:
  std::string case_;
  SettingOptions<races::RaceSettings> race_;
  std::string explore_;
  std::string turns_;
};

}  // namespace slotscape
