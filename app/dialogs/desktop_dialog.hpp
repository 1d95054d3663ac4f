#pragma once

#include "app/base/child_process.hpp"
#include "app/scene/file_question.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// A desktop program that asks for files.
struct DesktopDialog {
  enum class Syntax : std::uint8_t { zenity, kdialog };
  std::string name;  ///< "zenity"
  std::filesystem::path program;
  Syntax syntax = Syntax::zenity;
};

/// The dialogs in the folders of `search_path` (formatted like PATH); those that match `desktop` (formatted like
/// XDG_CURRENT_DESKTOP) first.
std::vector<DesktopDialog> find_desktop_dialogs(std::string_view search_path, std::string_view desktop);
/// The dialogs of this session; none without a display.
std::vector<DesktopDialog> desktop_dialogs();

/// The command that asks the question. It starts in `folder`, an absolute path. `window`: the X11 window that the
/// dialog stays above; 0: none.
std::vector<std::string> command_of(DesktopDialog const& dialog, FileQuestion const& question,
                                    std::filesystem::path const& folder, unsigned long window);

struct DesktopAnswer {
  Paths files = {};          ///< empty: the user cancelled
  std::string failure = {};  ///< why the question could not be asked; empty: no failure
};
DesktopAnswer answer_of(DesktopDialog const& dialog, FileQuestion const& question, ChildProcess::Result const& result);

/// A question in an open desktop dialog. Destroying the object withdraws it.
class AskedDesktop {
public:
  AskedDesktop() = default;
  AskedDesktop(AskedDesktop const&) = delete;
  AskedDesktop& operator=(AskedDesktop const&) = delete;
  virtual ~AskedDesktop() = default;
  /// Returns the answer once it is available. Do not call it again after that.
  virtual std::optional<DesktopAnswer> poll() = 0;
};
/// Opens the dialog. Throws Error if it cannot be started. `folder`, `window`: as in `command_of`.
std::unique_ptr<AskedDesktop> ask_desktop(DesktopDialog const& dialog, FileQuestion const& question,
                                          std::filesystem::path const& folder, unsigned long window);

}  // namespace slotscape
