#pragma once

#include "app/dialogs/page_trial.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace slotscape {

/// Which lesson a page goes into.
enum class PageTarget : std::uint8_t { new_lesson, latest_lesson, other_lesson };

/// Asks what a page that is made of the present table says and asks, and shows how it will read. Keeps what was typed
/// while the table stays the same.
class PageDialog {
public:
  /// `repeats`: see `PageTrial::try_out`. `scene`: of the set-up.
  void open(TableSetup set_up, bool repeats, SceneEntry const& scene, DeviceFacts const& device);
  /// Call every frame. Returns true when the user wants the page.
  bool draw(Look const& look);

  PageTarget target() const { return target_; }
  std::string const& lesson_title() const { return lesson_title_; }
  /// That the last page went into; empty: none did.
  std::filesystem::path const& latest_lesson() const { return latest_lesson_; }
  Json const& page() const { return tried_.page; }
  /// The page is in this lesson now; the next one is proposed for it, too.
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
  std::optional<OnKey> last_;  ///< the operation that the page can begin before
  bool repeats_ = false;
  std::optional<PageTrial> trial_;

  ExamplePage written_;       ///< what is in the fields
  OwnWords own_words_;        ///< for the other questions
  std::string key_text_;      ///< the key as it is typed
  std::string key_problem_;   ///< why that is no key; empty: it is one
  bool before_last_ = false;  ///< the page begins before `last_`
  PageTarget target_ = PageTarget::new_lesson;
  std::string lesson_title_;
  std::filesystem::path latest_lesson_;

  TriedPage tried_;
  ExamplePage tried_page_;  ///< that `tried_` is of
  bool tried_before_last_ = false;
  bool is_tried_ = false;
};

}  // namespace slotscape
