#pragma once

#include "app/lessons/library.hpp"
#include "app/lessons/session.hpp"
#include "app/lessons/votes.hpp"
#include "app/widgets/look.hpp"

#include <functional>
#include <string>
#include <vector>

namespace slotscape::lessons {

/// An action that the user requested in the panel; it runs before the next frame.
using Wish = std::function<void(Session&)>;

/// The panel's state between frames.
struct PanelState {
  std::string number;           ///< text in the answer field
  std::string complaint;        ///< why the entered text is not an answer
  std::uint64_t visit = 0;      ///< number of the page visit that this state belongs to
  std::optional<Slot> clicked;  ///< the slot whose number is in the field
  bool read_it = false;       ///< Enter was pressed once below a wrong option: pressing it again draws another question
  bool typed = false;         ///< characters were typed into the field, and further ones follow them
  bool focus = false;         ///< the field should get the keyboard, but does not have it yet
  int frames_without = 0;     ///< frames since `focus` was set
  bool given = false;         ///< Enter was pressed before the page had begun: the answer is submitted then
  bool again = false;         ///< a new try was requested a moment ago: typed characters belong to it
  bool active = false;        ///< the field has the keyboard
  bool replaced = false;      ///< the field's text was set from outside
  bool was_told = false;      ///< as of the last frame
  bool said_more = false;     ///< as of the last frame: a complaint was shown below the reaction
  int frames_to_scroll = 0;   ///< frames left to scroll to the reaction
  bool stays_at_top = false;  ///< stays at the top of the page instead of scrolling to the reaction
  bool wants_close = false;
  bool wants_next_lesson = false;
};

/// The width of the panel beside a scene, in pixels.
int panel_width(Look const& look, Rectangle const& window);

/// The page, its task and its state. `broken`: what is wrong with the lesson's file, or empty.
std::vector<Wish> draw_panel(Look const& look, Session const& session, LessonWords const& words,
                             std::string const& broken, Rectangle const& place, PanelState& state);

/// A scenario's title and caption, in a strip. `session`: the tour that the scenario is part of, or null.
int strip_height(Look const& look, Rectangle const& window, ScenarioWords const& words, Session const* session);
std::vector<Wish> draw_strip(Look const& look, ScenarioWords const& words, Session const* session,
                             Rectangle const& place, PanelState& state);

/// A page for a lecture: large, with nothing to click, beside a bare scene.
Rectangle lecture_place(Rectangle const& window);
/// `vote`: the vote on its question; only rounds that are shown are drawn. Null: none.
void draw_lecture(Look const& look, Session const& session, Vote const* vote, Rectangle const& place);
/// The share of the height that the page's text takes, unless it must be shrunk.
float lecture_height(Look const& look, Session const& session, Vote const* vote, Rectangle const& place);
/// The speaker's notes for a page and the next page's title, as lines for a terminal.
std::string notes_of(Session const& session);
/// Draws the speaker's notes, filling a picture.
void draw_notes(Look const& look, Session const& session, Rectangle const& place);

}  // namespace slotscape::lessons
