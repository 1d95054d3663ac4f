#include "app/dialogs/desktop_dialog.hpp"

#include "app/base/programs.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

using Syntax = DesktopDialog::Syntax;

constexpr int exit_cancelled = 1;  ///< for both zenity and kdialog

/// Separates the files in zenity's output. A file name may contain a newline, but a path never contains two slashes.
constexpr std::string_view zenity_separator = "//";

std::vector<std::string_view> split(std::string_view text, std::string_view separator)
{
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

bool is_made_with_qt(std::string_view desktop)
{
  auto const names = split(desktop, ":");
  return std::ranges::any_of(names, [](std::string_view name) { return name == "KDE" || name == "LXQt"; });
}

/// "*.ply *.obj". GTK's patterns are case-sensitive, KDE's are not.
std::string patterns_of(FileKind const& kind, bool with_capitals)
{
  std::string patterns;
  for (std::string_view const extension : kind.extensions) {
    patterns += fmt::format("{}*{}", patterns.empty() ? "" : " ", extension);
    if (!with_capitals) { continue; }
    std::string capitals;
    std::ranges::transform(extension, std::back_inserter(capitals),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    patterns += fmt::format(" *{}", capitals);
  }
  return patterns;
}

/// "Key files" for "key file"; in other languages, the word is unchanged.
std::string title_of(FileKind const& kind)
{
  std::string title = translated(kind.what);
  if (title == kind.what) { title += 's'; }
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

struct Filter {
  std::string title;
  std::string patterns;
};

/// The filters in the dialog: all usable files, each kind, and all files.
std::vector<Filter> filters_of(FileQuestion const& question, bool with_capitals)
{
  std::vector<Filter> filters;
  if (question.kind == FileQuestion::Kind::save_folder) { return filters; }
  if (question.files.size() > 1) {
    std::string all;
    for (FileKind const& kind : question.files) {
      all += fmt::format("{}{}", all.empty() ? "" : " ", patterns_of(kind, with_capitals));
    }
    filters.push_back({tr("All of these"), all});
  }
  for (FileKind const& kind : question.files) { filters.push_back({title_of(kind), patterns_of(kind, with_capitals)}); }
  if (question.kind == FileQuestion::Kind::open) { filters.push_back({tr("All files"), "*"}); }
  return filters;
}

std::vector<std::string> zenity_command(fs::path const& program, FileQuestion const& question, fs::path const& folder,
                                        unsigned long window)
{
  bool const saves = question.kind == FileQuestion::Kind::save;
  // With a trailing slash, zenity opens the folder instead of selecting it.
  fs::path const start = folder / (saves ? question.proposed : "");
  std::vector<std::string> command{program.string(), "--file-selection",
                                   fmt::format("--title={}", translated(question.title)),
                                   fmt::format("--filename={}", start.string())};
  if (saves) { command.insert(command.end(), {"--save", "--confirm-overwrite"}); }
  if (question.kind == FileQuestion::Kind::save_folder) { command.emplace_back("--directory"); }
  if (question.most > 1) {
    command.insert(command.end(), {"--multiple", fmt::format("--separator={}", zenity_separator)});
  }
  for (Filter const& filter : filters_of(question, true)) {
    command.push_back(fmt::format("--file-filter={} | {}", filter.title, filter.patterns));
  }
  if (window != 0) { command.insert(command.end(), {"--modal", fmt::format("--attach={}", window)}); }
  return command;
}

std::vector<std::string> kdialog_command(fs::path const& program, FileQuestion const& question, fs::path const& folder,
                                         unsigned long window)
{
  std::vector<std::string> command{program.string(), "--title", translated(question.title)};
  if (window != 0) { command.insert(command.end(), {"--attach", std::to_string(window)}); }
  if (question.most > 1) { command.insert(command.end(), {"--multiple", "--separate-output"}); }
  std::string filters;
  for (Filter const& filter : filters_of(question, false)) {
    filters += fmt::format("{}{} ({})", filters.empty() ? "" : "\n", filter.title, filter.patterns);
  }
  switch (question.kind) {
    case FileQuestion::Kind::open:
      command.insert(command.end(), {"--getopenfilename", folder.string(), filters});
      break;
    case FileQuestion::Kind::save:
      command.insert(command.end(), {"--getsavefilename", (folder / question.proposed).string(), filters});
      break;
    case FileQuestion::Kind::save_folder:
      command.insert(command.end(), {"--getexistingdirectory", folder.string()});
      break;
  }
  return command;
}

Paths files_in(std::string_view output, Syntax syntax)
{
  std::vector<std::string> files;
  for (std::string_view const part : split(output, syntax == Syntax::zenity ? zenity_separator : "\n")) {
    if (files.empty() || part.starts_with('/')) {
      files.emplace_back(part);
    } else {
      files.back() += fmt::format("\n{}", part);  // kdialog separates files by newlines; this newline is part of a name
    }
  }
  return {files.begin(), files.end()};
}

std::string why_it_failed(ChildProcess::Result const& result)
{
  if (result.signal != 0) { return fmt::format("it was ended by signal {}", result.signal); }
  if (result.code == 0) { return result.output.empty() ? "it printed no file name" : "what it printed is not a path"; }
  std::string const said = last_line(result.errors);
  return said.empty() ? fmt::format("it ended with exit code {}", result.code) : said;
}

/// GTK programs exit as if cancelled when they cannot reach the display.
bool found_no_display(ChildProcess::Result const& result)
{
  return result.errors.find("open display") != std::string::npos;
}

}  // namespace

std::vector<DesktopDialog> find_desktop_dialogs(std::string_view search_path, std::string_view desktop)
{
  std::array<DesktopDialog, 3> known{{{"zenity", {}, Syntax::zenity},
                                      {"kdialog", {}, Syntax::kdialog},
                                      {"qarma", {}, Syntax::zenity}}};  // a Qt version of zenity
  if (is_made_with_qt(desktop)) { std::rotate(known.begin(), known.begin() + 1, known.end()); }
  std::vector<DesktopDialog> found;
  for (DesktopDialog& dialog : known) {
    dialog.program = find_program(dialog.name, search_path);
    if (!dialog.program.empty()) { found.push_back(dialog); }
  }
  return found;
}

std::vector<DesktopDialog> desktop_dialogs()
{
  if (environment_variable("DISPLAY").empty() && environment_variable("WAYLAND_DISPLAY").empty()) { return {}; }
  return find_desktop_dialogs(environment_variable("PATH"), environment_variable("XDG_CURRENT_DESKTOP"));
}

std::vector<std::string> command_of(DesktopDialog const& dialog, FileQuestion const& question, fs::path const& folder,
                                    unsigned long window)
{
  auto const make = dialog.syntax == Syntax::zenity ? zenity_command : kdialog_command;
  return make(dialog.program, question, fs::absolute(folder), window);  // absolute, so that no name begins with a dash
}

DesktopAnswer answer_of(DesktopDialog const& dialog, FileQuestion const& question, ChildProcess::Result const& result)
{
  bool const ended_well = result.signal == 0 && result.code == 0;
  bool const cancelled = result.signal == 0 && result.code == exit_cancelled && !found_no_display(result);
  if (cancelled) { return {}; }
  std::string_view output = result.output;
  if (output.ends_with('\n')) { output.remove_suffix(1); }
  DesktopAnswer answer;
  if (ended_well) { answer.files = question.most > 1 ? files_in(output, dialog.syntax) : Paths{output}; }
  bool const usable = !answer.files.empty() && std::ranges::all_of(answer.files, &fs::path::is_absolute);
  return usable ? answer : DesktopAnswer{.failure = why_it_failed(result)};
}

namespace {

class AskedProgram final : public AskedDesktop {
public:
  AskedProgram(DesktopDialog dialog, FileQuestion question, fs::path const& folder, unsigned long window)
      : dialog_(std::move(dialog)),
        question_(std::move(question)),
        child_(command_of(dialog_, question_, folder, window))
  {
  }
  std::optional<DesktopAnswer> poll() override
  {
    auto const result = child_.poll();
    if (!result) { return std::nullopt; }
    return answer_of(dialog_, question_, *result);
  }

private:
  DesktopDialog dialog_;
  FileQuestion question_;
  ChildProcess child_;
};

}  // namespace

std::unique_ptr<AskedDesktop> ask_desktop(DesktopDialog const& dialog, FileQuestion const& question,
                                          fs::path const& folder, unsigned long window)
{
  return std::make_unique<AskedProgram>(dialog, question, folder, window);
}

}  // namespace slotscape
