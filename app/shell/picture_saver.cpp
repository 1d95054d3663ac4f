#include "app/shell/picture_saver.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/export/slide.hpp"
#include "app/shell/menu.hpp"
#include "gpu/base/translation.hpp"

#include <string>
#include <utility>

namespace slotscape {

PictureSaver::PictureSaver(SceneHost const& scenes, Charts& charts, MarkLayer const& marks, FileQuestions& files,
                           Screen& screen, Toasts& toasts, Attempts& attempts)
    : scenes_(scenes),
      charts_(charts),
      marks_(marks),
      files_(files),
      screen_(screen),
      toasts_(toasts),
      attempts_(attempts)
{
}

void PictureSaver::add_commands(std::vector<Command>& commands)
{
  constexpr std::string_view menu = "File";
  commands.push_back({.keys = "Ctrl+S",
                      .group = program_group,
                      .what = "Save a picture",
                      .menu = menu,
                      .label = "Save picture…",
                      .divides = true,
                      .run = [this] { ask_where_to_save_picture(); }});
  commands.push_back({.menu = menu, .label = "Save picture for slides…", .run = [this] { slides_.open(); }});
}

void PictureSaver::ask_where_to_save_picture()
{
  files_.ask_where_to_save(translatable("Save a picture of the window"), "slotscape.png",
                           {{translatable("picture"), {".png"}}}, [this](auto const& file) {
                             toasts_.dismiss_all();
                             save_next_frame(file, PicturePart::everything, dialog_fades_seconds);
                           });
}

void PictureSaver::save_next_frame(std::filesystem::path const& file, PicturePart part, double wait_seconds)
{
  check_writable(file);
  wanted_picture_ = WantedPicture{file, part, wait_seconds};
}

void PictureSaver::wait(double elapsed_seconds)
{
  if (wanted_picture_) { wanted_picture_->wait_seconds -= elapsed_seconds; }
}

void PictureSaver::save_wanted_pictures()
{
  save_wanted(PicturePart::everything, screen_.whole());
  save_wanted(PicturePart::chart, scenes_.scene().canvas());
}

void PictureSaver::save_wanted(PicturePart part, Rectangle const& place)
{
  if (!wanted_picture_ || wanted_picture_->part != part || wanted_picture_->wait_seconds > 0.0) { return; }
  std::filesystem::path const file = wanted_picture_->file;
  wanted_picture_.reset();
  attempts_.make([&] {
    gl::write_png(file, screen_.picture_of(place));
    toasts_.notice(tr("Saved {}", path_text(file)));
  });
}

void PictureSaver::ask_for_chart()
{
  auto const wanted = charts_.take_request();
  if (!wanted) { return; }
  std::string const name = file_name_of(wanted->title);
  if (wanted->as == ChartToSave::As::csv) {
    files_.ask_where_to_save(tr("Save the data of '{}'", translated(wanted->title)), name + ".csv",
                             {{"CSV file", {".csv"}}},
                             files_.saved([csv = wanted->csv](auto const& file) { write_text_file(file, csv); }));
  } else {
    files_.ask_where_to_save(tr("Save a picture of '{}'", translated(wanted->title)), name + ".png",
                             {{"picture", {".png"}}}, [this](auto const& file) {
                               save_next_frame(file, PicturePart::chart, dialog_fades_seconds);
                             });
  }
}

void PictureSaver::draw_slide_dialog(Look const& look)
{
  if (!slides_.draw(look)) { return; }
  attempts_.make([&] { ask_where_to_save_slide(); }, true);
}

void PictureSaver::ask_where_to_save_slide()
{
  bool const vector = slides_.format() == SlideFormat::svg;
  std::vector<FileKind> kinds;
  kinds.push_back(vector ? FileKind{translatable("vector picture"), {".svg"}}
                         : FileKind{translatable("picture"), {".png"}});
  files_.ask_where_to_save(translatable("Save a picture for slides"), vector ? "slide.svg" : "slide.png",
                           std::move(kinds), [this](auto const& file) {
                             check_writable(file);
                             wanted_slide_ = file;
                           });
}

void PictureSaver::save_slide(std::filesystem::path const& file, SlideSettings const& settings)
{
  auto const marks = [this](Look const& look, Drawing& drawing) { marks_.draw_on_slide(look, drawing); };
  slotscape::save_slide(scenes_.scene(), {charts_, scenes_.presenters(), marks}, settings, file);
}

void PictureSaver::save_wanted_slides()
{
  if (auto const drawing = scenes_.scene().take_drawing_to_save()) {
    attempts_.make([&] {
      save_drawing(*drawing);
      toasts_.notice(tr("Saved {}", path_text(drawing->file)));
    });
  }
  if (wanted_slide_.empty()) { return; }
  std::filesystem::path const file = std::exchange(wanted_slide_, {});
  attempts_.make([&] {
    save_slide(file, slides_.settings());
    toasts_.notice(tr("Saved {}", path_text(file)));
  });
}

}  // namespace slotscape
