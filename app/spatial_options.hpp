#pragma once

#include "app/scenes/spatial/settings.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace slotscape {

/// What `slotscape spatial` sets in the scene; what is not there keeps its default.
struct SpatialOptions {
  SpatialSceneSettings settings;
  std::filesystem::path save_result;  ///< empty: not asked for
  std::filesystem::path save_voxels;
};

/// The options as they are typed.
class TypedSpatialOptions {
public:
  void add_to(CLI::App& command);
  /// Throws Error that says what would be right.
  SpatialOptions interpret() const;

private:
  std::string a_;
  std::string b_;
  std::string grid_;
  std::string points_;
  std::string table_;
  std::string load_factor_;
  std::string animate_;
  std::string boolean_;
  std::string color_;
  std::string save_result_;
  std::string save_voxels_;
};

}  // namespace slotscape
