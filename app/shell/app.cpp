#include "app/shell/app.hpp"

#include "app/base/field_error.hpp"
#include "app/base/files.hpp"
#include "app/base/interrupt.hpp"
#include "app/base/scenario_files.hpp"
#include "app/dialogs/dropped_files.hpp"
#include "app/languages/languages.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/work_bar.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/device_lost.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/ranges.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

namespace slotscape {
namespace {

/// own: makes what the scene is set up as, where that is also for others.
template <class Own>
SceneSetup for_others(Scene const& scene, Own const& own)
{
  SceneSetup set_up = scene.set_up_for_others();
  return set_up.has_value() ? set_up : own();
}

std::string name_of_device(Backend backend)
{
  if (backend == Backend::cpu) { return cpu_name(); }
  auto const devices = list_devices();
  auto const found = std::ranges::find(devices, backend, &DeviceInfo::backend);
  return found == devices.end() ? std::string() : found->name;
}

DeviceFacts facts_of(BackendDecision const& decision, Presenter const& presenter)
{
  return {.backend = decision.backend,
          .device = name_of_device(decision.backend),
          .backend_reason = decision.reason,
          .present = presenter.path(),
          .present_reason = presenter.reason()};
}

}  // namespace

App::App(std::unique_ptr<gl::Context> context, Options const& options, UserSettings const& settings,
         std::optional<Scenario> const& first)
    : context_(std::move(context)),
      settings_(settings),
      panels_(settings.panels),
      library_(scenario_folders(this_executable())),
      lesson_export_(this_executable()),
      said_in_(catalogue_in_use()),
      key_list_(settings.key_list)
{
  BackendDecision const decision = decide_backend(options.backend);
  presenters_ = std::make_unique<Presenters>(decision.backend, options.present);
  gui_ = std::make_unique<Gui>(*context_);
  theme_ = options.theme.value_or(settings.theme);
  gui_->set_background(theme_);
  gui_->set_scale(settings.ui_scale);
  device_ = facts_of(decision, (*presenters_)[0]);
  make_commands();
  if (first) {
    enter_first(*first);
    return;
  }
  SceneEntry const* const last = find_scene(scenes(), settings.scene);
  SceneEntry const& entry = last != nullptr ? *last : scenes().front();
  enter_remembered(entry, remembered(settings_, entry), Arrival::start);
}

App::~App() = default;

/// If the user does not want to wait for what is opened, the scene begins as ever.
void App::enter_first(Scenario const& scenario)
{
  try {
    enter(scenario);
  } catch (Cancelled const&) {
    if (context_->window() == nullptr) { throw; }
    enter({scenario.scene, scenario.scene->first()});
    toasts_.notice(tr("Opening was cancelled."));
  }
}

/// Of what the first scene opens: there are no frames yet that could show how far it is, and where Esc could be
/// pressed.
Progress App::first_opening()
{
  if (context_->window() == nullptr) {
    return Progress([](Progress const&) { return !interrupt_asked(); });
  }
  using Clock = std::chrono::steady_clock;
  return Progress([this, drawn = Clock::now(), thread = std::this_thread::get_id(),
                   goes_on = true](Progress const& progress) mutable {
    constexpr std::chrono::milliseconds between_frames{100};
    if (std::this_thread::get_id() != thread || Clock::now() - drawn < between_frames) { return goes_on; }
    goes_on = draw_opening(progress.snapshot()) && goes_on;
    drawn = Clock::now();
    return goes_on;
  });
}

/// Returns false if the user cancels it.
bool App::draw_opening(ProgressSnapshot const& progress)
{
  context_->poll();
  set_look();
  gui_->begin_frame(0.1);
  gl::Size const size = context_->size();
  bool cancelled = context_->closes() || ImGui::IsKeyPressed(ImGuiKey_Escape);
  cancelled = draw_progress(gui_->look(), progress, {0, 0, size.width, size.height}) || cancelled;
  gui_->end_frame();
  clear_framebuffer();
  gui_->draw();
  context_->present();
  return !cancelled;
}

void App::enter_remembered(SceneEntry const& entry, SceneSetup set_up, Arrival arrival)
{
  auto const recalled = [&](SceneSetup kept) { return entry.recall ? entry.recall(std::move(kept), arrival) : kept; };
  try {
    enter({&entry, recalled(set_up)});
    add_findings(told_findings_, scene_->findings());  // they were told when the user opened it
  } catch (Error const& error) {
    enter({&entry, recalled(entry.replace ? entry.replace(std::move(set_up)) : entry.first())});
    toasts_.error(tr("Could not restore '{}'; showing defaults.\n{}", translated(entry.title), error.what()));
  }
}

void App::enter(Scenario const& scenario)
{
  auto fresh = scenario.scene->make(scenario.set_up, device_, scene_ ? Progress() : first_opening());
  leave_scene(*scenario.scene);
  use_scene(*scenario.scene, std::move(fresh), scenario.words);
}

void App::enter_own(Scenario const& scenario)
{
  if (!lesson_) { return enter(scenario); }
  auto fresh = scenario.scene->make(scenario.set_up, device_, Progress());
  std::string const title = lesson_->session.lesson().title;
  end_lesson();
  leave_scene(*scenario.scene);
  use_scene(*scenario.scene, std::move(fresh), scenario.words);
  toasts_.notice(tr("'{}' is closed. Opened again, it goes on where you left it.", title));
}

void App::enter_page(Scenario const& scenario)
{
  auto fresh = scenario.scene->make(scenario.set_up, device_, {});
  put_away_before_lesson();
  left_.clear();
  use_scene(*scenario.scene, std::move(fresh), scenario.words);
}

void App::put_away_before_lesson()
{
  if (std::exchange(lesson_->has_begun, true)) { return; }
  lesson_->scene_before = scene_->can_wait() ? std::move(scene_) : nullptr;
  lesson_->left_before = std::exchange(left_, {});
}

/// What a lesson shows is kept for its page only.
void App::leave_scene(SceneEntry const& next)
{
  if (!scene_) { return; }
  if (lesson_ && !lesson_->has_begun) { return put_away_before_lesson(); }
  if (!lesson_) { settings_ = user_settings(); }
  std::erase_if(left_, [&](LeftScene const& left) { return left.entry == entry_; });
  SceneSetup set_up = scene_->set_up();
  SceneSetup others = for_others(*scene_, [&] { return set_up; });
  left_.insert(left_.begin(), {entry_, std::move(set_up), std::move(others), words_, shows_words_});
  for (LeftScene& left : left_) {
    if (left.entry == &next) { left.scene.reset(); }
  }
  bool const may_come_back = &next != entry_ && (!entry_->enter || entry_->alike);
  if (may_come_back && scene_->can_wait()) { left_.front().scene = std::move(scene_); }
}

void App::use_scene(SceneEntry const& entry, std::unique_ptr<Scene> scene, ScenarioWords const& words)
{
  files_.close();
  chosen_.clear();
  toasts_.dismiss_scene_notice();
  has_pictures_ = false;
  scene_ = std::move(scene);
  if (max_wait_seconds_) { scene_->set_max_wait(*max_wait_seconds_); }
  if (!lesson_) { marks_.forget(); }
  entry_ = &entry;
  words_ = words;
  shows_words_ = true;
  last_notice_.clear();
}

void App::set_max_wait(double seconds)
{
  max_wait_seconds_ = seconds;
  scene_->set_max_wait(seconds);
}

App::LeftScene const* App::left_as(SceneEntry const& entry) const
{
  auto const left = std::ranges::find(left_, &entry, &LeftScene::entry);
  return left == left_.end() ? nullptr : &*left;
}

OtherSetups App::other_setups(SceneEntry const& entry) const
{
  OtherSetups setups{{for_others(*scene_, [this] { return scene_->set_up(); })}, {}};
  for (LeftScene const& left : left_) {
    if (left.entry == &entry) { break; }
    if (left.entry != entry_) { setups.shown.push_back(left.for_others); }
  }
  if (left_as(entry) != nullptr) { return setups; }
  for (SceneEntry const& other : scenes()) {
    if (&other == entry_ || &other == &entry || left_as(other) != nullptr) { continue; }
    SceneSetup set_up = remembered(settings_, other);
    if (other.recall) { set_up = other.recall(std::move(set_up), Arrival::later); }
    setups.saved.push_back(std::move(set_up));
  }
  return setups;
}

void App::show(SceneEntry const& entry)
{
  if (&entry == entry_) { return; }
  LeftScene const* const left = left_as(entry);
  if (entry.enter) {
    SceneSetup const own = left != nullptr ? left->set_up : remembered(settings_, entry);
    SceneSetup const derived = entry.enter(own, other_setups(entry));
    bool const as_left = left != nullptr && entry.alike && entry.alike(derived, left->for_others);
    if (as_left) { return go_back_to(entry); }
    bool const is_same_example = left != nullptr && words_.empty();  // carried on without words of its own
    if (derived.has_value()) { return enter({&entry, derived, is_same_example ? left->words : ScenarioWords{}}); }
  }
  if (left != nullptr) { return go_back_to(entry); }
  enter_remembered(entry, remembered(settings_, entry), Arrival::later);
}

/// What the scene said when it was left is not news.
void App::come_back()
{
  scene_->come_back();
  last_notice_ = scene_->notice();
}

void App::go_back_to(SceneEntry const& entry)
{
  auto const left = std::ranges::find(left_, &entry, &LeftScene::entry);
  bool const waited = left->scene != nullptr;
  ScenarioWords const words = left->words;
  bool const shows_words = left->shows_words;
  if (waited) {
    std::unique_ptr<Scene> scene = std::move(left->scene);
    leave_scene(entry);
    use_scene(entry, std::move(scene), words);
    come_back();
  } else {
    enter({&entry, left->set_up, words});
  }
  shows_words_ = shows_words;
}

void App::attempt(std::function<void()> const& work, bool refuses)
{
  if (errors_go_out_) { return work(); }
  try {
    work();
  } catch (DeviceLost const& lost) {
    lost_device_ = lost.what();
  } catch (Error const& error) {
    refuses ? toasts_.refusal(error.what()) : toasts_.error(error.what());
    edits_ = edits_ && !refuses;
  } catch (std::exception const& error) {
    toasts_.error(
        tr("{}\nYou can keep working. If it happens again, save what you need and restart the program.", error.what()));
  }
}

/// As it is; or, where the device alone knows the keys or the CPU has no room for them, without them; or as at first.
void App::remake_scene()
{
  std::array<std::function<SceneSetup()>, 3> const set_ups{
      [this] { return scene_->set_up(); },
      [this] { return entry_->recall ? entry_->recall(scene_->to_remember(), Arrival::later) : scene_->to_remember(); },
      [this] { return entry_->first(); }};
  for (std::function<SceneSetup()> const& set_up : set_ups) {
    try {
      return use_scene(*entry_, entry_->make(set_up(), device_, {}), words_);
    } catch (std::exception const&) {  // the next one may do
    }
  }
}

void App::go_on_without_device()
{
  std::string const why = std::exchange(lost_device_, {});
  for (LeftScene& left : left_) { left.scene.reset(); }
  if (lesson_) {
    lesson_->scene_before.reset();
    for (LeftScene& left : lesson_->left_before) { left.scene.reset(); }
  }
  presenters_ = std::make_unique<Presenters>(Backend::cpu, PresentChoice::automatic);
  device_ = facts_of({Backend::cpu, tr("the GPU has failed")}, (*presenters_)[0]);
  remake_scene();
  toasts_.error(tr("{}\nUntil then, the CPU goes on with what is known of the keys.", why));
}

void App::open(std::filesystem::path const& file, Reach reach)
{
  open_together({file}, reach);
}

void App::open_dropped(Paths const& files)
{
  toasts_.dismiss_all();  // those of an attempt before this one
  gallery_.close();
  if (files.size() == 1) { return open(files.front()); }
  Drop const drop = sort_dropped(files, *entry_, scenes());
  if (!drop.scenarios.empty()) { open_together(drop.scenarios); }
  if (!drop.files.empty()) { open_together(drop.files); }
  if (!drop.left_out.empty()) { toasts_.refusal(tr("Not opened: {}.", fmt::join(drop.left_out, ", "))); }
}

void App::open_together(Paths const& files, Reach reach)
{
  told_findings_.clear();  // whoever opens a file again is told again
  toasts_.dismiss_refusals();
  auto const open = [&] {
    bool done = true;
    bool const goes_back = !last_session_.empty() && files.front() == last_session_;
    try {
      if (is_scenario(files.front())) {
        open_document(files.front(), goes_back ? Reach::anywhere : reach);
      } else {
        done = open_with_scene(files);
      }
    } catch (OutsideFile const& outside) {
      ask_to_trust(names_of(files), outside, [this, files] { open_together(files, Reach::anywhere); });
      return;
    } catch (Error const& error) {
      throw Error(goes_back ? tr("Could not open what you had last; nothing changed.\n{}", error.what())
                            : tr("Could not open {}; nothing changed.\n{}", names_of(files), error.what()));
    }
    if (!done) { return; }
    note_recent(files.front());
    toasts_.notice(goes_back ? tr("Back where you were") : tr("Opened {}", names_of(files)));
  };
  attempt(open, true);
}

void App::ask_to_trust(std::string document, OutsideFile const& outside, std::function<void()> go_on)
{
  require_files();
  trust_.ask(std::move(document), outside.file, std::move(go_on));
}

bool App::open_with_scene(Paths const& files)
{
  if (is_folder(files.front())) {
    if (!entry_->opens_folders) { throw Error(tr("It is a folder: open the files in it.")); }
    return scene_->open(files);
  }
  auto const opens_it = [&](SceneEntry const& entry) { return opens(entry, files.front()); };
  if (!opens_it(*entry_)) {
    auto const other = std::ranges::find_if(scenes(), opens_it);
    if (other != scenes().end()) { show(*other); }
  }
  if (entry_->files.empty()) { throw Error(tr("'{}' cannot open files.", translated(entry_->title))); }
  return scene_->open(files);
}

SceneStatistics App::statistics() const
{
  InLanguage const english(source_language);  // what programs read
  SceneStatistics statistics = scene_->statistics(frame_times_);
  if (Findings const findings = scene_->findings(); !findings.empty()) { statistics.json["findings"] = findings; }
  return statistics;
}

void App::write_statistics(std::filesystem::path const& json, std::filesystem::path const& csv_folder)
{
  if (json.empty() && csv_folder.empty()) { return; }
  SceneStatistics const statistics = this->statistics();
  if (!json.empty()) {
    refuse_input(json);
    write_text_file(json, format_json(statistics.json));
  }
  if (csv_folder.empty()) { return; }
  for (auto const& [name, content] : statistics.tables) {
    std::filesystem::path const file = csv_folder / name;
    check_writable_folder(file.parent_path());
    refuse_input(file);
    write_text_file(file, content);
  }
}

UserSettings App::user_settings() const
{
  UserSettings settings = settings_;
  if (lesson_) {  // its scenes are not the user's
    keep(lesson_->session.progress(), settings.lessons);
  } else {
    settings.scene = entry_->name;
    settings.set_ups[settings.scene] = scene_->to_remember();
    settings.panels = panels_;
  }
  settings.key_list = key_list_;
  if (window_size_.width != 0) {
    settings.window_width = window_size_.width;
    settings.window_height = window_size_.height;
  }
  return settings;
}

}  // namespace slotscape
