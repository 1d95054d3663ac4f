#include "app/base/text.hpp"
#include "app/scenes/paged/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_map/slide_legend.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/number_rows.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

constexpr float min_paged_canvas = 480.0f;
constexpr float title_height = 34.0f;
constexpr std::uint8_t waiting_share = 90;  ///< brightness of a waiting page, of 255

ImVec2 operator+(ImVec2 at, float by)
{
  return {at.x + by, at.y + by};
}

/// Draws a pixel, dimmed if its page waits.
void put(std::uint8_t* pixel, Color const& color, bool waits)
{
  float const scale = waits ? static_cast<float>(waiting_share) : 255.0f;
  pixel[0] = static_cast<std::uint8_t>(std::lround(color.red * scale));
  pixel[1] = static_cast<std::uint8_t>(std::lround(color.green * scale));
  pixel[2] = static_cast<std::uint8_t>(std::lround(color.blue * scale));
  pixel[3] = 255;
}

std::string gigabytes(std::uint64_t bytes, double seconds)
{
  double const giga = static_cast<double>(bytes) * 1e-9;
  return fmt::format("{:.2f} GB · {:.1f} GB/s", giga, giga / std::max(seconds, 1e-9));
}

/// A bar whose length is a share of `whole`, with its name and its seconds.
void seconds_bar(Look const& look, char const* name, double seconds, double whole)
{
  float const width = ImGui::GetContentRegionAvail().x;
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const height = ImGui::GetTextLineHeight() + look(4.0f);
  auto const share = static_cast<float>(std::clamp(seconds / std::max(whole, 1e-12), 0.0, 1.0));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, theme::raised, look(3.0f));
  list.AddRectFilled(at, {at.x + width * share, at.y + height}, theme::with_alpha(theme::accent, 0.45f), look(3.0f));
  list.AddText({at.x + look(6.0f), at.y + look(2.0f)}, theme::text, name);
  std::string const time = seconds < 1.0 ? milliseconds(seconds) : fmt::format("{:.2f} s", seconds);
  list.AddText({at.x + width - look(6.0f) - ImGui::CalcTextSize(time.c_str()).x, at.y + look(2.0f)}, theme::text,
               time.c_str());
  ImGui::Dummy({width, height + look(3.0f)});
}

}  // namespace

ImVec2 PageGrid::corner_of(std::uint32_t page) const
{
  std::uint32_t const row = page / columns;
  std::uint32_t const column = page % columns;
  return {static_cast<float>(place.x) + static_cast<float>(column) * pitch,
          static_cast<float>(place.y) + static_cast<float>(row) * pitch};
}

void PagedScene::lay_out(Frame const& frame)
{
  Rectangle const& all = frame.window;
  int const title = static_cast<int>(frame.look(title_height));
  int const legend = static_cast<int>(legend_height(frame.look));
  sides_ = {};
  Rectangle middle = all;
  if (!frame.bare) {
    sides_ = lay_out_sides(frame.look, frame.panels.widths, all, frame.panels.controls, frame.panels.numbers,
                           min_paged_canvas);
    middle = sides_.middle;
  }
  place_canvas({middle.x, middle.y + title, middle.width, std::max(middle.height - title - legend, 1)});
  legend_ = {middle.x, middle.y + middle.height - legend, middle.width, legend};
}

PageGrid PagedScene::grid_on(Look const& look) const
{
  PageGrid grid;
  grid.columns = seen_.columns();
  grid.side = seen_.side();
  Rectangle const& all = canvas();
  float const margin = look(12.0f);
  float const width = static_cast<float>(all.width) - 2.0f * margin;
  float const height = static_cast<float>(all.height) - 2.0f * margin;
  grid.gap = grid.columns > 1 ? look(2.0f) : 0.0f;
  grid.pitch = std::max(std::min(width / static_cast<float>(grid.columns),
                                 height / static_cast<float>(std::max(seen_.rows(), 1u))),
                        grid.gap + 1.0f);
  float const wide = grid.pitch * static_cast<float>(grid.columns);
  grid.place = {all.x + static_cast<int>((static_cast<float>(all.width) - wide) / 2.0f),
                all.y + static_cast<int>(margin), static_cast<int>(wide), static_cast<int>(height)};
  return grid;
}

Color PagedScene::color_at(double load) const
{
  double const share = (load - low_) / std::max(high_ - low_, 1e-9);
  return palette_color(Palette::viridis, std::clamp(share, 0.0, 1.0));
}

/// In the texture, pages adjoin each other without gaps.
void PagedScene::paint()
{
  std::uint64_t keys = 0;
  for (std::uint32_t const live : seen_.live) { keys += live; }
  double const slots = static_cast<double>(seen_.page_slots) * seen_.pages();
  double const mean = static_cast<double>(keys) / std::max(slots, 1.0);
  // Four standard deviations of a cell's load for randomly spread keys: all but one cell in 15,000 are within.
  double const deviation = 4.0 * std::sqrt(mean / std::max(static_cast<double>(seen_.cell_slots), 1.0));
  low_ = settings_.around_mean ? std::max(mean - deviation, 0.0) : 0.0;
  high_ = settings_.around_mean ? std::min(mean + std::max(deviation, 1e-3), 1.0) : 1.0;
  if (painted_ == std::pair(low_, high_)) { return; }
  painted_ = {low_, high_};
  std::uint32_t const columns = seen_.columns();
  std::uint32_t const rows = seen_.rows();
  std::uint32_t const side = seen_.side();
  std::uint32_t const width = columns * side;
  std::vector<std::uint8_t> pixels(std::size_t{4} * width * rows * side);
  for (std::uint32_t page = 0; page < seen_.pages(); ++page) {
    for (std::uint32_t cell = 0; cell < seen_.cells; ++cell) {
      std::size_t const x = std::size_t{page % columns} * side + cell % side;
      std::size_t const y = std::size_t{page / columns} * side + cell / side;
      double const load = static_cast<double>(seen_.live[std::size_t{page} * seen_.cells + cell]) /
                          static_cast<double>(seen_.slots_of(cell));
      put(&pixels[4 * (y * width + x)], color_at(load), seen_.waits[page] != 0);
    }
  }
  texture_.upload(Texture::Kind::cells, static_cast<int>(width), static_cast<int>(rows * side), pixels);
}

void PagedScene::draw_pages(Look const& look, ImDrawList& list)
{
  if (seen_.pages() == 0) { return; }
  paint();
  PageGrid const grid = grid_on(look);
  auto const columns = static_cast<float>(grid.columns);
  auto const rows = static_cast<float>(seen_.rows());
  for (std::uint32_t page = 0; page < seen_.pages(); ++page) {
    ImVec2 const low = grid.corner_of(page);
    ImVec2 const high = low + grid.page_pixels();
    std::uint32_t const row = page / grid.columns;
    ImVec2 const from{static_cast<float>(page % grid.columns) / columns, static_cast<float>(row) / rows};
    list.AddImage(texture_.id(), low, high, from, {from.x + 1.0f / columns, from.y + 1.0f / rows});
    if (seen_.latest == page) { list.AddRect(low, high, theme::accent, 0.0f, 0, look(2.0f)); }
  }
  draw_tooltip(look, grid);
}

void PagedScene::draw_tooltip(Look const& look, PageGrid const& grid) const
{
  ImVec2 const mouse = ImGui::GetMousePos();
  ImVec2 const at{mouse.x - static_cast<float>(grid.place.x), mouse.y - static_cast<float>(grid.place.y)};
  if (ImGui::GetIO().WantCaptureMouse || at.x < 0.0f || at.y < 0.0f ||
      at.x >= grid.pitch * static_cast<float>(grid.columns)) {
    return;
  }
  auto const page =
      static_cast<std::uint64_t>(at.y / grid.pitch) * grid.columns + static_cast<std::uint64_t>(at.x / grid.pitch);
  float const x = std::fmod(at.x, grid.pitch) / grid.page_pixels() * static_cast<float>(grid.side);
  float const y = std::fmod(at.y, grid.pitch) / grid.page_pixels() * static_cast<float>(grid.side);
  auto const cell = static_cast<std::uint64_t>(y) * grid.side + static_cast<std::uint64_t>(x);
  if (page >= seen_.pages()) { return; }
  auto const number = static_cast<std::uint32_t>(page);
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(
      tr("Page {}: {} keys, α {:.4f}", page, grouped(seen_.keys_of(number)), seen_.load_of(number)).c_str());
  if (x < static_cast<float>(grid.side) && y < static_cast<float>(grid.side) && cell < seen_.cells) {
    std::uint64_t const first = cell * seen_.cell_slots;
    std::uint64_t const slots = seen_.slots_of(static_cast<std::uint32_t>(cell));
    ImGui::TextUnformatted(tr("Slots {} to {} of this page: {} taken", grouped(first), grouped(first + slots - 1),
                              grouped(seen_.live[page * seen_.cells + cell]))
                               .c_str());
  }
  if (seen_.waits[number] != 0) { remark(look, tr("The current batch has not reached it yet.")); }
  ImGui::EndTooltip();
}

std::string PagedScene::title() const
{
  if (!answer_) { return {}; }
  double const slots = static_cast<double>(answer_->slots);
  return tr("{} slots in {} pages, {} of the host's memory · α {:.3f}", grouped(answer_->slots), seen_.pages(),
            bytes_text(answer_->memory_bytes), static_cast<double>(answer_->keys) / slots);
}

void PagedScene::draw_legend(Look const& look, Drawing& drawing) const
{
  SlideLegend legend(look, drawing, legend_);
  std::vector<ScaleMark> marks;
  for (double const share : {0.0, 0.5, 1.0}) {
    marks.push_back({share, fmt::format("{:.{}f}", low_ + share * (high_ - low_), settings_.around_mean ? 4 : 1)});
  }
  legend.word(tr("Load factor of a cell"), 10.0f);
  legend.scale(Palette::viridis, marks);
  legend.word(tr("dim: not reached yet"), 0.0f);
}

void PagedScene::draw_controls(Look const& look)
{
  heading(look, "Table");
  setting_row(look, "slots", settings_, {.shown = grouped(settings_.table.slots), .coarse = true});
  setting_row(look, "pages", settings_);
  setting_row(look, "key_bits", settings_, {.by = ChoiceBy::line});
  setting_row(look, "load_factor", settings_, {.shown = fmt::format("{:.2f}", settings_.load_factor)});
  heading(look, "Lookups");
  setting_row(look, "lookups", settings_, {.shown = grouped(settings_.lookups), .coarse = true});
  float const half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f;
  if (text_button("Present keys", {half, 0.0f})) { ask(LookedUp::present); }
  ImGui::SameLine();
  if (text_button("Absent keys", {half, 0.0f})) { ask(LookedUp::absent); }
  heading(look, "Colours");
  setting_row(look, "around_mean", settings_);
  remark(look,
         device_.backend == Backend::cpu
             ? tr("This processor stands in for a GPU: a batch of any size is divided among the pages of the table, "
                  "which are copied, processed one after another, and copied back if they have changed.")
             : tr("The table is in the host's memory. A batch of any size is divided among its pages, which are copied "
                  "to the GPU one after another, processed there, and copied back if they have changed."));
}

void PagedScene::draw_call(Look const& look, PagedCall const& call) const
{
  PagingReport const& report = call.report;
  PagingReport::Seconds const& seconds = report.seconds;
  heading(look, translated(call.what).c_str());
  if (begin_number_rows("##call")) {
    number_row(look, "Keys", "Keys in the batch", grouped(call.keys));
    number_row(look, "Keys/s", "Keys per second, all steps included",
               short_number(static_cast<double>(call.keys) / std::max(seconds.whole, 1e-9)));
    number_row(look, "In", "Bytes copied to the device: pages and keys", gigabytes(report.bytes.in, seconds.whole));
    number_row(look, "Out", "Bytes copied back: changed pages and results", gigabytes(report.bytes.out, seconds.whole));
    number_row(look, "Pages in, out",
               "Pages copied to the device, and pages copied back. Empty pages need not be copied",
               fmt::format("{}, {}", grouped(report.pages_in), grouped(report.pages_out)));
    ImGui::EndTable();
  }
  ImGui::Dummy({0.0f, look(4.0f)});
  std::array<std::pair<char const*, double>, 5> const parts{{{tr("Dealing"), seconds.deal},
                                                             {tr("Copying in"), seconds.copy_in},
                                                             {tr("Work on pages"), seconds.table},
                                                             {tr("Copying out"), seconds.copy_out},
                                                             {tr("Whole"), seconds.whole}}};
  for (auto const& [name, part] : parts) { seconds_bar(look, name, part, seconds.whole); }
}

void PagedScene::draw_numbers(Look const& look) const
{
  if (!answer_) { return; }
  heading(look, "Table");
  if (begin_number_rows("##paged")) {
    number_row(look, "Slots", "Slots of all pages", grouped(answer_->slots));
    number_row(look, "Keys", "Keys in the table", grouped(answer_->keys));
    number_row(look, "A page", "Slots of a page", grouped(seen_.page_slots));
    number_row(look, "A cell", "Slots drawn as one cell", grouped(seen_.cell_slots));
    ImGui::EndTable();
  }
  if (auto const& found = answer_->looked_up) {
    heading(look, "Lookups");
    if (begin_number_rows("##looked_up")) {
      number_row(look, "Looked up", "Keys in the batch", grouped(found->asked));
      number_row(look, "Found", "Keys found in the table", grouped(found->found));
      number_row(look, "Right", "Correct answers: the key's value, or none if the key is absent",
                 grouped(found->right));
      ImGui::EndTable();
    }
  }
  for (PagedCall const& call : answer_->calls) {
    ImGui::PushID(&call);
    draw_call(look, call);
    ImGui::PopID();
  }
}

void PagedScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  draw_pages(look, list);
  list.AddText({static_cast<float>(canvas().x) + look(14.0f),
                static_cast<float>(canvas().y) - look(title_height - 9.0f)},
               theme::text, title().c_str());
  ScreenDrawing drawing(list, look.font);
  draw_legend(look, drawing);
  if (!frame.bare) {
    draw_sides(
        look, frame.panels.widths, sides_, [&] { draw_controls(look); }, [&] { draw_numbers(look); });
  }
  draw_work(look, canvas());
}

void PagedScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  if (paints && seen_.pages() != 0) {
    PageGrid const grid = grid_on(look);
    for (std::uint32_t page = 0; page < seen_.pages(); ++page) {
      drawing.fill(grid.corner_of(page), grid.corner_of(page) + grid.page_pixels(),
                   packed(color_at(seen_.load_of(page))));
    }
  }
  draw_legend(look, drawing);
}

}  // namespace slotscape
