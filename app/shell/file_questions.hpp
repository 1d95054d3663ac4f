#pragma once

#include "app/base/field_error.hpp"
#include "app/dialogs/file_dialog.hpp"
#include "app/dialogs/trust_dialog.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/attempts.hpp"
#include "app/shell/screen.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace slotscape {

inline constexpr double dialog_fades_seconds = 0.25;  ///< the window stays dimmed this long after a dialog closes

/// Writes a file, or into a folder.
using SaveTo = std::function<void(std::filesystem::path const&)>;

/// Asks the user which files to open, where to save, and whether a document may read files outside its folder. Where
/// files are closed, every question throws Error.
class FileQuestions {
public:
  FileQuestions(Screen const& screen, UserSettings& settings, Toasts& toasts, Attempts& attempts);

  /// From now on, whoever uses the interface opens and writes no files with it, because it may not be the user of this
  /// machine; those that come with the program are left.
  void close() { closed_ = true; }
  bool closed() const { return closed_; }
  void require() const;

  void ask(FileQuestion question);
  /// files: none for a folder.
  void ask_where_to_save(std::string title, std::string proposed, std::vector<FileKind> files, SaveTo save);
  /// Saves, and tells the user.
  SaveTo saved(SaveTo save);
  void ask_to_trust(std::string document, OutsideFile const& outside, std::function<void()> go_on);
  /// The scene that asked is gone.
  void withdraw() { dialog_.close(); }

  /// Call every frame. What was chosen may show another scene.
  void draw(Look const& look);
  bool awaits_keyboard() const { return dialog_.awaits_keyboard(); }

  /// Which dialog it is, where the desktop has one.
  void add_commands(std::vector<Command>& commands);

private:
  Screen const& screen_;
  UserSettings& settings_;
  Toasts& toasts_;
  Attempts& attempts_;
  FileDialog dialog_;
  TrustDialog trust_;
  bool closed_ = false;
};

}  // namespace slotscape
