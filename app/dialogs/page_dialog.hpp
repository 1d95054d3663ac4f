#pragma once

#include "app/dialogs/page_trial.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace slotscape {

/// The lesson that a page is added to.
enum class PageTarget : std::uint8_t { new_lesson, latest_lesson, other_lesson };

/// Asks for the text and the question of a page made from the current table, and shows a preview. Keeps the typed text
/// as long as the table stays the same.
class PageDialog {
public:
  /// `repeats`: see `PageTrial::try_out`. `scene`: the scene of the set-up.
  void open(TableSetup set_up, bool repeats, SceneEntry const& scene, DeviceFacts const& device);
  /// Call every frame. Returns true when the user confirms the page.
  bool draw(Look const& look);

  PageTarget target() const { return target_; }
  std::string const& lesson_title() const { return lesson_title_; }
  /// The lesson that the last page was added to; empty if there was none.
  std::filesystem::path const& latest_lesson() const { return latest_lesson_; }
  Json const& page() const { return tried_.page; }
  /// Records that the page was added to this lesson, which is then suggested for the next one.
  void note_written(std::filesystem::path const& lesson);

private:
  void begin_page();
  void take_key();
  void try_out();
  void draw_form(Look const& look);
  void key_rows(Look const& look);
  void target_rows(Look const& look);
  void draw_preview(Look const& look);
  bool draw_buttons(Look const& look);

  bool opening_ = false;
  TableSetup set_up_;
  std::optional<OnKey> last_;  ///< the operation before which the page can begin
  bool repeats_ = false;
  std::optional<PageTrial> trial_;

  ExamplePage written_;       ///< content of the fields
  OwnWords own_words_;        ///< the author's own words for the other questions
  std::string key_text_;      ///< the key as typed
  std::string key_problem_;   ///< why the typed key is invalid; empty: it is valid
  bool before_last_ = false;  ///< the page begins before `last_`
  PageTarget target_ = PageTarget::new_lesson;
  std::string lesson_title_;
  std::filesystem::path latest_lesson_;

  TriedPage tried_;
  ExamplePage tried_page_;  ///< the page that `tried_` belongs to
  bool tried_before_last_ = false;
  bool is_tried_ = false;
};

}  // namespace slotscape
