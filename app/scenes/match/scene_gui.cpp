#include "app/base/text.hpp"
#include "app/scenes/match/gui.hpp"
#include "app/scenes/match/scene.hpp"
#include "app/table_map/mean_and_max.hpp"
#include "app/table_map/overlays.hpp"
#include "app/widgets/controls.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {

using matching::Side;

namespace {

constexpr float verdict_height = 34.0f;
constexpr float caption_height = 26.0f;
constexpr double min_pictures_share = 0.38;  ///< share of the height
constexpr double max_pictures_share = 0.62;
constexpr int gap_between_parts = 2;  ///< pixels between the parts

/// Divides `place` into a caption line and a canvas below it.
CaptionedPlace with_caption(Look const& look, Rectangle const& place)
{
  int const caption = static_cast<int>(look(caption_height));
  return {{place.x, place.y, place.width, caption},
          {place.x, place.y + caption, place.width, std::max(place.height - caption, 1)}};
}

/// One of `count` equal parts of a row.
Rectangle part_of(Rectangle const& row, int index, int count)
{
  int const from = row.width * index / count + (index > 0 ? gap_between_parts : 0);
  return {row.x + from, row.y, std::max(row.width * (index + 1) / count - from, 1), row.height};
}

void draw_controls(Look const& look, MatchState& state)
{
  pictures_panel(look, state);
  query_panel(look, state);
  matching_panel(look, state);
  shown_panel(look, state);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(MatchState& state, Frame const& frame)
{
  Look const& look = frame.look;
  if (frame.panels.numbers) {
    candidates_panel(look, state);
    cell_panel(look, state);
    match_numbers_panel(look, state);
  }
  if (frame.panels.plots) {
    video_panel(look, state, frame.charts);
    match_stages_panel(look, state, frame.charts);
    multiplicity_panel(look, state, frame.charts);
  }
  ImGui::Dummy({0.0f, look(8.0f)});
}

/// Begins a strip of text that fills `place`; call ImGui::End.
void begin_strip(Look const& look, char const* id, Rectangle const& place, ImU32 color)
{
  float const height = static_cast<float>(place.height);
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      {look(8.0f), std::floor((height - ImGui::GetTextLineHeight()) / 2.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

void caption(Look const& look, char const* id, Rectangle const& place, ImU32 color, std::string const& name,
             std::string const& text, std::string const& what)
{
  begin_strip(look, id, place, theme::raised);
  ImGui::TextColored(theme::rgba(color), "%s", translated(name).c_str());
  hint(look, what);
  ImGui::SameLine();
  ImGui::TextUnformatted(text.c_str());
  hint(look, what);
  ImGui::End();
}

/// Why no match was found.
std::string why_none(matching::MatchSnapshot const& found)
{
  if (found.features[0] == 0) { return tr("The reference has no edges at this threshold."); }
  if (found.features[1] == 0) { return tr("The query has no edges at this threshold."); }
  return tr("The query, or most of it, is not in the reference.");
}

std::string size_of(MatchState const& state, Side side)
{
  std::size_t const i = index_of(side);
  matching::Picture const& picture = *state.shown->pictures[i];
  std::string text = tr("{} · {} × {} · {} points", label_of_picture(state.shown->query.sources[i]), picture.width,
                        picture.height, grouped(state.shown->features[i].size()));
  if (state.shown->frames[i] > 1) { text += " · " + state.shown->frame_files[i]; }
  return text;
}

}  // namespace

/// The height that the pictures need at this width, as long as enough remains for the views below.
int MatchScene::pictures_height(Look const& look, Rectangle const& place) const
{
  double tallest = 0.75;
  if (state_.shown) {
    tallest = 0.0;
    for (SharedPicture const& picture : state_.shown->pictures) {
      tallest = std::max(tallest, static_cast<double>(picture->height) / picture->width);
    }
  }
  double const wanted = static_cast<double>(look(caption_height)) + place.width / 2.0 * tallest;
  return static_cast<int>(
      std::lround(std::clamp(wanted, min_pictures_share * place.height, max_pictures_share * place.height)));
}

void MatchScene::lay_out(Frame const& frame)
{
  Look const& look = frame.look;
  Rectangle const& window = frame.window;
  Panels const& panels = frame.panels;
  layout_ = {};
  if (frame.bare) {
    place_canvas(window);
    for (int i = 0; i < 2; ++i) {
      layout_.pictures[static_cast<std::size_t>(i)] = with_caption(look, part_of(window, i, 2));
      Rectangle& canvas = layout_.pictures[static_cast<std::size_t>(i)].canvas;
      canvas.height = std::max(canvas.height - static_cast<int>(look(verdict_height)), 1);
    }
    return;
  }
  layout_.sides =
      lay_out_sides(look, panels.widths, window, panels.controls, panels.numbers || panels.plots, min_canvas_width);
  Rectangle const& middle = layout_.sides.middle;
  place_canvas(middle);
  int const verdict = static_cast<int>(look(verdict_height));
  layout_.verdict = {middle.x, middle.y, middle.width, verdict};
  Rectangle above{middle.x, middle.y + verdict, middle.width, std::max(middle.height - verdict, 2)};
  bool const has_map = state_.settings.show_map && (!state_.shown || state_.shown->snapshot.slots > 0);
  int const below_count = (has_map ? 1 : 0) + (state_.settings.show_votes ? 1 : 0);
  Rectangle below = above;
  if (below_count > 0) {
    above.height = pictures_height(look, above);
    below.y += above.height;
    below.height -= above.height;
  }
  for (int i = 0; i < 2; ++i) {
    layout_.pictures[static_cast<std::size_t>(i)] = with_caption(look, part_of(above, i, 2));
  }
  if (has_map) {
    layout_.map = with_caption(look, part_of(below, 0, below_count));
    Rectangle& canvas = layout_.map.canvas;
    int const legend = std::min(static_cast<int>(legend_height(look)), canvas.height - 1);
    canvas.height -= legend;
    layout_.legend = {canvas.x, canvas.y + canvas.height, canvas.width, legend};
  }
  if (state_.settings.show_votes) { layout_.votes = with_caption(look, part_of(below, below_count - 1, below_count)); }
}

void MatchScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  if (!state_.shown || layout_.map.canvas.width == 0) { return; }
  map_.draw_map(presenters[0].buffer(), state_.table, framebuffer_height);
}

void MatchScene::draw_verdict(Look const& look)
{
  begin_strip(look, "##verdict", layout_.verdict, theme::panel);
  if (!state_.shown) {
    ImGui::TextUnformatted(tr("Matching…"));
    return ImGui::End();
  }
  matching::MatchSnapshot const& found = state_.shown->snapshot;
  ImGui::TextColored(theme::rgba(found.found ? found_color : theme::error), "%s",
                     found.found ? tr("Match") : tr("No match"));
  hint(look,
       "The transformation takes the query onto the reference, about the upper left corner of the pictures; turns are "
       "counter-clockwise. The score is the share of the query's edges that then lie on edges of the reference.");
  ImGui::SameLine();
  std::string scores = tr("score {:.2f} · runner-up {:.2f}", found.score(), found.runner_up());
  if (found.candidates.empty()) { scores = tr("no candidates"); }
  std::string const text = found.found ? text_of(found.candidates.front().transformation) : why_none(found);
  ImGui::TextUnformatted(text.c_str());
  float const right = ImGui::GetWindowWidth() - look(8.0f) - ImGui::CalcTextSize(scores.c_str()).x;
  float const end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (right > end + look(12.0f)) {
    ImGui::SameLine(right);
    ImGui::TextColored(theme::rgba(theme::text_dim), "%s", scores.c_str());
  }
  ImGui::End();
}

void MatchScene::draw_captions(Look const& look)
{
  caption(look, "##reference_caption", layout_.pictures[0].caption, reference_color, translatable("Reference"),
          size_of(state_, Side::reference), translatable("Scroll to zoom, drag to move, double-click to show all."));
  caption(look, "##query_caption", layout_.pictures[1].caption, query_color, translatable("Query"),
          size_of(state_, Side::query),
          translatable("Drag the query to move it, with the right button to turn it, at a corner to turn and scale it; "
                       "the wheel scales it. The match follows."));
  if (layout_.map.canvas.width > 0) {
    Statistics const& seen = state_.table.statistics;
    caption(look, "##map_caption", layout_.map.caption, theme::text, translatable("Table"),
            fmt::format("{} · {}", tr("{} cells", grouped(state_.shown->snapshot.keys)), load_and_accesses(seen)),
            tr("{}: the cells of (u, v), each with the number of its list of bases. Click a slot to draw these bases "
               "on the reference.\n\n{}",
               translated(family_of(state_.table).title), translated(family_of(state_.table).idea)));
  }
  if (layout_.votes.canvas.width > 0) {
    std::vector<std::uint32_t> const& votes = state_.shown->votes;
    caption(look, "##votes_caption", layout_.votes.caption, theme::text, translatable("Votes"),
            tr("{} × {} bases · max {}", grouped(state_.shown->bases[1].size()), grouped(state_.shown->bases[0].size()),
               votes.empty() ? 0u : *std::ranges::max_element(votes)),
            translatable("Rows are bases of the query, columns are bases of the reference; each cell shows how many of "
                         "the query's points voted for the pair, and its colour grows with the square of the votes. "
                         "Rings mark the candidates: of pairs that give the same transformation, the one whose edges "
                         "agree best, even if others have more votes. Click to see a pair of bases on the pictures."));
  }
}

void MatchScene::draw_map(Frame const& frame)
{
  Look const& look = frame.look;
  std::optional<Slot> const under_mouse = map_.hovered_slot();
  map_.draw(look, state_.table, [&](Annotator const& on) { draw_links(on, links_, under_mouse); });
  if (under_mouse && state_.hovered && state_.hovered->slot == *under_mouse) {
    ShownCell const& cell = *state_.hovered;
    ImGui::BeginTooltip();
    ImGui::Separator();
    std::uint64_t const items = state_.shown ? state_.shown->snapshot.items : 0;
    ImGui::TextUnformatted(
        tr("Cell u {}, v {}\n{}\nBases {}", cell.bin.u, cell.bin.v, run_text(cell, items), listed_bases(cell.bases, 40))
            .c_str());
    draw_run(look, cell, items);
    ImGui::EndTooltip();
  }
  draw_legend(look, state_.table, map_.camera(), layout_.legend);
  ColorBy const wanted = state_.settings.map.color_by;
  state_.settings.map = state_.table.settings.view;
  state_.settings.map.color_by = wanted;
}

void MatchScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  draw_verdict(look);
  if (state_.shown) {
    draw_captions(look);
    draw_reference(frame);
    draw_query(frame);
    if (layout_.map.canvas.width > 0) { draw_map(frame); }
    if (layout_.votes.canvas.width > 0) { votes_.draw(look, state_); }
  }
  draw_sides(
      look, frame.panels.widths, layout_.sides, [&] { draw_controls(look, state_); },
      [&] { draw_measures(state_, frame); });
  if (state_.progress) { draw_work(look, canvas()); }
  note_changes();
}

}  // namespace slotscape
