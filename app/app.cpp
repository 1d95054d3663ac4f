#include "app/app.hpp"

#include "app/clouds/load_cloud.hpp"
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

/// By its ending. A file of text can hold keys or points: that is up to the scene.
bool is_model(std::filesystem::path const& file)
{
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char letter) { return std::tolower(letter); });
  auto const endings = clouds::cloud_file_endings();
  return ending != ".txt" && std::ranges::find(endings, ending) != endings.end();
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
  presenters_ = std::make_unique<Presenters>(decision.backend, options.present);
  gui_ = std::make_unique<Gui>(*context_);
  gui_->set_scale(settings.ui_scale);
  Presenter const& presenter = (*presenters_)[0];
  device_ = {.backend = decision.backend,
             .device = {},
             .backend_reason = decision.reason,
             .present = presenter.path(),
             .present_reason = presenter.reason()};
  slots_to_return_ = {settings.slots, {FillTo{settings.slots.drive.target_load}}};
  Scenario first{settings.slots, {}};
  if (settings.scene == SceneKind::compare) {
    first = {settings.compare.shared, {}, {}, compared_with(settings.compare.shared.table, settings.compare.tables)};
  } else if (settings.scene == SceneKind::spatial) {
    first.spatial = settings.spatial;
  }
  bool const remembered = options.command == Command::window;
  scene_ = remembered && first.spatial ? make_remembered_spatial_scene() : make_scene(first);
}

std::unique_ptr<Scene> App::make_scene(Scenario const& set_up) const
{
  std::unique_ptr<Scene> scene;
  if (set_up.spatial) {
    scene = std::make_unique<SpatialScene>(*set_up.spatial, device_);
  } else if (set_up.tables.empty()) {
    scene = std::make_unique<SlotsScene>(set_up.settings, device_);
  } else {
    scene = std::make_unique<CompareScene>(CompareSettings{set_up.tables, set_up.settings}, device_);
  }
  scene->begin(set_up);
  return scene;
}

void App::leave_scene()
{
  settings_.scene = scene_->kind();
  scene_->keep_settings(settings_);
  if (scene_->kind() == SceneKind::slots) { slots_to_return_ = scene_->set_up(); }
}

std::unique_ptr<Scene> App::make_remembered_spatial_scene()
{
  Scenario set_up;
  set_up.spatial = settings_.spatial;
  try {
    return make_scene(set_up);
  } catch (Error const& error) {
    set_up.spatial->models = SpatialSceneSettings{}.models;
    set_up.spatial->hashing = {};
    std::unique_ptr<Scene> scene = make_scene(set_up);
    toasts_.error(fmt::format("The models of the last time cannot be had, so these are others.\n{}", error.what()));
    return scene;
  }
}

void App::enter(std::unique_ptr<Scene> fresh)
{
  leave_scene();
  scene_ = std::move(fresh);
}

void App::show(SceneKind kind)
{
  if (kind == scene_->kind()) { return; }
  if (kind == SceneKind::spatial) { return enter(make_remembered_spatial_scene()); }
  if (kind == SceneKind::slots) { return enter(make_scene(slots_to_return_)); }
  Scenario set_up = scene_->kind() == SceneKind::slots ? scene_->set_up() : slots_to_return_;
  set_up.tables = compared_with(set_up.settings.table, settings_.compare.tables);
  enter(make_scene(set_up));
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
  scene_->lay_out(gui_->look(), window_below_menu(), panels_);
  has_pictures_ = false;
  attempt([&] {
    scene_->analyse(*presenters_, gui_->look(), elapsed_seconds);
    has_pictures_ = true;
  });
  draw_gui(elapsed_seconds);
  gui_->end_frame();
  draw_scene();
  context_->present();
  note_times(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void App::draw_scene()
{
  gl::Size const size = context_->size();
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  glDisable(GL_SCISSOR_TEST);
  glViewport(0, 0, size.width, size.height);
  glClearColor(canvas_color.red, canvas_color.green, canvas_color.blue, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  if (has_pictures_) { scene_->draw_pictures(*presenters_, size.height); }
  save_wanted_picture(PicturePart::map, scene_->canvas());
  glViewport(0, 0, size.width, size.height);
  gui_->draw();
  save_wanted_picture(PicturePart::everything, {0, 0, size.width, size.height});
}

void App::note_times(double frame_seconds)
{
  FrameFacts& facts = scene_->frames();
  append(frame_times_.frame_seconds, frame_seconds);
  append(frame_times_.analyse_seconds, facts.analyse);
  append(frame_times_.present_seconds, facts.present);
  facts = {latest_median(frame_times_.frame_seconds), latest_median(frame_times_.analyse_seconds),
           latest_median(frame_times_.present_seconds)};
}

void App::draw_gui(double elapsed_seconds)
{
  Look const& look = gui_->look();
  MenuActions const actions{panels_, [this](UserCommand command) { perform(command); },
                            [this](PathPurpose purpose) { paths_.ask(purpose); }};
  draw_menu_bar(look, {*scene_, actions, settings_.ui_scale});
  scene_->draw_gui(look, panels_);
  if (auto const purpose = scene_->wanted_path()) { paths_.ask(*purpose); }
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
  draw_key_list(look, *scene_, key_list_);
  std::string const& notice = scene_->notice();
  if (notice != last_notice_ && !notice.empty()) { toasts_.notice(notice); }
  last_notice_ = notice;
  Rectangle const canvas = scene_->canvas();
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
  for (UserCommand const command : pressed_commands(events.keys, scene_->kind())) {
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
    case UserCommand::slots_scene: return attempt([&] { show(SceneKind::slots); });
    case UserCommand::compare_scene: return attempt([&] { show(SceneKind::compare); });
    case UserCommand::spatial_scene: return attempt([&] { show(SceneKind::spatial); });
    case UserCommand::help: key_list_ = !key_list_; return;
    case UserCommand::full_screen: return toggle_full_screen();
    case UserCommand::quit: closing_ = true; return;
    case UserCommand::toggle_panels: {
      bool const hidden = !panels_.controls && !panels_.numbers && !panels_.plots;
      panels_.controls = panels_.numbers = panels_.plots = hidden;
      return;
    }
    case UserCommand::cancel:
      if (!scene_->cancellable() && (key_list_ || !toasts_.empty())) {
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
  if (scene_->use_path(choice.purpose, choice.path)) { return; }
  switch (choice.purpose) {
    case PathPurpose::open: return open(choice.path);
    case PathPurpose::picture:
      toasts_.dismiss_all();
      return save_picture_of_next_frame(choice.path, PicturePart::everything, dialog_fades_seconds);
    case PathPurpose::picture_of_map: return save_picture_of_next_frame(choice.path, PicturePart::map);
    case PathPurpose::statistics_json: write_statistics(choice.path, {}); break;
    case PathPurpose::statistics_csv: write_statistics({}, choice.path); break;
    case PathPurpose::scenario: write_scenario(choice.path, scene_->set_up()); break;
    default: break;
  }
  toasts_.notice(fmt::format("Saved {}", choice.path.string()));
}

void App::open(std::filesystem::path const& file)
{
  attempt([&] {
    bool done = true;
    try {
      if (is_scenario(file)) {
        Scenario const scenario = read_scenario(file);
        if (kind_of(scenario) == scene_->kind()) {
          scene_->load(scenario);
        } else {
          enter(make_scene(scenario));
        }
      } else {
        if (is_model(file)) { show(SceneKind::spatial); }
        done = scene_->open(file);
      }
    } catch (Error const& error) {
      throw Error(fmt::format("{} is not opened: all stays as it was.\n{}", file.filename().string(), error.what()));
    }
    if (done) { toasts_.notice(fmt::format("Opened {}", file.filename().string())); }
  });
}

void App::write_statistics(std::filesystem::path const& json, std::filesystem::path const& csv_folder)
{
  if (!json.empty()) { scene_->write_statistics_json(json, frame_times_); }
  if (!csv_folder.empty()) { scene_->write_statistics_csv(csv_folder, frame_times_); }
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
  settings.scene = scene_->kind();
  scene_->keep_settings(settings);
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
