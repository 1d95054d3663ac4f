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

/// Asks the user which files to open, where to save, and whether a document may read files outside its folder. If files
/// are closed, all these throw Error.
class FileQuestions {
public:
  FileQuestions(Screen const& screen, UserSettings& settings, Toasts& toasts, Attempts& attempts);

  /// Denies users of the interface access to files from now on, because they may not be the owner of this machine.
  /// Files installed with the program remain available.
  void close() { closed_ = true; }
  bool closed() const { return closed_; }
  void require() const;

  void ask(FileQuestion question);
  /// files: empty to ask for a folder.
  void ask_where_to_save(std::string title, std::string proposed, std::vector<FileKind> files, SaveTo save);
  /// Wraps `save` so that it also informs the user.
  SaveTo saved(SaveTo save);
  void ask_to_trust(std::string document, OutsideFile const& outside, std::function<void()> go_on);
  /// Withdraws the question when the scene that asked is gone.
  void withdraw() { dialog_.close(); }

  /// To be called every frame. The choice may switch scenes.
  void draw(Look const& look);
  bool awaits_keyboard() const { return dialog_.awaits_keyboard(); }

  /// Adds commands to choose between the built-in dialog and the desktop's, if available.
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
