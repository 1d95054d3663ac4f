#pragma once

#include "app/scene/facts.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// A popup that asks for a file: a field for its path, and the matching files of its folder.
class PathDialog {
public:
  void ask(FileQuestion question);
  void reopen() { ++openings_, opening_ = true; }  ///< after a failure: keeps the typed path
  void close() { closing_ = true; }                ///< the scene that asked is gone
  FileQuestion const& question() const { return question_; }

  /// Call every frame; returns the path once the user has chosen one.
  std::optional<std::filesystem::path> draw(Look const& look);

private:
  bool opens() const { return question_.kind == FileQuestion::Kind::open; }
  void list_folder();
  bool draw_list(Look const& look);
  void remark_on_path(Look const& look) const;

  FileQuestion question_;
  std::string text_;
  std::string listed_text_;
  std::vector<std::filesystem::path> listed_;
  std::filesystem::path folder_;  ///< of the last choice
  int openings_ = 0;
  bool opening_ = false;
  bool closing_ = false;
};

}  // namespace slotscape
