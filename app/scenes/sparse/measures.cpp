#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/sparse/gui.hpp"
#include "app/simulation/throughput.hpp"
#include "app/table_map/mean_and_max.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/number_rows.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slotscape {
namespace {

std::string offset_text(sparse::Site const& step, bool flat)
{
  auto const axis = [](std::int32_t n) { return n == 0 ? std::string("0") : with_minus(fmt::format("{:+}", n)); };
  std::string text = fmt::format("({}, {}", axis(step.x), axis(step.y));
  return text + (flat ? ")" : fmt::format(", {})", axis(step.z)));
}

/// One square of the cube: the share of outputs that find an input at this offset.
void draw_offset(Look const& look, SparseState& state, std::uint32_t offset, ImVec2 low, float side, double most)
{
  auto const pairs = static_cast<double>(state.snapshot.pairs_per_offset[offset]);
  double const share = pairs / static_cast<double>(std::max<std::uint64_t>(state.snapshot.outputs, 1));
  ImVec2 const high{low.x + side - 1.0f, low.y + side - 1.0f};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, high, packed(palette_color(state.settings.map.palette, most > 0.0 ? pairs / most : 0.0)),
                     look(2.0f));
  bool const pointed = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high);
  if (state.chosen) {
    bool const hit = state.chosen->neighbours[offset] != sparse::no_row;
    ImVec2 const middle{(low.x + high.x) / 2.0f, (low.y + high.y) / 2.0f};
    if (hit) { list.AddCircleFilled(middle, std::max(side * 0.16f, look(2.0f)), theme::panel); }
    if (hit) { list.AddCircleFilled(middle, std::max(side * 0.11f, look(1.2f)), theme::text); }
  }
  if (!pointed) { return; }
  list.AddRect({low.x - 1.0f, low.y - 1.0f}, {high.x + 1.0f, high.y + 1.0f}, theme::text, look(2.0f), 0, look(1.5f));
  state.pointed_offset = offset;
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(tr("offset {}\n{} pairs: {} of the outputs find an input there",
                            offset_text(state.kernel.offset(offset), state.is_flat()),
                            grouped(state.snapshot.pairs_per_offset[offset]), percent(share))
                             .c_str());
  ImGui::EndTooltip();
}

}  // namespace

void sparse_numbers_panel(Look const& look, SparseState const& state)
{
  heading(look, "SITES AND PAIRS");
  sparse::SparseSnapshot const& found = state.snapshot;
  Statistics const& table = state.table.statistics;
  if (!begin_number_rows("numbers")) { return; }
  if (state.points != 0) {
    number_row(look, "Points", "Points of the model: they fall into the cells of the sites.", grouped(state.points));
  }
  if (state.voxel_size > 0.0) {
    number_row(look, "Cell", "Side of a site's cell, in the units of the file.",
               fmt::format("{:.4g} {}", state.voxel_size, clouds::units_text(state.system, tr("units"))));
  }
  number_row(look, "Sites", "Active sites: rows of the input.", grouped(found.sites));
  number_row(look, "Outputs", "Rows of the output.", grouped(found.outputs));
  number_row(look, "Offsets", "Offsets of the kernel: lookups that an output needs.",
             std::to_string(state.kernel.offsets()));
  number_row(look, "Pairs", "Pairs of an input and an output that reads it: the multiplications of a convolution.",
             grouped(found.pairs));
  number_row(look, "Pairs per output", "On average. In a dense tensor, this is the number of kernel offsets.",
             fmt::format("{:.2f}", static_cast<double>(found.pairs) /
                                       static_cast<double>(std::max<std::uint64_t>(found.outputs, 1))));
  number_row(look, "Lookups",
             "Lookups in the table: fewer than outputs × offsets where a neighbour lies outside, is the opposite of "
             "one already found, or is known from the row before.",
             grouped(found.lookups));
  number_row(look, "Kernel map", "A row number for each output and offset.", bytes_text(found.map_bytes));
  number_row(look, "Rulebook", "The same map as pairs, offset by offset: eight bytes each.",
             bytes_text(8 * found.pairs));
  number_row(look, "Slots", "Of the table.", grouped(table.slots));
  number_row(look, "Load factor α", "Sites / slots.", fmt::format("{:.3f}", table.load_factor()));
  number_row(look, "Keys", "Flattened coordinates take 32 or 64 bits, depending on the extents.",
             tr("{} bits", found.key_bits));
  number_row(look, "Accesses, hit", "Memory accesses of a lookup that finds its site: mean / maximum.",
             mean_and_max(table.hit_accesses));
  number_row(look, "Table", "Memory of the table alone.", bytes_text(state.table_bytes));
  ImGui::EndTable();
  if (state.repeated != 0) {
    remark(look, tr("{} rows repeat a site; each site is kept once.", grouped(state.repeated)));
  }
}

void offsets_panel(Look const& look, SparseState& state)
{
  heading(look, "HITS PER OFFSET");
  state.pointed_offset.reset();
  std::vector<std::uint64_t> const& pairs = state.snapshot.pairs_per_offset;
  if (pairs.size() != state.kernel.offsets() || pairs.empty()) { return; }
  std::int32_t const layers = state.kernel.size[2];
  std::int32_t const width = state.kernel.size[0];
  std::int32_t const height = state.kernel.size[1];
  float const gap = look(8.0f);
  float const room = ImGui::GetContentRegionAvail().x - gap * static_cast<float>(layers - 1);
  float const side = std::floor(std::clamp(room / static_cast<float>(layers * width), look(5.0f), look(26.0f)));
  ImVec2 const at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, side * static_cast<float>(height)});
  auto const most = static_cast<double>(*std::ranges::max_element(pairs));
  for (std::uint32_t offset = 0; offset < pairs.size(); ++offset) {
    sparse::Site const step = state.kernel.offset(offset);
    std::int32_t const layer = step.z + state.kernel.centre(2);
    std::int32_t const column = step.x + state.kernel.centre(0);
    std::int32_t const line = height - 1 - (step.y + state.kernel.centre(1));
    draw_offset(look, state, offset,
                {at.x + static_cast<float>(layer) * (side * static_cast<float>(width) + gap) +
                     side * static_cast<float>(column),
                 at.y + side * static_cast<float>(line)},
                side, most);
  }
  auto const outputs = static_cast<double>(std::max<std::uint64_t>(state.snapshot.outputs, 1));
  auto const least = static_cast<double>(*std::ranges::min_element(pairs));
  std::string text = tr("{} to {} of the outputs find an input. ", percent(least / outputs), percent(most / outputs));
  text += layers > 1 ? tr("Layers of the kernel from low to high z; x to the right, y upwards.")
                     : tr("x to the right, y upwards.");
  if (state.chosen) { text += fmt::format(" {}", tr("Dots: where the chosen output finds an input.")); }
  remark(look, text);
}

void sparse_stages_panel(Look const& look, SparseState const& state)
{
  heading(look, "STAGES");
  auto const& seconds = state.snapshot.stage_seconds;
  double const all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  if (!begin_number_rows("stages")) { return; }
  constexpr std::array<char const*, sparse::stage_names.size()> help{
      translatable("Finds every site that reads an active one: candidates go into a table, which removes duplicates."),
      translatable("Puts the flattened coordinates of all input sites into the table, with the numbers of their rows."),
      translatable("Looks up the input that each output reads at each offset.")};
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    number_row(look, sparse::stage_names[i].data(), help[i], milliseconds(seconds[i]));
  }
  number_row(look, "All", "By CUDA events on a GPU, by the clock on a CPU.", milliseconds(all));
  ImGui::EndTable();
  double const map = seconds.back();
  if (map > 0.0) {
    RateBasis const basis{state.snapshot.lookups, map, 1};
    remark(look, tr("{}{} lookups a second.", basis.rough() ? "~" : "",
                    short_number(static_cast<double>(basis.operations) / map)));
    hint(look, text_of(basis));
  }
}

namespace {

/// A chart of one number per layer, for both networks. before: the input's value, plotted at 0; without it, the axis
/// begins at layer 1.
Chart chart_of_layers(SparseState const& state, char const* id, char const* title, char const* unit,
                      std::optional<double> before, double (*number)(sparse::SparseSnapshot const&))
{
  Chart chart{.id = id, .title = title, .x = {translatable("layers"), {before ? 0.0 : 1.0, 2.0}}, .y = {unit, {}}};
  double most = 0.0;
  auto const line_of = [&](std::vector<sparse::SparseSnapshot> const& layers) {
    Line line{.points = {}, .dots = true};
    if (before) { line.points.push_back({0.0, *before}); }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      line.points.push_back({static_cast<double>(i + 1), number(layers[i])});
    }
    for (ChartPoint const& point : line.points) { most = std::max(most, point.y); }
    return line;
  };
  LayerGrowth const growth = state.growth.value_or(LayerGrowth{});
  chart.series.push_back({translatable("submanifold"), theme::accent, line_of(growth.submanifold)});
  int const stride = state.shown ? state.shown->convolution.stride : 1;
  chart.series.push_back({stride == 1 ? std::string(translatable("sparse")) : tr("sparse, stride {}", stride),
                          theme::series[1], line_of(growth.full)});
  if (growth.submanifold.empty()) {
    chart.remark = state.counts_layers          ? translatable("counting…")
                   : state.settings.layers == 0 ? translatable("no layers are counted")
                                                : "";
  }
  chart.x.range.high = std::max(chart.x.range.high, static_cast<double>(growth.submanifold.size()));
  chart.y.range = {0.0, most > 0.0 ? round_up(most) : 1.0};
  chart.reading = [](Chart const& read, ChartCursor const& cursor) { return read_lines(read, cursor); };
  return chart;
}

}  // namespace

void growth_panel(Look const& look, SparseState const& state, Charts& charts)
{
  heading(look, "LAYERS");
  auto const draw = [&](Chart const& chart) {
    charts.draw(look, chart, {ImGui::GetContentRegionAvail().x, std::floor(look(150.0f))});
  };
  std::optional<double> sites;
  if (state.growth && !state.growth->submanifold.empty()) {
    sites = static_cast<double>(state.growth->submanifold.front().sites);
  }
  draw(chart_of_layers(state, "growth", translatable("Sites after each layer"), translatable("sites"), sites,
                       [](sparse::SparseSnapshot const& layer) { return static_cast<double>(layer.outputs); }));
  draw(chart_of_layers(state, "layer_times", translatable("Time of each layer, ms"), "ms", std::nullopt,
                       [](sparse::SparseSnapshot const& layer) {
                         auto const& seconds = layer.stage_seconds;
                         return 1e3 * std::accumulate(seconds.begin(), seconds.end(), 0.0);
                       }));
}

std::string text_of_lookups(ChosenOutput const& chosen)
{
  auto const hits = std::ranges::count_if(chosen.neighbours, [](std::uint32_t row) { return row != sparse::no_row; });
  std::string text = tr("{} lookups, {} found a site", chosen.lookups, hits);
  if (std::size_t const others = chosen.neighbours.size() - chosen.lookups; others != 0) {
    text += tr("\n{} other offsets lie outside the tensor", others);
  }
  return text;
}

std::string text_of_place(SparseState const& state, ChosenOutput const& chosen)
{
  auto const place = [&](sparse::Site const& site) {
    auto const at = [](std::int32_t coordinate) { return with_minus(std::to_string(coordinate)); };
    return state.is_flat() ? fmt::format("x {}, y {}", at(site.x), at(site.y))
                           : fmt::format("x {}, y {}, z {}", at(site.x), at(site.y), at(site.z));
  };
  bool const strides = std::ranges::any_of(state.kernel.stride, [](std::int32_t stride) { return stride != 1; });
  if (!strides) { return place(chosen.site); }
  bool const transposed = state.shown && state.shown->convolution.mode == sparse::Mode::transposed;
  sparse::Site const input = transposed ? state.kernel.coarse(chosen.site) : state.kernel.fine(chosen.site);
  return tr("as output: {}\nas input: {}", place(chosen.site), place(input));
}

std::string text_of_place_in_file(SparseState const& state, ChosenOutput const& chosen)
{
  if (!(state.voxel_size > 0.0)) { return {}; }
  bool const transposed = state.shown && state.shown->convolution.mode == sparse::Mode::transposed;
  sparse::Site const lowest = transposed ? chosen.site : state.kernel.fine(chosen.site);
  auto const middle = [&](std::int32_t cell, std::size_t axis) {
    return state.voxel_size * (cell + 0.5 * (transposed ? 1 : state.kernel.stride[axis]));
  };
  clouds::Position const in_file =
      state.origin + clouds::Position{middle(lowest.x, 0), middle(lowest.y, 1), middle(lowest.z, 2)};
  std::string const place = clouds::text_of_position(in_file, state.voxel_size / 100.0);
  std::string const units = clouds::units_text(state.system);
  return tr("in the file: {}", units.empty() ? place : fmt::format("{} {}", place, units));
}

bool draw_site_card(Look const& look, SparseState const& state, Rectangle const& canvas, CardPlace& card)
{
  ChosenOutput const& chosen = *state.chosen;
  bool const closed = begin_card(look, "##site", canvas, card);
  ImGui::TextUnformatted(tr("Output row {}", grouped(chosen.row)).c_str());
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", text_of_place(state, chosen).c_str());
  if (std::string const place = text_of_place_in_file(state, chosen); !place.empty()) {
    ImGui::TextColored(theme::rgba(theme::text_dim), "%s", place.c_str());
  }
  ImGui::TextUnformatted(text_of_lookups(chosen).c_str());
  end_card();
  return !closed;
}

}  // namespace slotscape
