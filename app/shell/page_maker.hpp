#pragma once

#include "app/dialogs/page_dialog.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/documents.hpp"
#include "app/shell/lesson_export.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// Makes a lesson's page of the table that is shown, writes it into a lesson, and exports lessons for browsers.
class PageMaker {
public:
  PageMaker(SceneHost const& scenes, LessonHost& lessons, FileQuestions& files, Documents& documents,
            UserSettings const& settings, Toasts& toasts, Attempts& attempts);

  /// Call every frame.
  void draw(Look const& look);
  void follow_export();
  /// Whether a lesson is being exported.
  bool exporting() const { return export_.busy(); }

  void add_commands(std::vector<Command>& commands);

private:
  /// Asks what a page that is made of the present table says. Throws Error that says why it cannot be one.
  void ask_for_page();
  void ask_where_to_save();
  void write_new_lesson(std::filesystem::path const& file, Json const& page);
  void append_page_to(std::filesystem::path const& file, Json const& page);
  /// Writes it only if it can be read, and shows its last page.
  void write_lesson(std::filesystem::path const& file, Json const& lesson);
  /// The lesson at its last page, which was just made.
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
