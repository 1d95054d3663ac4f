#pragma once

#include "app/lessons/session.hpp"
#include "app/scene/scene.hpp"

#include <functional>
#include <string>
#include <vector>

namespace slotscape::lessons {

/// The environment in which a lesson is tried out.
struct Stage {
  std::function<Scene&()> scene;  ///< the scene that is shown
  std::function<void()> frame;    ///< runs the session for one second, and its steps to the end
};

/// Runs until the page's scene has begun and all requests are done. Throws Error if that takes forever.
void settle(Session& session, Stage const& stage);

/// Runs like `settle`, then until nothing moves: an answer that is played has come to its end.
void play_out(Session& session, Stage const& stage);

/// How far to try out a page: until its question is asked, or until all answers have been tried.
enum class Depth { start, whole };

/// Tries out the page that the session shows. Returns the problems found: claims that do not hold, a task that is
/// solved from the start or not solved by its solution, an answer that differs from the author's, errors on the way.
std::vector<std::string> check_page(Session& session, Stage const& stage, Depth depth = Depth::whole);

}  // namespace slotscape::lessons
