#pragma once

#include "app/scene/file_question.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// A popup that asks for files, with a field for a path and a list of the matching files in its folder.
class PathDialog {
public:
  void ask(FileQuestion question, std::filesystem::path const& folder);
  void reopen();                     ///< after a failure: keeps the typed path
  void close() { closing_ = true; }  ///< the scene that asked no longer exists
  /// Whether the field is about to get the keyboard: keys typed now would be lost.
  bool awaits_keyboard() const { return frames_to_wait_ > 0; }

  /// Call every frame; returns paths once the user has chosen them.
  std::optional<Paths> draw(Look const& look);

private:
  bool opens() const { return question_.kind == FileQuestion::Kind::open; }
  std::filesystem::path path() const;  ///< the path that is typed or selected
  void list_folder();
  bool draw_list(Look const& look);
  void select(std::filesystem::path const& path);
  void look_into(std::filesystem::path const& folder);
  void remark_on_path(Look const& look) const;

  FileQuestion question_;
  std::filesystem::path start_;
  std::string text_;
  Paths others_;  ///< selected earlier, with Ctrl
  std::string listed_text_;
  Paths listed_;
  int openings_ = 0;
  bool opening_ = false;
  int frames_to_wait_ = 0;  ///< limit on the frames that the field may take to get the keyboard
  bool closing_ = false;
  bool refocuses_ = false;  ///< the field gets the keyboard again
};

}  // namespace slotscape
