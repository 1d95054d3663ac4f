#pragma once

#include "app/scene/entry.hpp"

#include <string>

namespace slotscape {

/// slotscape races [CASE] --explore ...
class RacesSubcommand final : public Subcommand {
public:
  explicit RacesSubcommand(CLI::App& command);

  SceneSetup set_up(double lead_seconds) const override;

private:
  std::string case_;
  std::string memory_;
  std::string turns_;
  bool explore_ = false;
};

}  // namespace slotscape
