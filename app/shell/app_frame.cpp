// What App does in a frame: layout, drawing, what is told, and pictures of it.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "app/shell/menu.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/drawing.hpp"
#include "gpu/base/translation.hpp"

#include <glad/gl.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr std::size_t frames_shown = 40;         ///< frames whose median is shown
constexpr std::size_t max_frame_times = 200000;  ///< beyond it, the older half is dropped

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
  if (times.size() >= max_frame_times) {
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  }
  times.push_back(seconds);
}

/// The columns of the canvas, down to the end of what scenes show, where their legends lie.
Rectangle place_of_notices(Rectangle const& canvas, Rectangle const& window)
{
  return {canvas.x, window.y, canvas.width, window.height};
}

}  // namespace

Rectangle App::window_below_menu() const
{
  gl::Size const size = context_->size();
  int const menu = lecturing() || embedded_ ? 0 : static_cast<int>(ImGui::GetFrameHeight());
  return {0, menu, size.width, std::max(size.height - menu, 1)};
}

/// A minimised window has no size to come back to.
void App::note_window_size()
{
  gl::Size const size = context_->size();
  if (size.width > 0 && size.height > 0) { window_size_ = size; }
}

void App::frame(double elapsed_seconds)
{
  auto const start = std::chrono::steady_clock::now();
  note_window_size();
  follow_language();
  set_look();
  gui_->begin_frame(elapsed_seconds, files_.awaits_keyboard(), gallery_.open());
  if (wanted_picture_) { wanted_picture_->wait_seconds -= elapsed_seconds; }
  if (edits_) { toasts_.dismiss_refusals(); }  // before what was chosen in a menu, which is an edit, too
  take_input();
  Rectangle window = window_below_menu();
  int const strip = std::min(toasts_.strip_height(gui_->look(), window), window.height / 2);
  window.height -= strip;
  messages_ = {window.x, window.y + window.height, window.width, strip};
  attempt([&] { follow_lesson(elapsed_seconds); });
  attempt([&] { follow_export(); });
  lesson_place_ = place_lesson(window);
  Panels bare = no_panels;
  bool const is_scene_alone =  // a scenario of a tour does not say more
      (lecturing() && lesson_->session.is_tour()) || has_lesson_below();
  Frame const frame{gui_->look(),
                    window,
                    is_scene_alone ? bare : panels_,
                    charts_,
                    elapsed_seconds,
                    *presenters_,
                    latest_times_,
                    false,
                    lecturing(),
                    lesson_ && lesson_->session.asks(),
                    !draws_sheets_ && (!lesson_ || !lesson_->session.waits()),
                    free_in_lecture()};
  bool const asks = ImGui::GetTopMostPopupModal() != nullptr;  // meanwhile nothing moves, so that typing is quick
  if (scene_->asked()) { toasts_.dismiss_refusals(); }
  attempt([&] { scene_->advance(asks ? 0.0 : elapsed_seconds); }, true);
  tell_findings();
  scene_->lay_out(frame);
  has_pictures_ = false;
  FrameFacts times;
  attempt([&] {
    times = scene_->analyse(frame);
    has_pictures_ = true;
  });
  edits_ = true;
  draw_gui(frame);  // what is refused at once is not forgotten with the edit that asked for it
  edits_ = edits_ && gui_->edits();
  recorder_.draw_strip(gui_->look(), menus_end_);
  gui_->end_frame();
  draw_scene();
  context_->present();
  attempt([&] { draw_presenter(elapsed_seconds); });
  save_wanted_slide();
  if (!lost_device_.empty()) {
    attempt([&] { go_on_without_device(); });
  }
  times.frame = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  note_times(times);
}

void App::follow_language()
{
  if (std::exchange(said_in_, catalogue_in_use()) == catalogue_in_use()) { return; }
  listed_.reset();
  toasts_.dismiss_scene_notice();
}

void App::tell_findings()
{
  Findings const findings = scene_->findings();
  for (std::string const& finding : findings) {
    if (std::ranges::find(told_findings_, finding) != told_findings_.end()) { continue; }
    print_finding(finding);
    if (!scene_->shows(finding)) {
      toasts_.notice(finding);
      shown_findings_.push_back(finding);
    }
  }
  std::erase_if(shown_findings_, [&](std::string const& shown) {
    bool const holds = std::ranges::find(findings, shown) != findings.end();
    if (!holds) { toasts_.dismiss(shown); }
    return !holds;
  });
  add_findings(told_findings_, findings);  // whichever scene shows the same data need not tell it again
}

void App::clear_framebuffer()
{
  gl::Size const size = context_->size();
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  glDisable(GL_SCISSOR_TEST);
  glViewport(0, 0, size.width, size.height);
  Color const background = canvas_color_on(theme_);
  glClearColor(background.red, background.green, background.blue, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
}

void App::draw_scene()
{
  gl::Size const size = context_->size();
  clear_framebuffer();
  attempt([&] {
    if (has_pictures_) { scene_->draw_pictures(*presenters_, size.height); }
  });
  glViewport(0, 0, size.width, size.height);
  gui_->draw(WindowRecorder::strip_window, Gui::Layer::below);
  save_wanted_picture(PicturePart::everything, {0, 0, size.width, size.height});
  save_wanted_picture(PicturePart::chart, scene_->canvas());
  attempt([&] { recorder_.take(*context_, scene_->canvas()); });
  attempt([&] { copy_wanted_picture(); });
  gui_->draw(WindowRecorder::strip_window, Gui::Layer::alone);
}

void App::note_times(FrameFacts const& times)
{
  append(frame_times_.frame_seconds, times.frame);
  append(frame_times_.analyse_seconds, times.analyse);
  append(frame_times_.present_seconds, times.present);
  if (quiet() && frame_times_.frame_seconds.size() > frames_shown) { return; }  // a picture at rest stays the same
  latest_times_ = {latest_median(frame_times_.frame_seconds), latest_median(frame_times_.analyse_seconds),
                   latest_median(frame_times_.present_seconds)};
}

void App::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  charts_.begin_frame(scene_->canvas());
  menus_end_ = static_cast<float>(context_->size().width);
  auto const perform = [this](Command const& command) { chosen_.push_back(command.run); };
  bool const types_letters = scene_->types_letters() && !lecturing();
  MenuContext const menus{*entry_, scene_->commands(), commands_,     device_, panels_, settings_.ui_scale,
                          theme_,  settings_.language, types_letters, perform};
  if (lecturing()) {
    attempt([&] {
      ScreenDrawing drawing(*ImGui::GetBackgroundDrawList(), look.font);
      scene_->draw_slide(look, drawing, false);
      scene_->draw_lecture_panels(frame);
    });
    draw_marks(look);
    draw_lesson(look);
    draw_own_question(look);
    draw_key_list(look, menus, key_list_);
    word_list_.draw(look);
    return draw_notices(frame);
  }
  Background const theme_before = theme_;
  if (!embedded_) { menus_end_ = draw_menu_bar(look, menus); }
  if (theme_ != theme_before) { settings_.theme = theme_; }  // chosen, and not told by an option
  scene_->draw_gui(frame);
  draw_marks(look);
  draw_lesson(look);
  attempt([&] { save_wanted_chart(); });
  if (auto question = scene_->take_question()) {
    attempt([&] { ask_for_scene(std::move(*question)); }, true);
  }
  draw_gallery();
  draw_key_list(look, menus, key_list_);
  word_list_.draw(look);
  if (slides_.draw(look)) {
    attempt([&] { ask_where_to_save_slide(); }, true);
  }
  if (page_dialog_.draw(look)) {
    attempt([&] { ask_where_to_save_page(); }, true);
  }
  if (recorder_.draw_dialog(look)) {
    attempt([&] { ask_where_to_record(); }, true);
  }
  if (auto const allowed = trust_.draw(look)) { attempt(allowed, true); }
  draw_file_dialog(look);  // which may show another scene
  show_wanted_scene();
  std::string const notice = scene_->notice();
  if (notice != last_notice_ && !notice.empty()) { toasts_.scene_notice(notice); }
  last_notice_ = notice;
  draw_notices(frame);
}

void App::draw_notices(Frame const& frame)
{
  if (!shows_notices_) { return toasts_.dismiss_all(); }
  auto const place = gallery_.open() ? std::nullopt  // they would lie on its edge
                                     : std::optional(place_of_notices(scene_->canvas(), frame.window));
  toasts_.draw(frame.look, messages_, place, frame.elapsed_seconds);
}

/// What a scene opens is among the files used lately, too.
void App::ask_for_scene(FileQuestion question)
{
  if (question.kind == FileQuestion::Kind::open) {
    question.use = [this, use = std::move(question.use)](Paths const& files) {
      use(files);
      note_recent(files.front());
    };
  }
  ask_for_files(std::move(question));
}

void App::draw_file_dialog(Look const& look)
{
  if (auto const files = files_.draw(look)) {
    attempt([&] { files_.use(*files); }, true);
  }
}

void App::show_wanted_scene()
{
  auto wanted = scene_->take_scene_to_show();
  if (!wanted) { return; }
  attempt([&] {
    SceneEntry const* const entry = find_scene(scenes(), wanted->name);
    if (entry == nullptr) { throw Error(tr("This program has no scene '{}'.", wanted->name)); }
    if (!wanted->set_up.has_value()) { return show(*entry); }
    enter_own({entry, std::move(wanted->set_up)});
  });
}

/// Asks where to save what was chosen from a chart's menu.
void App::save_wanted_chart()
{
  auto const wanted = charts_.take_request();
  if (!wanted) { return; }
  std::string const name = file_name_of(wanted->title);
  if (wanted->as == ChartToSave::As::csv) {
    ask_where_to_save(tr("Save the data of '{}'", translated(wanted->title)), name + ".csv", {{"CSV file", {".csv"}}},
                      saved([csv = wanted->csv](auto const& file) { write_text_file(file, csv); }));
  } else {
    ask_where_to_save(tr("Save a picture of '{}'", translated(wanted->title)), name + ".png", {{"picture", {".png"}}},
                      [this](auto const& file) {
                        save_picture_of_next_frame(file, PicturePart::chart, dialog_fades_seconds);
                      });
  }
}

bool App::quiet() const
{
  return scene_->quiet() && toasts_.empty() && !wanted_picture_ && wanted_slide_.empty() && chosen_.empty() &&
         !lesson_export_.busy();
}

gl::Image App::picture() const
{
  gl::Size const size = context_->size();
  return picture_of({0, 0, size.width, size.height});
}

gl::Image App::picture_of(Rectangle const& place) const
{
  return gl::read_pixels(context_->framebuffer(), place.x, place.y, place.width, place.height);
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
    gl::write_png(file, picture_of(place));
    toasts_.notice(tr("Saved {}", path_text(file)));
  });
}

void App::save_slide(std::filesystem::path const& file, SlideSettings const& settings)
{
  auto const marks = [this](Look const& look, Drawing& drawing) { marks_.draw(look, drawing, mark_canvas()); };
  slotscape::save_slide(*scene_, {charts_, *presenters_, marks}, settings, file);
}

void App::save_wanted_slide()
{
  if (auto const drawing = scene_->take_drawing_to_save()) {
    attempt([&] {
      save_drawing(*drawing);
      toasts_.notice(tr("Saved {}", path_text(drawing->file)));
    });
  }
  if (wanted_slide_.empty()) { return; }
  std::filesystem::path const file = std::exchange(wanted_slide_, {});
  attempt([&] {
    save_slide(file, slides_.settings());
    toasts_.notice(tr("Saved {}", path_text(file)));
  });
}

}  // namespace slotscape
