#pragma once

#include "app/gui.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// What a chosen path is for.
enum class PathPurpose : std::uint8_t {
  open,
  key_file,
  picture,
  picture_of_map,
  statistics_json,
  statistics_csv,
  scenario,
  model_a,
  model_b,
  result_ply,
  voxels_ply
};

/// A popup that asks for a file: a path to type, and the files of its folder that fit.
class PathDialog {
public:
  void ask(PathPurpose purpose);
  void ask_again() { ++openings_, opening_ = true; }  ///< with the path as it was typed, which was no good

  struct Choice {
    PathPurpose purpose;
    std::filesystem::path path;
  };
  /// To be called in each frame; gives the path when the user has chosen one.
  std::optional<Choice> draw(Look const& look);

private:
  void list_folder();
  bool draw_list(Look const& look);
  void remark_on_path(Look const& look) const;

  PathPurpose purpose_ = PathPurpose::open;
  std::string text_;
  std::string listed_text_;
  std::vector<std::filesystem::path> listed_;
  std::filesystem::path folder_;  ///< of the last choice
  int openings_ = 0;
  bool opening_ = false;
};

}  // namespace slotscape
