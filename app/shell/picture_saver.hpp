#pragma once

#include "app/dialogs/slide_dialog.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/file_questions.hpp"
#include "app/shell/mark_layer.hpp"
#include "app/shell/scene_host.hpp"
#include "app/widgets/charts.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace slotscape {

/// The part of a frame to save.
enum class PicturePart : std::uint8_t {
  everything,
  chart,  ///< the chart that fills the canvas
};

/// Saves pictures of the window and of charts, and drawings for slides.
class PictureSaver {
public:
  PictureSaver(SceneHost const& scenes, Charts& charts, MarkLayer const& marks, FileQuestions& files, Screen& screen,
               Toasts& toasts, Attempts& attempts);

  /// Saves the next frame, or a part of it. `wait_seconds`: until a closed dialog has faded.
  void save_next_frame(std::filesystem::path const& file, PicturePart part, double wait_seconds = 0.0);
  /// Saves the canvas as a slide. Throws Error if it cannot be drawn or written.
  void save_slide(std::filesystem::path const& file, SlideSettings const& settings);
  /// Whether something remains to be saved.
  bool busy() const { return wanted_picture_ || !wanted_slide_.empty(); }

  /// Call this at the beginning of a frame.
  void wait(double elapsed_seconds);
  /// Asks where to save the export chosen from a chart's menu.
  void ask_for_chart();
  void draw_slide_dialog(Look const& look);
  /// Call this once the frame is drawn, except for the recording strip.
  void save_wanted_pictures();
  /// Call this once the frame is finished.
  void save_wanted_slides();

  void add_commands(std::vector<Command>& commands);

private:
  struct WantedPicture {
    std::filesystem::path file;
    PicturePart part;
    double wait_seconds;  ///< until a closed dialog has faded
  };

  void ask_where_to_save_picture();
  void ask_where_to_save_slide();
  void save_wanted(PicturePart part, Rectangle const& place);

  SceneHost const& scenes_;
  Charts& charts_;
  MarkLayer const& marks_;
  FileQuestions& files_;
  Screen& screen_;
  Toasts& toasts_;
  Attempts& attempts_;
  std::optional<WantedPicture> wanted_picture_;
  SlideDialog slides_;
  std::filesystem::path wanted_slide_;  ///< to be written after this frame
};

}  // namespace slotscape
