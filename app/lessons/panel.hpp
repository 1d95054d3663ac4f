#pragma once

#include "app/lessons/library.hpp"
#include "app/lessons/session.hpp"
#include "app/lessons/votes.hpp"
#include "app/widgets/look.hpp"

#include <functional>
#include <string>
#include <vector>

namespace slotscape::lessons {

/// What the user did in the panel; done before the next frame.
using Wish = std::function<void(Session&)>;

/// What the panel keeps between frames.
struct PanelState {
  std::string number;           ///< in the field for an answer
  std::string complaint;        ///< why what was entered is no answer
  std::uint64_t visit = 0;      ///< of the page that these are for
  std::optional<Slot> clicked;  ///< the slot whose number is in the field
  bool read_it = false;         ///< Enter was pressed once below a wrong option: the next one draws another question
  bool typed = false;           ///< characters were typed into it, and the next ones follow them
  bool focus = false;           ///< the field is to have the keyboard, and does not have it yet
  int frames_without = 0;       ///< since then
  bool given = false;           ///< Enter was pressed before the page had begun: its answer is given then
  bool again = false;           ///< another try was asked for a moment ago: what is typed is for that
  bool active = false;          ///< it has the keyboard
  bool replaced = false;        ///< its text was set from outside
  bool was_told = false;        ///< as of the last frame
  bool said_more = false;       ///< the same: a complaint stood below that
  int frames_to_scroll = 0;     ///< during which it comes to what was told
  bool stays_at_top = false;    ///< instead
  bool wants_close = false;
  bool wants_next_lesson = false;
};

/// How wide the panel is beside a scene, in pixels.
int panel_width(Look const& look, Rectangle const& window);

/// The page, its task and what became of it. `broken`: what is wrong with the lesson's file, or empty.
std::vector<Wish> draw_panel(Look const& look, Session const& session, LessonWords const& words,
                             std::string const& broken, Rectangle const& place, PanelState& state);

/// A scenario's title and caption, in a strip. `session`: the tour that the scenario is part of, or null.
int strip_height(Look const& look, Rectangle const& window, ScenarioWords const& words, Session const* session);
std::vector<Wish> draw_strip(Look const& look, ScenarioWords const& words, Session const* session,
                             Rectangle const& place, PanelState& state);

/// A page for a lecture: large, with nothing to click. It goes beside a bare scene.
Rectangle lecture_place(Rectangle const& window);
/// `vote`: on its question; only rounds that are shown are drawn. Null: none.
void draw_lecture(Look const& look, Session const& session, Vote const* vote, Rectangle const& place);
/// What of the place's height its text takes, where it need not be smaller.
float lecture_height(Look const& look, Session const& session, Vote const* vote, Rectangle const& place);
/// The speaker's notes of a page and what comes next, as lines for a terminal.
std::string notes_of(Session const& session);
/// The same, filling a picture.
void draw_notes(Look const& look, Session const& session, Rectangle const& place);

}  // namespace slotscape::lessons
