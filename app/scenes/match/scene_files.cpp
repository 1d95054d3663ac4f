#include "app/scenes/match/scene.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

using matching::Side;

namespace {

/// The settings as the user made them: the playback of a video is not a change to undo.
MatchSceneSettings at_rest(MatchSceneSettings settings)
{
  settings.playing = false;
  settings.frame = 0;
  return settings;
}

std::string what_differs(MatchSceneSettings const& from, MatchSceneSettings const& to)
{
  if (from.sources != to.sources) { return translatable("choosing pictures"); }
  return from.pose == to.pose ? translatable("changing a setting") : translatable("moving the query");
}

}  // namespace

bool MatchScene::open(Paths const& files)
{
  std::error_code unreadable;
  for (fs::path const& file : files) {
    if (!fs::exists(file, unreadable)) { throw Error(fmt::format("There is no file {}.", file.string())); }
  }
  Rectangle const& query = pictures_[index_of(Side::query)].canvas();
  ImVec2 const mouse = ImGui::GetIO().MousePos;
  auto const is_in = [](float at, int low, int length) {
    return at >= static_cast<float>(low) && at < static_cast<float>(low + length);
  };
  bool const on_query = is_in(mouse.x, query.x, query.width) && is_in(mouse.y, query.y, query.height);
  std::size_t const first = files.size() == 1 && on_query ? index_of(Side::query) : index_of(Side::reference);
  MatchSceneSettings& settings = state_.settings;
  for (std::size_t i = 0; i < std::min<std::size_t>(files.size(), 2); ++i) {
    settings.sources[first + i] = fs::absolute(files[i]).lexically_normal().string();
  }
  settings.frame = 0;
  if (files.size() > 1) { settings.pose = {}; }
  return false;
}

namespace {

std::string title_of_question(bool is_query, bool is_video)
{
  if (is_video) {
    return is_query ? tr("Open a folder of frames as query: choose one of them")
                    : tr("Open a folder of frames as reference: choose one of them");
  }
  return is_query ? tr("Open a query") : tr("Open a reference");
}

}  // namespace

void MatchScene::ask_for_pictures(AskForPictures const& what)
{
  bool const is_query = what.side == Side::query;
  auto const use = [this, what](Paths const& files) {
    fs::path const chosen = what.video ? fs::absolute(files.front()).parent_path() : fs::absolute(files.front());
    std::error_code unreadable;
    if (!fs::exists(chosen, unreadable)) { throw Error(tr("There is no file {}.", chosen.string())); }
    state_.settings.sources[index_of(what.side)] = chosen.lexically_normal().string();
    state_.settings.frame = 0;
    if (what.side == Side::query) { state_.settings.pose = {}; }
  };
  ask_for_file({.title = title_of_question(is_query, what.video), .files = {pictures_kind()}, .use = use});
}

/// Remembered videos start again from their first frames.
SceneSetup MatchScene::to_remember() const
{
  auto remembered = std::any_cast<MatchSetup>(set_up());
  if (state_.frame_count > 1) { remembered.settings.frame = 0; }
  return remembered;
}

void MatchScene::note_changes()
{
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown() || hand_;
  if (in_hand || !is_answered()) { return; }
  MatchSceneSettings const& now = state_.settings;
  if (at_rest(now) != at_rest(settled_)) { undo_.record(settled_, what_differs(settled_, now)); }
  settled_ = now;
}

MatchSceneSettings MatchScene::exchange(MatchSceneSettings const& settings)
{
  MatchSceneSettings present = std::exchange(state_.settings, settings);
  if (settings.sources == present.sources) {  // the video continues from here
    state_.settings.frame = present.frame;
    state_.settings.playing = present.playing;
  }
  settled_ = state_.settings;
  return present;
}

void MatchScene::undo()
{
  undo_.undo([this](MatchSceneSettings const& settings) { return exchange(settings); });
}

void MatchScene::redo()
{
  undo_.redo([this](MatchSceneSettings const& settings) { return exchange(settings); });
}

}  // namespace slotscape
