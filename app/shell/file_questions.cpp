#include "app/shell/file_questions.hpp"

#include "app/base/encoding.hpp"
#include "app/base/page_address.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <utility>

namespace slotscape {

FileQuestions::FileQuestions(Screen const& screen, UserSettings& settings, Toasts& toasts, Attempts& attempts)
    : screen_(screen), settings_(settings), toasts_(toasts), attempts_(attempts), dialog_(toasts)
{
}

void FileQuestions::require() const
{
  if (!closed_) { return; }
  throw Error(
      tr("A browser cannot open or write files of this machine: name a scenario, or --stats, where slotscape serve is "
         "started."));
}

void FileQuestions::ask(FileQuestion question)
{
  require();
  question.use = [this, use = std::move(question.use)](Paths const& files) {
    toasts_.dismiss_all();  // dismisses messages about an earlier attempt
    use(files);
  };
  dialog_.ask(std::move(question), settings_.desktop_file_dialog, screen_.context().x11_window());
}

void FileQuestions::ask_where_to_save(std::string title, std::string proposed, std::vector<FileKind> files, SaveTo save)
{
  ask({.kind = files.empty() ? FileQuestion::Kind::save_folder : FileQuestion::Kind::save,
       .title = std::move(title),
       .proposed = std::move(proposed),
       .files = std::move(files),
       .use = [save = std::move(save)](Paths const& chosen) { save(chosen.front()); }});
}

SaveTo FileQuestions::saved(SaveTo save)
{
  return [this, save = std::move(save)](std::filesystem::path const& path) {
    save(path);
    toasts_.notice(tr("Saved {}", path_text(path)));
  };
}

void FileQuestions::ask_to_trust(std::string document, OutsideFile const& outside, std::function<void()> go_on)
{
  require();
  trust_.ask(std::move(document), outside.file, std::move(go_on));
}

void FileQuestions::draw(Look const& look)
{
  if (auto const allowed = trust_.draw(look)) { attempts_.make(allowed, true); }
  if (auto const files = dialog_.draw(look)) {
    attempts_.make([&] { dialog_.use(*files); }, true);
  }
}

void FileQuestions::add_commands(std::vector<Command>& commands)
{
  if (!dialog_.has_desktop() || is_in_page) { return; }
  Command use_desktop = toggle("File", "Use the desktop's file dialog", settings_.desktop_file_dialog);
  use_desktop.divides = true;
  commands.push_back(std::move(use_desktop));
}

}  // namespace slotscape
