#include "app/shell/app.hpp"

#include "app/base/page_address.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/menu.hpp"
#include "app/widgets/drawing.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <glad/gl.h>
#include <imgui_internal.h>

#include <chrono>
#include <utility>
#include <vector>

namespace slotscape {

App::App(std::unique_ptr<gl::Context> context, Options const& options, UserSettings const& settings,
         std::optional<Scenario> const& first)
    : settings_(settings),
      attempts_(toasts()),
      screen_(std::move(context), settings_, options.theme.value_or(settings.theme)),
      panels_(settings.panels),
      files_(screen_, settings_, toasts(), attempts_),
      scenes_(options, settings_, screen_, toasts(), [this] { leave_scene(); }),
      lessons_(scenes_, settings_, panels_.panels(), toasts(), attempts_),
      lesson_view_(lessons_, scenes_, screen_, attempts_),
      lecture_(lessons_, lesson_view_, scenes_, screen_, files_, attempts_),
      marks_(scenes_, lessons_),
      documents_(scenes_, lessons_, files_, settings_, toasts(), attempts_, screen_),
      gallery_(scenes_, lessons_, documents_, settings_, attempts_),
      pages_(scenes_, lessons_, files_, documents_, settings_, toasts(), attempts_),
      pictures_(scenes_, charts_, marks_, files_, screen_, toasts(), attempts_),
      measurements_(scenes_, files_),
      sharing_(scenes_, lessons_, files_, screen_, toasts(), attempts_, [this] { return measurements_.statistics(); }),
      help_(lessons_.library(), settings.key_list),
      input_(scenes_, lessons_, lesson_view_, lecture_, marks_, gallery_, help_, toasts(), attempts_)
{
  make_commands();
  scenes_.begin(first);
}

App::~App() = default;

/// Commands are in the order of the menus and of the list of keys.
void App::make_commands()
{
  std::vector<Command>& commands = input_.commands();
  documents_.add_open(commands);
  pictures_.add_commands(commands);
  measurements_.add_commands(commands);
  documents_.add_save(commands);
  sharing_.add_link(commands);
  sharing_.add_recording(commands);
  gallery_.add_commands(commands);
  panels_.add_commands(commands);
  screen_.add_keyboard(commands);
  scenes_.add_undo(commands);
  sharing_.add_clipboard(commands);
  marks_.add_commands(commands);
  screen_.add_full_screen(commands);
  scenes_.add_scenes(commands);
  lessons_.add_page_commands(commands);
  lecture_.add_commands(commands);
  lessons_.add_closing_commands(commands);
  pages_.add_commands(commands);
  commands.push_back(
      {.keys = "Esc", .group = program_group, .what = "Cancel or deselect", .run = [this] { cancel(); }});
  help_.add_commands(commands);
  files_.add_commands(commands);
  screen_.add_quit(commands);
  if (is_in_page) {
    std::erase_if(commands, [](Command const& command) { return command.not_in_page; });
  }
}

void App::leave_scene()
{
  files_.withdraw();
  attempts_.forget_chosen();
  marks_.leave_scene();
}

void App::embed()
{
  screen_.embed();
  gallery_.close();
  panels_.toggle();
}

void App::open_dropped(Paths const& files)
{
  gallery_.close();
  documents_.open_dropped(files);
}

void App::offer_last_session(std::filesystem::path const& file, bool says_so)
{
  documents_.offer_last_session(file, input_.commands(), says_so);
}

/// Settings shown by a lesson are not saved as the user's.
UserSettings App::user_settings() const
{
  UserSettings settings = settings_;
  lessons_.keep_progress(settings);
  if (lessons_.session() == nullptr) {
    scenes_.remember(settings);
    settings.panels = panels_.panels();
  }
  settings.key_list = help_.shows_keys();
  screen_.keep_size(settings);
  return settings;
}

bool App::quiet() const
{
  return scenes_.scene().quiet() && notices_.toasts().empty() && !pictures_.busy() && !attempts_.has_chosen() &&
         !pages_.exporting();
}

bool App::moving() const
{
  return !scenes_.scene().quiet() || !scenes_.scene().ready() || attempts_.has_chosen();
}

void App::frame(double elapsed_seconds)
{
  auto const start = std::chrono::steady_clock::now();
  screen_.note_size();
  lessons_.follow_language();
  screen_.set_look(lessons_.lecturing());
  screen_.gui().begin_frame(elapsed_seconds, files_.awaits_keyboard(), gallery_.shown());
  pictures_.wait(elapsed_seconds);
  if (attempts_.edits()) { toasts().dismiss_refusals(); }  // before menu commands, which are edits, too
  take_input();
  Panels bare = no_panels;
  Frame const frame = begin_layout(elapsed_seconds, bare);
  FrameFacts times = advance(frame);
  attempts_.set_edits(true);
  float const menus_end = draw_gui(frame);  // a refusal must not be dismissed by the edit that caused it
  attempts_.set_edits(attempts_.edits() && screen_.gui().edits());
  sharing_.draw_strip(screen_.look(), menus_end);
  screen_.gui().end_frame();
  draw_scene();
  screen_.context().present();
  attempts_.make([&] { lecture_.draw_presenter(elapsed_seconds); });
  pictures_.save_wanted_slides();
  if (attempts_.has_lost_device()) {
    attempts_.make([&] { scenes_.go_on_without_device(attempts_.take_lost_device()); });
  }
  times.frame = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  measurements_.note(times, quiet());
}

void App::take_input()
{
  attempts_.make_chosen();
  WindowEvents events = screen_.gui().take_events();
  if (!events.dropped_files.empty()) { open_dropped(events.dropped_files); }
  input_.take(std::move(events.keys));
}

/// bare: panels of a scene that is shown without panels.
Frame App::begin_layout(double elapsed_seconds, Panels& bare)
{
  Rectangle window = screen_.below_menu(lessons_.lecturing());
  notices_.take_place(screen_.look(), window);
  attempts_.make([&] {
    bool const page_came = lessons_.follow(elapsed_seconds);
    if (page_came && lecture_.on()) { lecture_.print_notes(); }
  });
  attempts_.make([&] { pages_.follow_export(); });
  lesson_view_.take_place(window);
  lessons::Session const* const lesson = lessons_.session();
  bare.slot_card = lesson == nullptr && panels_.panels().slot_card;  // a lesson may ask about its contents
  return {.look = screen_.look(),
          .window = window,
          .panels = lesson_view_.shows_scene_alone() ? bare : panels_.panels(),
          .charts = charts_,
          .elapsed_seconds = elapsed_seconds,
          .presenters = scenes_.presenters(),
          .times = measurements_.latest(),
          .bare = lecture_.on(),
          .asks = lesson != nullptr && lesson->asks(),
          .few_settings = lesson == nullptr && !settings_.lessons.empty() && !panels_.panels().all_settings,
          .advises = lesson_view_.advises(),
          .aside = lecture_.free_place()};
}

/// Lets the scene work and lay itself out, and analyses the displayed tables.
FrameFacts App::advance(Frame const& frame)
{
  bool const asks = ImGui::GetTopMostPopupModal() != nullptr;  // a dialog pauses the scene to keep typing responsive
  if (current_scene().asked()) { toasts().dismiss_refusals(); }
  attempts_.make([&] { current_scene().advance(asks ? 0.0 : frame.elapsed_seconds); }, true);
  scenes_.news().tell_findings(current_scene());
  current_scene().lay_out(frame);
  FrameFacts times;
  attempts_.make([&] { times = scenes_.analyse(frame); });
  return times;
}

float App::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  charts_.begin_frame(current_scene().canvas());
  auto menus_end = static_cast<float>(screen_.whole().width);
  Background theme = screen_.theme();
  MenuContext const menus{.scene = current_entry(),
                          .scene_commands = current_scene().commands(),
                          .app_commands = input_.commands(),
                          .device = scenes_.device(),
                          .panels = panels_.panels(),
                          .ui_scale = settings_.ui_scale,
                          .theme = theme,
                          .language = settings_.language,
                          .letters_are_typed = current_scene().types_letters() && !lecture_.on(),
                          .perform = [this](Command const& command) { attempts_.choose(command.run); }};
  if (lecture_.on()) {
    draw_lecture(frame, menus);
    return menus_end;
  }
  if (screen_.has_menu(false)) { menus_end = draw_menu_bar(look, menus); }
  if (theme != screen_.theme()) { screen_.set_theme(theme); }
  current_scene().draw_gui(frame);
  marks_.draw(look);
  lesson_view_.draw(look);
  attempts_.make([&] { pictures_.ask_for_chart(); });
  if (auto question = current_scene().take_question()) {
    attempts_.make([&] { documents_.ask_for_scene(std::move(*question)); }, true);
  }
  gallery_.draw(look);
  help_.draw(look, menus);
  draw_dialogs(look);
  show_wanted_scene();
  scenes_.news().tell_notice(current_scene());
  notices_.draw(frame, current_scene().canvas(), gallery_.shown());
  return menus_end;
}

void App::draw_lecture(Frame const& frame, MenuContext const& menus)
{
  attempts_.make([&] {
    ScreenDrawing drawing(*ImGui::GetBackgroundDrawList(), frame.look.font);
    current_scene().draw_slide(frame.look, drawing, false);
    current_scene().draw_lecture_panels(frame);
  });
  marks_.draw(frame.look);
  lesson_view_.draw(frame.look);
  lecture_.draw(frame.look);
  help_.draw(frame.look, menus);
  notices_.draw(frame, current_scene().canvas(), gallery_.shown());
}

void App::draw_dialogs(Look const& look)
{
  pictures_.draw_slide_dialog(look);
  pages_.draw(look);
  sharing_.draw_dialog(look);
  files_.draw(look);  // may switch to another scene
}

void App::show_wanted_scene()
{
  auto wanted = current_scene().take_scene_to_show();
  if (!wanted) { return; }
  attempts_.make([&] {
    SceneEntry const* const entry = find_scene(scenes(), wanted->name);
    if (entry == nullptr) { throw Error(tr("This program has no scene '{}'.", wanted->name)); }
    if (!wanted->set_up.has_value()) { return show(*entry); }
    lessons_.enter_own({entry, std::move(wanted->set_up)});
  });
}

void App::draw_scene()
{
  gl::Size const size = screen_.context().size();
  screen_.clear();
  attempts_.make([&] { scenes_.draw_pictures(size.height); });
  glViewport(0, 0, size.width, size.height);
  screen_.gui().draw(WindowRecorder::strip_window, Gui::Layer::below);
  pictures_.save_wanted_pictures();
  sharing_.take_frame();
  screen_.gui().draw(WindowRecorder::strip_window, Gui::Layer::alone);
}

/// Shrinks an enlarged chart, or closes messages, unless the scene has work to cancel or nothing else is open.
void App::cancel()
{
  if (charts_.enlarged()) { return charts_.shrink(); }
  if (current_scene().cancellable() || toasts().empty()) { return current_scene().cancel(); }
  toasts().dismiss_all();
}

}  // namespace slotscape
