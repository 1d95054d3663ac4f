#include "app/shell/scene_host.hpp"

#include "app/registry/scenes.hpp"
#include "app/shell/menu.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace slotscape {
namespace {

/// The set-up for other scenes. own: supplies the scene's own set-up, used if it has no special one for others.
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

SceneHost::SceneHost(Options const& options, UserSettings& settings, Screen& screen, Toasts& toasts,
                     std::function<void()> changes)
    : settings_(settings), screen_(screen), toasts_(toasts), news_(toasts), changes_(std::move(changes))
{
  BackendDecision const decision = decide_backend(options.backend);
  presenters_ = std::make_unique<Presenters>(decision.backend, options.present);
  device_ = facts_of(decision, (*presenters_)[0]);
}

/// If the user cancels opening a file, the scene begins with its defaults.
void SceneHost::begin(std::optional<Scenario> const& first)
{
  if (!first) {
    SceneEntry const* const last = find_scene(scenes(), settings_.scene);
    SceneEntry const& entry = last != nullptr ? *last : scenes().front();
    return enter_remembered(entry, remembered(settings_, entry), Arrival::start);
  }
  try {
    enter(*first);
  } catch (Cancelled const&) {
    if (!screen_.has_window()) { throw; }
    enter({first->scene, first->scene->first()});
    toasts_.notice(tr("Opening was cancelled."));
  }
}

void SceneHost::enter_remembered(SceneEntry const& entry, SceneSetup set_up, Arrival arrival)
{
  auto const recalled = [&](SceneSetup kept) { return entry.recall ? entry.recall(std::move(kept), arrival) : kept; };
  try {
    enter({&entry, recalled(set_up)});
    news_.note_told(*scene_);  // its findings were shown when the user opened it
  } catch (Error const& error) {
    enter({&entry, recalled(entry.replace ? entry.replace(std::move(set_up)) : entry.first())});
    toasts_.error(tr("Could not restore '{}'; showing defaults.\n{}", translated(entry.title), error.what()));
  }
}

std::unique_ptr<Scene> SceneHost::make(Scenario const& scenario) const
{
  return scenario.scene->make(scenario.set_up, device_, scene_ ? Progress() : screen_.opening());
}

void SceneHost::replace(Scenario const& scenario, std::unique_ptr<Scene> fresh)
{
  leave_scene(*scenario.scene);
  use_scene(*scenario.scene, std::move(fresh), scenario.words);
}

void SceneHost::enter(Scenario const& scenario)
{
  replace(scenario, make(scenario));
}

void SceneHost::begin_pages()
{
  remember(settings_);
  pages_ = PutAway{scenario(), worth_keeping()};
}

void SceneHost::enter_page(Scenario const& scenario)
{
  auto fresh = make(scenario);
  put_away();
  left_.clear();
  use_scene(*scenario.scene, std::move(fresh), scenario.words);
}

void SceneHost::put_away()
{
  if (std::exchange(pages_->is_away, true)) { return; }
  pages_->scene = scene_->can_wait() ? std::move(scene_) : nullptr;
  pages_->left = std::exchange(left_, {});
}

void SceneHost::end_pages()
{
  if (pages_->is_away) {
    bring_back_scene(pages_->before, std::move(pages_->scene));
    left_ = std::move(pages_->left);
  }
  pages_.reset();
}

/// waited: null if the scene must be made again.
void SceneHost::bring_back_scene(Scenario const& before, std::unique_ptr<Scene> waited)
{
  if (waited) {
    use_scene(*before.scene, std::move(waited), before.words);
    return come_back();
  }
  try {
    enter(before);
  } catch (Error const&) {  // for example, if its memory is no longer available
    enter_remembered(*before.scene, remembered(settings_, *before.scene), Arrival::later);
  }
}

/// Scenes of a lesson are only kept within their page.
void SceneHost::leave_scene(SceneEntry const& next)
{
  if (!scene_) { return; }
  if (pages_ && !pages_->is_away) { return put_away(); }
  remember(settings_);
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

void SceneHost::use_scene(SceneEntry const& entry, std::unique_ptr<Scene> scene, ScenarioWords const& words)
{
  changes_();
  news_.begin();
  has_pictures_ = false;
  scene_ = std::move(scene);
  if (max_wait_seconds_) { scene_->set_max_wait(*max_wait_seconds_); }
  entry_ = &entry;
  words_ = words;
  shows_words_ = true;
}

void SceneHost::set_max_wait(double seconds)
{
  max_wait_seconds_ = seconds;
  scene_->set_max_wait(seconds);
}

SceneHost::LeftScene const* SceneHost::left_as(SceneEntry const& entry) const
{
  auto const left = std::ranges::find(left_, &entry, &LeftScene::entry);
  return left == left_.end() ? nullptr : &*left;
}

OtherSetups SceneHost::other_setups(SceneEntry const& entry) const
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

void SceneHost::show(SceneEntry const& entry)
{
  if (&entry == entry_) { return; }
  LeftScene const* const left = left_as(entry);
  if (entry.enter) {
    SceneSetup const own = left != nullptr ? left->set_up : remembered(settings_, entry);
    SceneSetup const derived = entry.enter(own, other_setups(entry));
    bool const as_left = left != nullptr && entry.alike && entry.alike(derived, left->for_others);
    if (as_left) { return go_back_to(entry); }
    bool const is_same_example = left != nullptr && words_.empty();  // continued without text of its own
    if (derived.has_value()) { return enter({&entry, derived, is_same_example ? left->words : ScenarioWords{}}); }
  }
  if (left != nullptr) { return go_back_to(entry); }
  enter_remembered(entry, remembered(settings_, entry), Arrival::later);
}

void SceneHost::come_back()
{
  scene_->come_back();
  news_.come_back(*scene_);
}

void SceneHost::go_back_to(SceneEntry const& entry)
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

/// Tries the current set-up; then one without keys, if only the device has them or the CPU lacks memory; then the
/// default.
void SceneHost::remake_scene()
{
  std::array<std::function<SceneSetup()>, 3> const set_ups{
      [this] { return scene_->set_up(); },
      [this] { return entry_->recall ? entry_->recall(scene_->to_remember(), Arrival::later) : scene_->to_remember(); },
      [this] { return entry_->first(); }};
  for (std::function<SceneSetup()> const& set_up : set_ups) {
    try {
      return use_scene(*entry_, entry_->make(set_up(), device_, {}), words_);
    } catch (std::exception const&) {  // try the next set-up
    }
  }
}

void SceneHost::go_on_without_device(std::string const& why)
{
  for (LeftScene& left : left_) { left.scene.reset(); }
  if (pages_) {
    pages_->scene.reset();
    for (LeftScene& left : pages_->left) { left.scene.reset(); }
  }
  presenters_ = std::make_unique<Presenters>(Backend::cpu, PresentChoice::automatic);
  device_ = facts_of({Backend::cpu, tr("the GPU has failed")}, (*presenters_)[0]);
  remake_scene();
  toasts_.error(tr("{}\nUntil then, the CPU continues with the keys that are known.", why));
}

FrameFacts SceneHost::analyse(Frame const& frame)
{
  has_pictures_ = false;
  FrameFacts const times = scene_->analyse(frame);
  has_pictures_ = true;
  return times;
}

void SceneHost::draw_pictures(int framebuffer_height)
{
  if (has_pictures_) { scene_->draw_pictures(*presenters_, framebuffer_height); }
}

void SceneHost::remember(UserSettings& settings) const
{
  if (pages_) { return; }
  settings.scene = entry_->name;
  settings.set_ups[settings.scene] = scene_->to_remember();
}

/// Whether the user has changed the scene, or opened it from a file.
bool SceneHost::worth_keeping() const
{
  return (opened_ || !scene_->undoes().empty()) && scene_->quick_to_save();
}

void SceneHost::keep_for_next_start(std::filesystem::path const& file) const
{
  if (pages_) {
    if (pages_->worth_keeping) { write_scenario(file, pages_->before); }
    return;
  }
  if (worth_keeping()) { write_scenario(file, {entry_, scene_->set_up()}); }
}

void SceneHost::add_undo(std::vector<Command>& commands)
{
  constexpr std::string_view menu = "Edit";
  commands.push_back({.keys = "Ctrl+Z",
                      .group = program_group,
                      .what = "Undo",
                      .menu = menu,
                      .while_typing = false,
                      .run = [this] { undo_or_redo(&Scene::undo); },
                      .label_now =
                          [this] {
                            std::string const what = scene_->undoes();
                            return what.empty() ? tr("Nothing to undo") : tr("Undo {}", translated(what));
                          }});
  commands.push_back({.keys = "Ctrl+Shift+Z, Ctrl+Y",
                      .group = program_group,
                      .what = "Redo",
                      .menu = menu,
                      .while_typing = false,
                      .run = [this] { undo_or_redo(&Scene::redo); },
                      .label_now =
                          [this] {
                            std::string const what = scene_->redoes();
                            return what.empty() ? tr("Nothing to redo") : tr("Redo {}", translated(what));
                          }});
}

/// Also dismisses messages that refer to what is undone.
void SceneHost::undo_or_redo(void (Scene::*change)())
{
  (scene_.get()->*change)();
  toasts_.dismiss_scene_notice();
  toasts_.dismiss_refusals();
}

void SceneHost::add_scenes(std::vector<Command>& commands)
{
  for (SceneEntry const& entry : scenes()) {
    commands.push_back({.keys = entry.keys,
                        .group = program_group,
                        .what = entry.what,
                        .menu = "Scene",
                        .label = std::string(entry.title),
                        .run = [this, &entry] { show(entry); },
                        .checked = [this, &entry] { return entry_ == &entry; }});
  }
}

}  // namespace slotscape
