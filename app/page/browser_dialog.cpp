// File dialogs in a web page: the browser asks which files to open. Saved files are downloaded, and the browser asks
// where to.

#include "app/dialogs/desktop_dialog.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

extern "C" {  // app/page/page_library.js
void slotscape_choose_files(char const* extensions, int several);
char* slotscape_files_chosen();
void slotscape_forget_choice();
}

namespace slotscape {
namespace {

namespace fs = std::filesystem;

class AskedBrowser final : public AskedDesktop {
public:
  explicit AskedBrowser(FileQuestion const& question)
  {
    std::string extensions;
    for (FileKind const& kind : question.files) {
      for (std::string_view const extension : kind.extensions) { (extensions += ',') += extension; }
    }
    slotscape_choose_files(extensions.empty() ? "" : extensions.c_str() + 1, question.most > 1 ? 1 : 0);
  }
  ~AskedBrowser() override { slotscape_forget_choice(); }
  std::optional<DesktopAnswer> poll() override
  {
    char* const chosen = slotscape_files_chosen();
    if (chosen == nullptr) { return std::nullopt; }
    DesktopAnswer answer;
    std::istringstream lines(chosen);
    std::free(chosen);
    for (std::string line; std::getline(lines, line);) { answer.files.emplace_back(line); }
    return answer;
  }
};

/// A question for a file to save: the page downloads files that are saved in a special folder.
class Downloaded final : public AskedDesktop {
public:
  explicit Downloaded(fs::path const& name) : target_(fs::path("/downloads") / name)
  {
    std::error_code ignored;
    fs::remove_all(target_, ignored);
  }
  std::optional<DesktopAnswer> poll() override { return DesktopAnswer{{target_}, {}}; }

private:
  fs::path target_;
};

}  // namespace

std::vector<DesktopDialog> desktop_dialogs()
{
  return {{.name = "browser", .program = {}}};
}

std::unique_ptr<AskedDesktop> ask_desktop(DesktopDialog const& /*dialog*/, FileQuestion const& question,
                                          fs::path const& /*folder*/, unsigned long /*window*/)
{
  if (question.kind == FileQuestion::Kind::open) { return std::make_unique<AskedBrowser>(question); }
  return std::make_unique<Downloaded>(with_extension(question.proposed, question.files));
}

}  // namespace slotscape
