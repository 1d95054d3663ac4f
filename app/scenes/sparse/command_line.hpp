#pragma once

#include "app/base/piped_inputs.hpp"
#include "app/scene/entry.hpp"

#include <string>

namespace slotscape {

/// slotscape sparse [MODEL] --kernel 3 ...
class SparseSubcommand final : public Subcommand {
public:
  explicit SparseSubcommand(CLI::App& command);

  SceneSetup set_up(double lead_seconds) const override;
  std::vector<std::pair<std::string_view, std::filesystem::path>> outputs() const override;
  void write_outputs(Scene& scene) const override;

private:
  PipedInputs piped_;
  std::string model_;
  std::string grid_;
  std::string points_;
  std::string kernel_;
  std::string stride_;
  std::string dilation_;
  std::string mode_;
  std::string order_;
  std::string search_;
  std::string table_;
  std::string load_factor_;
  std::string layers_;
  std::string export_;
};

}  // namespace slotscape
