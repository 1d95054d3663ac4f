#include "app/shell/gallery_page.hpp"

#include "app/base/encoding.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/menu.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <utility>

namespace slotscape {
namespace {

bool is_there(std::filesystem::path const& file)
{
  std::error_code unreadable;
  return std::filesystem::exists(file, unreadable);
}

}  // namespace

GalleryPage::GalleryPage(SceneHost& scenes, LessonHost& lessons, Documents& documents, UserSettings& settings,
                         Attempts& attempts)
    : scenes_(scenes), lessons_(lessons), documents_(documents), settings_(settings), attempts_(attempts)
{
}

void GalleryPage::add_commands(std::vector<Command>& commands)
{
  commands.push_back({.keys = "F5",
                      .group = program_group,
                      .what = "Lessons, tours, scenes and files to start with",
                      .menu = "File",
                      .label = "Gallery…",
                      .run = [this] { show(); }});
  commands.push_back({.menu = "File", .submenu = [this] { draw_recent_menu(); }});
}

void GalleryPage::draw_recent_menu()
{
  if (!ImGui::BeginMenu(translated_label("Open recent").c_str(), !settings_.recent.empty())) { return; }
  for (std::string const& file : settings_.recent) {
    if (ImGui::MenuItem(file.c_str())) {
      attempts_.choose([this, file] { documents_.open(path_of_text(file)); });
    }
  }
  ImGui::EndMenu();
}

GalleryCard GalleryPage::card_of(lessons::Listed const& lesson)
{
  lessons::Progress const progress = lessons_.progress_of(lesson.name);
  int const points = points_of(progress);
  GalleryCard card{.title = numbered_title(lesson), .about = lesson.about, .open = [this, file = lesson.file] {
                     lessons_.open(file);
                   }};
  if (lesson.max_points > 0 && points > 0) {
    card.note = tr("{} of {}", points, lessons::points_text(lesson.max_points));
    card.done = static_cast<float>(points) / static_cast<float>(lesson.max_points);
  }
  return card;
}

void GalleryPage::add_scenes(Purpose purpose, std::vector<GalleryCard>& cards)
{
  for (SceneEntry const& entry : scenes()) {
    if (entry.purpose != purpose) { continue; }
    cards.push_back({.title = std::string(entry.title),
                     .about = std::string(entry.about.empty() ? entry.what : entry.about),
                     .keys = keys_in_words(entry.keys),
                     .open = [this, &entry] { scenes_.show(entry); }});
  }
}

GalleryPart GalleryPage::learning()
{
  lessons::Library const& library = lessons_.library();
  GalleryShelf first;
  first.cards.push_back(
      {.title = "Fill a table by hand",
       .about = tr("16 empty slots: type keys, see where they go, and erase them."),
       .open = [this] { lessons_.enter_own(read_scenario(scenes(), lessons_.library().find("begin/by-hand"))); }});
  first.cards.push_back({.title = "What Slotscape shows",
                         .about = tr("A tour: {} pictures with a few words each.", library.tour().size()),
                         .open = [this] { lessons_.start_tour(); }});
  add_scenes(Purpose::learn, first.cards);
  GalleryShelf lessons{.title = "LESSONS", .cards = {}};
  for (lessons::Listed const& each : library.lessons()) { lessons.cards.push_back(card_of(each)); }
  return {.title = translatable("Learn"), .shelves = {std::move(first), std::move(lessons)}, .columns = 2};
}

GalleryPart GalleryPage::measuring()
{
  GalleryShelf shelf;
  add_scenes(Purpose::measure, shelf.cards);
  return {.title = translatable("Measure"), .shelves = {std::move(shelf)}};
}

GalleryPart GalleryPage::own_data()
{
  GalleryShelf shelf;
  shelf.cards.push_back(
      {.title = "Open a file…",
       .about = tr("Keys, a point cloud, a mesh, pictures or a scenario. You can also drop files on the window."),
       .keys = keys_in_words("Ctrl+O"),
       .open = [this] { documents_.ask_for_file_to_open(); }});
  add_scenes(Purpose::own_data, shelf.cards);
  GalleryPart part{.title = translatable("Look at my own data"), .shelves = {std::move(shelf)}};
  if (GalleryShelf recent = recent_files(); !recent.cards.empty()) { part.shelves.push_back(std::move(recent)); }
  return part;
}

GalleryShelf GalleryPage::recent_files()
{
  GalleryShelf shelf{.title = "RECENT FILES", .cards = {}};
  if (is_there(documents_.last_session())) {
    shelf.cards.push_back(
        {.title = "Resume last session", .open = [this] { documents_.open(documents_.last_session()); }});
  }
  for (std::string const& file : settings_.recent) {
    std::filesystem::path const path = path_of_text(file);
    if (!is_there(path)) { continue; }
    shelf.cards.push_back({.title = path_text(path.filename()),
                           .about = path_text(path.parent_path()),
                           .open = [this, path] { documents_.open(path); }});
  }
  return shelf;
}

void GalleryPage::show()
{
  gallery_.show({learning(), measuring(), own_data()});
}

void GalleryPage::draw(Look const& look)
{
  if (auto const chosen = gallery_.draw(look, settings_.gallery)) { attempts_.choose(chosen); }
}

}  // namespace slotscape
