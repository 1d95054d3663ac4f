#pragma once

#include "app/base/child_process.hpp"
#include "app/scene/file_question.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// A program of the desktop that asks for files.
struct DesktopDialog {
  enum class Syntax : std::uint8_t { zenity, kdialog };
  std::string name;  ///< "zenity"
  std::filesystem::path program;
  Syntax syntax = Syntax::zenity;
};

/// Those in the folders of `search_path` (as in PATH); those that look like `desktop` (as in XDG_CURRENT_DESKTOP)
/// first.
std::vector<DesktopDialog> find_desktop_dialogs(std::string_view search_path, std::string_view desktop);
/// Those of this session; none without a display.
std::vector<DesktopDialog> desktop_dialogs();

/// The command that asks the question. It starts in `folder`, an absolute path. `window`: the X11 window to stay above;
/// 0: none.
std::vector<std::string> command_of(DesktopDialog const& dialog, FileQuestion const& question,
                                    std::filesystem::path const& folder, unsigned long window);

struct DesktopAnswer {
  Paths files = {};          ///< empty: the user cancelled
  std::string failure = {};  ///< why the question could not be asked; empty: it was
};
DesktopAnswer answer_of(DesktopDialog const& dialog, FileQuestion const& question, ChildProcess::Result const& result);

}  // namespace slotscape
