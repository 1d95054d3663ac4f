#pragma once

#include "app/scene/entry.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// `slotscape watch [NAME]` and `slotscape open FILE...`. Without arguments, lists the tables shown by running
/// programs.
class WatchSubcommand final : public Subcommand {
public:
  explicit WatchSubcommand(CLI::App& command);
  SceneSetup set_up() const override;

private:
  /// Writes to standard output, and to a file if one is given.
  void list() const;

  std::vector<std::string> tables_;
  std::string layout_;
  std::string preset_;
  std::string slots_;
  std::string color_by_;
  std::string json_;
};

}  // namespace slotscape
