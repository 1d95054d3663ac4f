#include "app/app.hpp"

#include "app/menu.hpp"
#include "app/scenes/slots/palette.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cctype>
#include <chrono>

namespace slotscape {
namespace {

constexpr std::size_t frames_shown = 40;          ///< the median of the latest
constexpr double dialog_fades_seconds = 0.25;     ///< a closed dialog dims the window a little longer
constexpr std::size_t most_frame_times = 200000;  ///< then the older half is forgotten

double latest_median(std::vector<double> const& seconds)
{
  std::size_t const count = std::min(seconds.size(), frames_shown);
  if (count == 0) { return 0.0; }
  std::vector<double> latest(seconds.end() - static_cast<std::ptrdiff_t>(count), seconds.end());
  auto const middle = latest.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::ranges::nth_element(latest, middle);
  return *middle;
}

void append(std::vector<double>& times, double seconds)
{
  if (times.size() >= most_frame_times) {
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  }
  times.push_back(seconds);
}

bool is_scenario(std::filesystem::path const& file)
{
  std::string const ending = file.extension().string();
  return std::ranges::equal(ending, std::string_view(".json"), {},
                            [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
}

Panels panels_of(UserSettings const& settings)
{
  return {settings.show_controls, settings.show_statistics, settings.show_plots, settings.show_inspector};
}

}  // namespace

App::App(std::unique_ptr<gl::Context> context, Options const& options, UserSettings const& settings)
    : context_(std::move(context)),
      settings_(settings),
      panels_(panels_of(settings)),
      key_list_(settings.show_keys_help)
{
  BackendDecision const decision = decide_backend(options.backend);
  presenter_ = make_presenter(decision.backend, options.present);
  gui_ = std::make_unique<Gui>(*context_);
  gui_->set_scale(settings.ui_scale);
  DeviceFacts const facts{.backend = decision.backend,
                          .device = {},
                          .backend_reason = decision.reason,
                          .present = presenter_->path(),
                          .present_reason = presenter_->reason()};
  scene_ = std::make_unique<SlotsScene>(settings.slots, facts);
}

App::~App() = default;

void App::attempt(std::function<void()> const& work)
{
  if (errors_go_out_) { return work(); }
  try {
    work();
  } catch (Error const& error) {
    toasts_.error(error.what());
  } catch (std::exception const& error) {
    toasts_.error(
        fmt::format("{}\nThe program goes on; save what you need and restart it if this comes again.", error.what()));
  }
}

Rectangle App::window_below_menu() const
{
  gl::Size const size = context_->size();
  int const menu = static_cast<int>(ImGui::GetFrameHeight());
  return {0, menu, size.width, std::max(size.height - menu, 1)};
}

void App::frame(double elapsed_seconds)
{
  auto const start = std::chrono::steady_clock::now();
  gui_->set_scale(settings_.ui_scale);
  gui_->begin_frame(elapsed_seconds);
  if (wanted_picture_) { wanted_picture_->wait_seconds -= elapsed_seconds; }
  take_input();
  attempt([&] { scene_->advance(elapsed_seconds); });
  SlotsLayout const layout = lay_out(gui_->look(), window_below_menu(), panels_, scene_->state().steps);
  drew_map_ = false;
  attempt([&] {
    scene_->analyse(*presenter_, gui_->look(), layout, elapsed_seconds);
    drew_map_ = true;
  });
  draw_gui(layout, elapsed_seconds);
  gui_->end_frame();
  draw_scene(layout);
  context_->present();
  note_times(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void App::draw_scene(SlotsLayout const& layout)
{
  gl::Size const size = context_->size();
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  glDisable(GL_SCISSOR_TEST);
  glViewport(0, 0, size.width, size.height);
  glClearColor(canvas_color.red, canvas_color.green, canvas_color.blue, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  if (drew_map_) { scene_->draw_map(*presenter_, size.height); }
  save_wanted_picture(PicturePart::map, layout.canvas);
  glViewport(0, 0, size.width, size.height);
  gui_->draw();
  save_wanted_picture(PicturePart::everything, {0, 0, size.width, size.height});
}

void App::note_times(double frame_seconds)
{
  FrameFacts& facts = scene_->state().frames;
  append(frame_times_.frame_seconds, frame_seconds);
  append(frame_times_.analyse_seconds, facts.analyse);
  append(frame_times_.present_seconds, facts.present);
  facts = {latest_median(frame_times_.frame_seconds), latest_median(frame_times_.analyse_seconds),
           latest_median(frame_times_.present_seconds)};
}

void App::draw_gui(SlotsLayout const& layout, double elapsed_seconds)
{
  Look const& look = gui_->look();
  draw_menu_bar(look, {scene_->state(), panels_, settings_.ui_scale, paths_,
                       [this](UserCommand command) { perform(command); }});
  scene_->draw_gui(look, layout, panels_);
  if (scene_->wants_key_file()) { paths_.ask(PathPurpose::key_file); }
  if (auto const choice = paths_.draw(look)) {
    attempt([&] {
      try {
        use_path(*choice);
      } catch (Error const&) {
        paths_.ask_again();
        throw;
      }
    });
  }
  draw_key_list(look, key_list_);
  std::string const& notice = scene_->state().notice;
  if (notice != last_notice_ && !notice.empty()) { toasts_.notice(notice); }
  last_notice_ = notice;
  Rectangle const& canvas = layout.canvas;
  toasts_.draw(look,
               {static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2.0f,
                static_cast<float>(canvas.y + canvas.height) - look(14.0f)},
               static_cast<float>(canvas.width) - look(24.0f), elapsed_seconds);
}

void App::take_input()
{
  WindowEvents const events = gui_->take_events();
  for (std::filesystem::path const& file : events.dropped_files) { open(file); }
  bool const in_popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  for (UserCommand const command : pressed_commands(events.keys)) {
    if (!in_popup || command == UserCommand::quit) { perform(command); }
  }
}

void App::perform(UserCommand command)
{
  switch (command) {
    case UserCommand::open: return paths_.ask(PathPurpose::open);
    case UserCommand::save_picture: return paths_.ask(PathPurpose::picture);
    case UserCommand::save_statistics: return paths_.ask(PathPurpose::statistics_json);
    case UserCommand::save_scenario: return paths_.ask(PathPurpose::scenario);
    case UserCommand::help: key_list_ = !key_list_; return;
    case UserCommand::full_screen: return toggle_full_screen();
    case UserCommand::quit: closing_ = true; return;
    case UserCommand::toggle_panels: {
      bool const hidden = !panels_.controls && !panels_.numbers && !panels_.plots;
      panels_.controls = panels_.numbers = panels_.plots = hidden;
      return;
    }
    case UserCommand::cancel:
      if (!scene_->state().progress && (key_list_ || !toasts_.empty())) {
        key_list_ = false;
        return toasts_.dismiss_all();
      }
      break;
    default: break;
  }
  scene_->perform(command);
}

bool App::quiet() const
{
  return scene_->quiet() && toasts_.empty() && !wanted_picture_;
}

gl::Image App::picture() const
{
  gl::Size const size = context_->size();
  return gl::read_pixels(context_->framebuffer(), 0, 0, size.width, size.height);
}

void App::save_picture_of_next_frame(std::filesystem::path const& file, PicturePart part, double wait_seconds)
{
  check_writable(file);
  wanted_picture_ = WantedPicture{file, part, wait_seconds};
}

void App::save_wanted_picture(PicturePart part, Rectangle const& place)
{
  if (!wanted_picture_ || wanted_picture_->part != part || wanted_picture_->wait_seconds > 0.0) { return; }
  std::filesystem::path const file = wanted_picture_->file;
  wanted_picture_.reset();
  attempt([&] {
    gl::write_png(file, gl::read_pixels(context_->framebuffer(), place.x, place.y, place.width, place.height));
    toasts_.notice(fmt::format("Saved {}", file.string()));
  });
}

void App::use_path(PathDialog::Choice const& choice)
{
  switch (choice.purpose) {
    case PathPurpose::open: return open(choice.path);
    case PathPurpose::key_file: return scene_->use_key_file(choice.path);
    case PathPurpose::picture:
      toasts_.dismiss_all();
      return save_picture_of_next_frame(choice.path, PicturePart::everything, dialog_fades_seconds);
    case PathPurpose::picture_of_map: return save_picture_of_next_frame(choice.path, PicturePart::map);
    case PathPurpose::statistics_json: write_stats_json(choice.path, report()); break;
    case PathPurpose::statistics_csv: write_stats_csv(choice.path, report()); break;
    case PathPurpose::scenario: write_scenario(choice.path, scene_->set_up()); break;
  }
  toasts_.notice(fmt::format("Saved {}", choice.path.string()));
}

void App::open(std::filesystem::path const& file)
{
  attempt([&] {
    try {
      if (is_scenario(file)) {
        scene_->load(read_scenario(file));
      } else {
        scene_->use_key_file(file);
      }
    } catch (Error const& error) {
      throw Error(
          fmt::format("Neither a scenario (NAME.json) nor a key file that can be used: all stays as it was.\n{}",
                      error.what()));
    }
    toasts_.notice(fmt::format("Opened {}", file.filename().string()));
  });
}

void App::toggle_full_screen()
{
  GLFWwindow* const window = context_->window();
  if (window == nullptr) { return; }
  if (glfwGetWindowMonitor(window) != nullptr) {
    glfwSetWindowMonitor(window, nullptr, restored_window_.x, restored_window_.y, restored_window_.width,
                         restored_window_.height, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) { return; }
  glfwGetWindowPos(window, &restored_window_.x, &restored_window_.y);
  glfwGetWindowSize(window, &restored_window_.width, &restored_window_.height);
  GLFWvidmode const& mode = *glfwGetVideoMode(monitor);
  glfwSetWindowMonitor(window, monitor, 0, 0, mode.width, mode.height, mode.refreshRate);
}

UserSettings App::user_settings() const
{
  UserSettings settings = settings_;
  settings.slots = scene_->settings_to_keep();
  settings.show_controls = panels_.controls;
  settings.show_statistics = panels_.numbers;
  settings.show_plots = panels_.plots;
  settings.show_inspector = panels_.slot_card;
  settings.show_keys_help = key_list_;
  gl::Size const size = context_->size();
  settings.window_width = size.width;
  settings.window_height = size.height;
  return settings;
}

}  // namespace slotscape
