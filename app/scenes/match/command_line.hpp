#pragma once

#include "app/base/piped_inputs.hpp"
#include "app/scene/entry.hpp"

#include <string>

namespace slotscape {

/// slotscape match [REFERENCE] [QUERY] --turn 30 ...
class MatchSubcommand final : public Subcommand {
public:
  explicit MatchSubcommand(CLI::App& command);

  SceneSetup set_up(double lead_seconds) const override;
  void write_outputs(Scene& scene) const override;

private:
  PipedInputs piped_;
  std::string reference_;
  std::string query_;
  std::string method_;
  std::string smoothing_;
  std::string threshold_;
  std::string features_;
  std::string bases_;
  std::string query_bases_;
  std::string shortest_;
  std::string longest_;
  std::string quantum_;
  std::string attempts_;
  std::string turn_;
  std::string scale_;
  std::string shift_;
  std::string noise_;
  std::string occlusion_;
  std::string frame_;
};

}  // namespace slotscape
