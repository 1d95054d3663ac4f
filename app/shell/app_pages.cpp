// How App makes a lesson's page of what is shown.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/lessons/lesson.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
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

void App::ask_for_page()
{
  if (lecturing()) { throw Error(tr("Leave lecture mode first, with Esc.")); }
  SceneSetup const any = scene_->set_up();
  auto const* const set_up = std::any_cast<TableSetup>(&any);
  if (set_up == nullptr) { throw Error(tr("Only a single table can become a page. Switch to it with F2.")); }
  if (set_up->settings.drive.running || !scene_->ready()) {
    throw Error(tr("The table is still changing. Pause it (Space), or wait until it is done."));
  }
  TableSetup const table = since_last_clear(*set_up);
  if (std::string const why = why_no_page(table); !why.empty()) {
    throw Error(tr("This table cannot become a page.") + ("\n" + why));
  }
  page_dialog_.open(table, scene_->set_up_caveat().empty(), *entry_, device_);
}

void App::ask_where_to_save_page()
{
  Json const page = page_dialog_.page();
  switch (page_dialog_.target()) {
    case PageTarget::new_lesson:
      return ask_where_to_save(tr("Save the lesson"), file_name_of(page_dialog_.lesson_title()) + ".json",
                               {lesson_kind()}, [this, page](auto const& file) { write_new_lesson(file, page); });
    case PageTarget::latest_lesson: require_files(); return append_page_to(page_dialog_.latest_lesson(), page);
    case PageTarget::other_lesson: break;
  }
  ask_for_files({.title = tr("Add the page to a lesson"),
                 .files = {lesson_kind()},
                 .use = [this, page](Paths const& files) { append_page_to(files.front(), page); }});
}

/// The lesson that is on, as a page or a package.
void App::export_lesson_or_stop()
{
  if (lesson_export_.busy()) {
    lesson_export_.cancel();
    return toasts_.notice(tr("The lesson is not exported."));
  }
  if (!lesson_ || lesson_->session.is_tour()) { throw Error(tr("Begin the lesson first that is to be exported.")); }
  lessons::Lesson const& lesson = lesson_->session.lesson();
  lesson_export_.check(lesson);
  ask_where_to_save(tr("Export the lesson"), lesson.name + ".html",
                    {{"page for browsers", {".html"}}, {"SCORM 1.2 package", {".zip"}}},
                    [this, lesson](auto const& file) {
                      lesson_export_.start(lesson, file, settings_.language);
                      toasts_.notice(tr("Exporting {}. It may take a minute; go on meanwhile.", path_text(file)));
                    });
}

void App::follow_export()
{
  if (auto const file = lesson_export_.take()) { toasts_.notice(tr("Saved {}", path_text(*file))); }
}

void App::write_new_lesson(std::filesystem::path const& file, Json const& page)
{
  write_lesson(file, lesson_with(page, page_dialog_.lesson_title()));
}

void App::append_page_to(std::filesystem::path const& file, Json const& page)
{
  Json lesson = parse_json(read_text_file(file), path_text(file));
  append_page(lesson, page, path_text(file));
  write_lesson(file, lesson);
}

void App::write_lesson(std::filesystem::path const& file, Json const& lesson)
{
  std::string const text = format_json(lesson);
  lessons::lesson_of_document(scenes(), parse_json(text, path_text(file)), file, library_.finder());
  write_text_file(file, text);
  show_new_page(file);
}

void App::show_new_page(std::filesystem::path const& file)
{
  page_dialog_.note_written(file);
  lessons::Lesson lesson = lessons::read_lesson(scenes(), file, library_.finder());
  std::size_t const last = lesson.pages.size() - 1;
  start_lesson(std::move(lesson), {.page = last});
  note_recent(file);
  toasts_.notice(tr("Saved {}: this is its page {}.", path_text(file), last + 1));
}

}  // namespace slotscape
