#pragma once

#include "app/command_line.hpp"
#include "app/gl/context.hpp"
#include "app/gl/image.hpp"
#include "app/gui.hpp"
#include "app/path_dialog.hpp"
#include "app/presenters.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/scenes/slots/scene.hpp"
#include "app/scenes/spatial/scene.hpp"
#include "app/settings_file.hpp"
#include "app/widgets/toasts.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace slotscape {

/// Which part of a frame a picture shows.
enum class PicturePart : std::uint8_t { everything, map };

/// Whatever lives as long as the program, destroyed in order: the scene with its table first, the OpenGL context last.
class App {
public:
  /// Throws Error where the backend or the way to present cannot be, or the table cannot be made.
  App(std::unique_ptr<gl::Context> context, Options const& options, UserSettings const& settings);
  ~App();

  Scene& current_scene() { return *scene_; }
  TableScene& table_scene() { return dynamic_cast<TableScene&>(*scene_); }        ///< where that is the current one
  SlotsScene& scene() { return dynamic_cast<SlotsScene&>(*scene_); }              ///< where that is the current one
  SpatialScene& spatial_scene() { return dynamic_cast<SpatialScene&>(*scene_); }  ///< where that is the current one
  CompareScene& compare_scene() { return dynamic_cast<CompareScene&>(*scene_); }  ///< where that is the current one
  /// Goes to a scene. The slots scene comes back as it was set, filled to its load; the compare scene takes over what
  /// the slots scene shows or showed last, with its table as the first; the spatial scene comes back as it was.
  void show(SceneKind kind);
  gl::Context& context() { return *context_; }
  Toasts& toasts() { return toasts_; }
  FrameTimes const& frame_times() const { return frame_times_; }

  /// One frame. Where `errors_go_out`, errors of the table's work are thrown, else they are shown.
  void frame(double elapsed_seconds);
  void let_errors_out() { errors_go_out_ = true; }
  bool closing() const { return closing_; }
  bool quiet() const;
  void forget_frame_times() { frame_times_ = {}; }

  /// The frame drawn last, or a part of the next one.
  gl::Image picture() const;
  void save_picture_of_next_frame(std::filesystem::path const& file, PicturePart part, double wait_seconds = 0.0);
  void toggle_full_screen();

  /// What a dropped or chosen file does: a scenario is opened, any other goes to the scene. Where that has no use for
  /// it the user is told why, and nothing changes.
  void open(std::filesystem::path const& file);

  /// The statistics that were asked for, as JSON and as tables.
  void write_statistics(std::filesystem::path const& json, std::filesystem::path const& csv_folder);
  UserSettings user_settings() const;

private:
  struct WantedPicture {
    std::filesystem::path file;
    PicturePart part;
    double wait_seconds;  ///< until nothing that is no part of the picture is to be seen
  };

  /// A scene for this set-up, with its steps in the queue.
  std::unique_ptr<Scene> make_scene(Scenario const& set_up) const;
  /// The spatial scene as the settings have it; with other models, and a word to the user, where these cannot be had.
  std::unique_ptr<Scene> make_remembered_spatial_scene();
  void enter(std::unique_ptr<Scene> fresh);
  void leave_scene();
  void attempt(std::function<void()> const& work);
  void perform(UserCommand command);
  void take_input();
  void draw_gui(double elapsed_seconds);
  void draw_scene();
  void save_wanted_picture(PicturePart part, Rectangle const& place);
  void use_path(PathDialog::Choice const& choice);
  void note_times(double frame_seconds);
  Rectangle window_below_menu() const;

  std::unique_ptr<gl::Context> context_;
  std::unique_ptr<Presenters> presenters_;
  std::unique_ptr<Gui> gui_;
  DeviceFacts device_;
  std::unique_ptr<Scene> scene_;
  UserSettings settings_;     ///< of the current scene, as they were when it was entered
  Scenario slots_to_return_;  ///< the slots scene, as it was left
  Panels panels_;
  Toasts toasts_;
  PathDialog paths_;
  FrameTimes frame_times_;
  std::optional<WantedPicture> wanted_picture_;
  std::string last_notice_;
  Rectangle restored_window_;  ///< of the window, to come back to from the full screen
  bool key_list_ = false;
  bool has_pictures_ = false;
  bool closing_ = false;
  bool errors_go_out_ = false;
};

}  // namespace slotscape
