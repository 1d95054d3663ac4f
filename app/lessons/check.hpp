#pragma once

#include "app/lessons/session.hpp"
#include "app/scene/scene.hpp"

#include <functional>
#include <string>
#include <vector>

namespace slotscape::lessons {

/// What a lesson is tried out on.
struct Stage {
  std::function<Scene&()> scene;  ///< that is shown
  std::function<void()> frame;    ///< has the session follow it for a second, and its steps finished
};

/// Goes on until the page's scene has begun and everything asked for is done. Throws Error if that takes forever.
void settle(Session& session, Stage const& stage);

/// The same, and on until nothing moves: an answer that is played has come to its end.
void play_out(Session& session, Stage const& stage);

/// How far a page is tried out: to where its question is asked, or to the end of all its answers.
enum class Depth { start, whole };

/// Goes through the page that the session shows. Returns what is wrong with it, if anything: claims that do not hold, a
/// task that is solved as it begins or not by its solution, an answer other than the author's, errors on the way.
std::vector<std::string> check_page(Session& session, Stage const& stage, Depth depth = Depth::whole);

}  // namespace slotscape::lessons
