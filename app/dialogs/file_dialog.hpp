#pragma once

#include "app/dialogs/desktop_dialog.hpp"
#include "app/dialogs/path_dialog.hpp"
#include "app/widgets/toasts.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Asks the user for files: in the desktop's own dialog, or else in a PathDialog. Either way, a name is given its
/// extension, and nothing is overwritten before the user agreed.
class FileDialog {
public:
  explicit FileDialog(Toasts& toasts) : toasts_(toasts) {}
  bool has_desktop() const { return !desktop_.empty(); }
  /// What is typed now would be lost.
  bool awaits_keyboard() const { return paths_.awaits_keyboard(); }

  /// Asks nothing while another question is open. `window`: the X11 window to stay above; 0: unknown.
  void ask(FileQuestion question, bool use_desktop, unsigned long window);
  /// Withdraws the question: the scene that asked is gone.
  void close();

  /// Call every frame. Returns the files once the user has chosen them: then call `use`.
  std::optional<Paths> draw(Look const& look);
  /// Gives the files to whoever asked. If that throws Error, Slotscape's own dialog asks again.
  void use(Paths const& files);

private:
  void start();
  void give_up_desktop(std::string const& why);
  std::optional<Paths> poll_desktop();
  std::optional<Paths> accept(Paths files);
  std::optional<Paths> draw_replacing(Look const& look);
  void ask_again();

  Toasts& toasts_;
  std::vector<DesktopDialog> desktop_ = desktop_dialogs();  ///< to try in this order; one that fails is removed
  std::unique_ptr<AskedDesktop> asked_;                     ///< the desktop's dialog, while it is open
  PathDialog paths_;
  FileQuestion question_;
  std::filesystem::path folder_;                    ///< of the last choice
  std::optional<std::filesystem::path> replacing_;  ///< what exists, until the user has agreed
  bool replacing_opens_ = false;
  bool uses_desktop_ = false;  ///< for this question
  unsigned long window_ = 0;
};

}  // namespace slotscape
