#pragma once

#include "app/scene/entry.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// `slotscape watch [NAME]` and `slotscape open FILE...`. Alone, it lists what running programs show.
class WatchSubcommand final : public Subcommand {
public:
  explicit WatchSubcommand(CLI::App& command);
  SceneSetup set_up() const override;

private:
  /// On standard output, and in a file if one was named.
  void list() const;

  std::vector<std::string> tables_;
  std::string layout_;
  std::string preset_;
  std::string slots_;
  std::string color_by_;
  std::string json_;
};

}  // namespace slotscape
