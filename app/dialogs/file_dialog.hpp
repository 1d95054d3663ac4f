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

/// Asks the user for files: in the desktop's own dialog, or else in a PathDialog. Either way, missing extensions are
/// added, and nothing is overwritten without the user's consent.
class FileDialog {
public:
  explicit FileDialog(Toasts& toasts) : toasts_(toasts) {}
  bool has_desktop() const { return !desktop_.empty(); }
  /// Whether keys typed now would be lost.
  bool awaits_keyboard() const { return paths_.awaits_keyboard(); }

  /// Asks a question, unless another one is open. `window`: the X11 window that the dialog stays above; 0: unknown.
  void ask(FileQuestion question, bool use_desktop, unsigned long window);
  /// Withdraws the question because the scene that asked no longer exists.
  void close();

  /// Call every frame. Returns the files once the user has chosen them: pass them to `use`.
  std::optional<Paths> draw(Look const& look);
  /// Passes the files to the question's callback. If it throws Error, Slotscape's own dialog asks again.
  void use(Paths const& files);

private:
  void start();
  void give_up_desktop(std::string const& why);
  std::optional<Paths> poll_desktop();
  std::optional<Paths> accept(Paths files);
  std::optional<Paths> draw_replacing(Look const& look);
  void ask_again();

  Toasts& toasts_;
  std::vector<DesktopDialog> desktop_ = desktop_dialogs();  ///< tried in this order; dialogs that fail are removed
  std::unique_ptr<AskedDesktop> asked_;                     ///< the desktop's dialog, while it is open
  PathDialog paths_;
  FileQuestion question_;
  std::filesystem::path folder_;                    ///< folder of the last choice
  std::optional<std::filesystem::path> replacing_;  ///< an existing file, until the user agrees to replace it
  bool replacing_opens_ = false;
  bool uses_desktop_ = false;  ///< the desktop's dialog asks the present question
  unsigned long window_ = 0;
};

}  // namespace slotscape
