#pragma once

#include "app/dialogs/gallery.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/documents.hpp"

#include <vector>

namespace slotscape {

/// The start page over the scene, with three ways to start: learn, measure, or look at data of one's own. Recent files
/// are also in a menu.
class GalleryPage {
public:
  GalleryPage(SceneHost& scenes, LessonHost& lessons, Documents& documents, UserSettings& settings, Attempts& attempts);

  void show();
  void close() { gallery_.close(); }
  bool shown() const { return gallery_.open(); }
  void draw(Look const& look);

  void add_commands(std::vector<Command>& commands);

private:
  GalleryCard card_of(lessons::Listed const& lesson);
  void add_scenes(Purpose purpose, std::vector<GalleryCard>& cards);
  GalleryPart learning();
  GalleryPart measuring();
  GalleryPart own_data();
  GalleryShelf recent_files();
  void draw_recent_menu();

  SceneHost& scenes_;
  LessonHost& lessons_;
  Documents& documents_;
  UserSettings& settings_;
  Attempts& attempts_;
  Gallery gallery_;
};

}  // namespace slotscape
