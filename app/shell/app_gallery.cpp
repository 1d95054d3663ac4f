// What App does for the gallery and for files used lately.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/scenario.hpp"
#include "app/shell/app.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_recent = 8;
constexpr float tall = 58.0f;  ///< cards that say what is there
constexpr float flat = 30.0f;

bool is_there(fs::path const& file)
{
  std::error_code unreadable;
  return fs::exists(file, unreadable);
}

}  // namespace

void App::note_recent(fs::path const& file)
{
  std::error_code unknown;
  fs::path const whole = fs::weakly_canonical(file, unknown);
  if (unknown || whole == last_session_) { return; }
  auto& recent = settings_.recent;
  std::erase(recent, path_text(whole));
  recent.insert(recent.begin(), path_text(whole));
  if (recent.size() > most_recent) { recent.resize(most_recent); }
}

void App::add_gallery_commands()
{
  commands_.push_back({.keys = "F5",
                       .group = "PROGRAM",
                       .what = "Lessons, tours, scenes and files to begin with",
                       .menu = "File",
                       .label = "Gallery…",
                       .run = [this] { open_gallery(); }});
  commands_.push_back({.menu = "File", .submenu = [this] { draw_recent_menu(); }});
}

void App::draw_recent_menu()
{
  if (!ImGui::BeginMenu(translated_label("Open recent").c_str(), !settings_.recent.empty())) { return; }
  for (std::string const& file : settings_.recent) {
    if (ImGui::MenuItem(file.c_str())) {
      chosen_.emplace_back([this, file] { open(path_of_text(file)); });
    }
  }
  ImGui::EndMenu();
}

GalleryCard App::card_of(lessons::Listed const& lesson)
{
  lessons::Progress const progress = progress_of(lesson.name);
  int const points = points_of(progress);
  GalleryCard card{.title = numbered_title(lesson), .about = lesson.about, .open = [this, file = lesson.file] {
                     start_lesson(lessons::read_lesson(scenes(), file, library_.finder()));
                   }};
  if (lesson.max_points > 0 && points > 0) {
    card.note = tr("{} of {}", points, lessons::points_text(lesson.max_points));
    card.done = static_cast<float>(points) / static_cast<float>(lesson.max_points);
  }
  return card;
}

GalleryShelf App::recent_files()
{
  GalleryShelf shelf{.title = "FILES", .cards = {}, .card_height = 44.0f};
  if (is_there(last_session_)) {
    shelf.cards.push_back({.title = "Go on where you were", .open = [this] { open(last_session_); }});
  }
  for (std::string const& file : settings_.recent) {
    fs::path const path = path_of_text(file);
    if (!is_there(path)) { continue; }
    shelf.cards.push_back({.title = path_text(path.filename()),
                           .about = path_text(path.parent_path()),
                           .open = [this, path] { open(path); }});
  }
  shelf.cards.push_back(
      {.title = "Open a file…", .keys = keys_in_words("Ctrl+O"), .open = [this] { ask_for_file_to_open(); }});
  return shelf;
}

void App::open_gallery()
{
  GalleryShelf first{.title = "BEGIN HERE", .cards = {}, .card_height = tall};
  first.cards.push_back({.title = "Fill a table by hand",
                         .about = tr("16 empty slots: type keys, see where they go, and erase them."),
                         .open = [this] { enter_own(read_scenario(scenes(), library_.find("begin/by-hand"))); }});
  first.cards.push_back({.title = "What Slotscape shows",
                         .about = tr("A tour: {} pictures with a few words each.", library_.tour().size()),
                         .open = [this] { start_tour(); }});
  GalleryShelf lessons{.title = "LESSONS", .cards = {}, .card_height = tall};
  for (lessons::Listed const& each : library_.lessons()) { lessons.cards.push_back(card_of(each)); }
  GalleryShelf scene_list{.title = "SCENES", .cards = {}, .card_height = flat};
  for (SceneEntry const& entry : scenes()) {
    scene_list.cards.push_back({.title = std::string(entry.title),
                                .keys = keys_in_words(entry.keys),
                                .open = [this, &entry] { show(entry); }});
  }
  gallery_.show({std::move(first), std::move(lessons)}, {std::move(scene_list), recent_files()});
}

void App::draw_gallery()
{
  if (auto const chosen = gallery_.draw(gui_->look(), settings_.gallery)) { chosen_.push_back(chosen); }
}

}  // namespace slotscape
