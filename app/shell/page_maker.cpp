#include "app/shell/page_maker.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/lessons/lesson.hpp"
#include "app/registry/scenes.hpp"
#include "app/table_scene/example_page.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <any>
#include <utility>

namespace slotscape {
namespace {

FileKind lesson_kind()
{
  return {"lesson", {".json"}};
}

}  // namespace

PageMaker::PageMaker(SceneHost const& scenes, LessonHost& lessons, FileQuestions& files, Documents& documents,
                     UserSettings const& settings, Toasts& toasts, Attempts& attempts)
    : scenes_(scenes),
      lessons_(lessons),
      files_(files),
      documents_(documents),
      settings_(settings),
      toasts_(toasts),
      attempts_(attempts),
      export_(this_executable())
{
}

void PageMaker::add_commands(std::vector<Command>& commands)
{
  constexpr std::string_view menu = "Lessons";
  commands.push_back({.keys = "Ctrl+M",
                      .group = "LESSONS",
                      .what = "Make a page of this table",
                      .menu = menu,
                      .label = "Make this a page…",
                      .divides = true,
                      .run = [this] { ask_for_page(); }});
  commands.push_back({.menu = menu,
                      .label = "Export for browsers and courses…",
                      .not_in_page = true,
                      .run = [this] { export_or_stop(); },
                      .label_now =
                          [this] {
                            return export_.busy() ? translatable("Stop exporting the lesson")
                                                  : translatable("Export for browsers and courses…");
                          }});
}

void PageMaker::draw(Look const& look)
{
  if (!dialog_.draw(look)) { return; }
  attempts_.make([&] { ask_where_to_save(); }, true);
}

void PageMaker::ask_for_page()
{
  if (lessons_.lecturing()) { throw Error(tr("Leave lecture mode first, with Esc.")); }
  Scene const& scene = scenes_.scene();
  SceneSetup const any = scene.set_up();
  auto const* const set_up = std::any_cast<TableSetup>(&any);
  if (set_up == nullptr) { throw Error(tr("Only a single table can become a page. Switch to it with F2.")); }
  if (set_up->settings.drive.running || !scene.ready()) {
    throw Error(tr("The table is still changing. Pause it (Space), or wait until it is done."));
  }
  TableSetup const table = since_last_clear(*set_up);
  if (std::string const why = why_no_page(table); !why.empty()) {
    throw Error(tr("This table cannot become a page.") + ("\n" + why));
  }
  dialog_.open(table, scene.set_up_caveat().empty(), scenes_.entry(), scenes_.device());
}

void PageMaker::ask_where_to_save()
{
  Json const page = dialog_.page();
  switch (dialog_.target()) {
    case PageTarget::new_lesson:
      return files_.ask_where_to_save(tr("Save the lesson"), file_name_of(dialog_.lesson_title()) + ".json",
                                      {lesson_kind()},
                                      [this, page](auto const& file) { write_new_lesson(file, page); });
    case PageTarget::latest_lesson: files_.require(); return append_page_to(dialog_.latest_lesson(), page);
    case PageTarget::other_lesson: break;
  }
  files_.ask({.title = tr("Add the page to a lesson"),
              .files = {lesson_kind()},
              .use = [this, page](Paths const& files) { append_page_to(files.front(), page); }});
}

void PageMaker::write_new_lesson(std::filesystem::path const& file, Json const& page)
{
  write_lesson(file, lesson_with(page, dialog_.lesson_title()));
}

void PageMaker::append_page_to(std::filesystem::path const& file, Json const& page)
{
  Json lesson = parse_json(read_text_file(file), path_text(file));
  append_page(lesson, page, path_text(file));
  write_lesson(file, lesson);
}

void PageMaker::write_lesson(std::filesystem::path const& file, Json const& lesson)
{
  std::string const text = format_json(lesson);
  lessons::lesson_of_document(scenes(), parse_json(text, path_text(file)), file, lessons_.library().finder());
  write_text_file(file, text);
  show_new_page(file);
}

void PageMaker::show_new_page(std::filesystem::path const& file)
{
  dialog_.note_written(file);
  lessons::Lesson lesson = lessons::read_lesson(scenes(), file, lessons_.library().finder());
  std::size_t const last = lesson.pages.size() - 1;
  lessons_.start(std::move(lesson), {.page = last});
  documents_.note_recent(file);
  toasts_.notice(tr("Saved {}: this is its page {}.", path_text(file), last + 1));
}

/// Exports the current lesson as a page or a package.
void PageMaker::export_or_stop()
{
  if (export_.busy()) {
    export_.cancel();
    return toasts_.notice(tr("The lesson is not exported."));
  }
  lessons::Session const* const session = lessons_.session();
  if (session == nullptr || session->is_tour()) { throw Error(tr("Open the lesson that you want to export first.")); }
  lessons::Lesson const& lesson = session->lesson();
  export_.check(lesson);
  files_.ask_where_to_save(tr("Export the lesson"), lesson.name + ".html",
                           {{"page for browsers", {".html"}}, {"SCORM 1.2 package", {".zip"}}},
                           [this, lesson](auto const& file) {
                             export_.start(lesson, file, settings_.language);
                             toasts_.notice(
                                 tr("Exporting {}. It may take a minute; you can keep working.", path_text(file)));
                           });
}

void PageMaker::follow_export()
{
  if (auto const file = export_.take()) { toasts_.notice(tr("Saved {}", path_text(*file))); }
}

}  // namespace slotscape
