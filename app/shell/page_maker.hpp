#pragma once

#include "app/dialogs/page_dialog.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/documents.hpp"
#include "app/shell/lesson_export.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// Makes a lesson page from the current table, adds it to a lesson, and exports lessons for browsers.
class PageMaker {
public:
  PageMaker(SceneHost const& scenes, LessonHost& lessons, FileQuestions& files, Documents& documents,
            UserSettings const& settings, Toasts& toasts, Attempts& attempts);

  /// To be called every frame.
  void draw(Look const& look);
  void follow_export();
  /// Whether a lesson is being exported.
  bool exporting() const { return export_.busy(); }

  void add_commands(std::vector<Command>& commands);

private:
  /// Asks for the text of a page made from the current table. Throws Error with the reason if that is impossible.
  void ask_for_page();
  void ask_where_to_save();
  void write_new_lesson(std::filesystem::path const& file, Json const& page);
  void append_page_to(std::filesystem::path const& file, Json const& page);
  /// Writes the lesson only if it is valid, and shows its last page.
  void write_lesson(std::filesystem::path const& file, Json const& lesson);
  /// Shows the lesson's last page, which is the new one.
  void show_new_page(std::filesystem::path const& file);
  void export_or_stop();

  SceneHost const& scenes_;
  LessonHost& lessons_;
  FileQuestions& files_;
  Documents& documents_;
  UserSettings const& settings_;
  Toasts& toasts_;
  Attempts& attempts_;
  PageDialog dialog_;
  LessonExport export_;
};

}  // namespace slotscape
