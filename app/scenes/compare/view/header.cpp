#include "app/scenes/compare/gui.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/report.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace slotscape {
namespace {

constexpr float editor_width = 330.0f;

void change_popup(Look const& look, CompareState& state, std::size_t table)
{
  ImGui::SetNextWindowSize({look(editor_width), 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(12.0f)});
  bool const open = ImGui::BeginPopup("change");
  ImGui::PopStyleVar();
  if (!open) { return; }
  std::vector<TableSettings> tables = asked_of(state.tables);
  if (edit_table(look, state.shared, tables[table])) { ask_for_tables(state, tables); }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
}

void buttons(Look const& look, CompareState& state, std::size_t table)
{
  bool const may_go = state.tables.size() > min_compared;
  float const gap = look(4.0f);
  float const side = ImGui::GetFrameHeight();
  float const change = ImGui::CalcTextSize("Change").x + look(16.0f);
  ImGui::SameLine();
  align_right(change + (may_go ? gap + side : 0.0f));
  if (text_button("Change", {change, 0.0f})) { ImGui::OpenPopup("change"); }
  hint(look, "Change the family, deletion, hash or other settings of this table.");
  change_popup(look, state, table);
  if (!may_go) { return; }
  ImGui::SameLine(0.0f, gap);
  if (icon_button(look, "remove", Icon::close, {side, side})) {
    std::vector<TableSettings> tables = asked_of(state.tables);
    tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(table));
    ask_for_tables(state, tables);
  }
  hint(look, "Remove this table.");
}

bool fits(ImFont* font, float size, std::string const& text, float room)
{
  return font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.c_str()).x <= room;
}

/// The text, truncated with "…" if it is wider than `room`.
std::string cut_to(ImFont* font, float size, std::string text, float room)
{
  if (fits(font, size, text, room)) { return text; }
  while (!text.empty() && !fits(font, size, text + "…", room)) {
    do {
      text.pop_back();
    } while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0u) == 0x80u);
  }
  return text + "…";
}

/// All settings and guarantees of a table.
std::string about_table(TableSettings const& table, std::string const& subtitle)
{
  FamilyInfo const& info = family_info(table.family);
  std::string about = fmt::format("{}{}{}\n\n{}\n{}\n", title_of(table), subtitle.empty() ? "" : ": ", subtitle,
                                  translated(info.idea), info.source);
  for (GuaranteeText const& guarantee : guarantee_texts(guarantees_of(info, table))) {
    about += fmt::format("\n{}: {}", translated(guarantee.about), guarantee.text);
  }
  return about;
}

/// Draws the title, up to the buttons, and below both what distinguishes the table, and its hash. Hovering shows the
/// full text.
void name(Look const& look, CompareState const& state, std::size_t table, float room)
{
  std::vector<TableSettings> const tables = settings_of(state.tables);
  std::string const subtitle = subtitle_of(table, tables);
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const height = ImGui::GetFrameHeight();
  ImGui::InvisibleButton("name", {std::max(room, 1.0f), height}, ImGuiButtonFlags_EnableNav);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 const low = ImGui::GetWindowPos();
  ImVec2 const high{low.x + ImGui::GetWindowWidth(), low.y + ImGui::GetWindowHeight()};
  float const below = high.y - look.small - look(4.0f);
  list.PushClipRect(low, high);
  list.AddText({at.x, std::floor(at.y + (height - look.body) / 2.0f)}, theme::text,
               cut_to(look.font, look.body, title_of(tables[table]), room).c_str());
  list.AddText(look.font, look.small, {at.x, std::floor(below)}, theme::text,
               cut_to(look.font, look.small, subtitle, high.x - at.x - look(6.0f)).c_str());
  list.PopClipRect();
  hint(look, about_table(tables[table], subtitle));
}

/// The table's mean accesses and what distinguishes it: "hits 1.50, misses 2.50 accesses · hash: murmur3".
std::string about_slide(std::string const& distinction, Statistics const& statistics, bool with_means)
{
  std::string means;
  bool const has_means = statistics.hit_accesses.count != 0 && statistics.miss_accesses.count != 0;
  if (with_means && has_means) {
    means = tr("hits {}, misses {}{} accesses", brief(statistics.hit_accesses.mean), mark_of_misses(statistics),
               brief(statistics.miss_accesses.mean));
  }
  return distinction.empty() || means.empty() ? means + distinction : fmt::format("{} · {}", means, distinction);
}

}  // namespace

void draw_slide_header(Look const& look, Drawing& drawing, CompareState const& state, std::size_t table,
                       Rectangle const& place, bool with_means)
{
  std::vector<TableSettings> const tables = settings_of(state.tables);
  ImVec2 const at{static_cast<float>(place.x) + look(14.0f), static_cast<float>(place.y)};
  float const room = static_cast<float>(place.width) - look(20.0f);
  ImU32 const color = theme::text_on(look.background);
  double const load = state.tables[table].slots.statistics.load_factor();
  std::string const number = fmt::format(" · α {:.2f}", halves_up(load));  // is never cut off, unlike the title
  std::string title = title_of(tables[table]);
  float const letters = fits(look.font, look.large, title + number, room) ? look.large : look.body;
  float const beside = look.font->CalcTextSizeA(letters, FLT_MAX, 0.0f, number.c_str()).x;
  title = cut_to(look.font, letters, title, room - beside) + number;
  drawing.text({at.x, at.y + look(2.0f) + look.large - letters}, letters, color, title);
  std::string const about =
      about_slide(distinction_of(table, tables), state.tables[table].slots.statistics, with_means);
  float const size = fits(look.font, look.body, about, room) ? look.body : look.small;
  drawing.text({at.x, at.y + look(3.0f) + look.large}, size, color, cut_to(look.font, size, about, room));
}

void draw_header(Look const& look, CompareState& state, std::size_t table, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(10.0f), look(4.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin(fmt::format("##header{}", table).c_str(), nullptr, strip_flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  table_swatch(look, table);
  ImGui::SameLine();
  bool const may_change = !state.shared.steps.on;
  bool const may_go = state.tables.size() > min_compared;
  float const controls = ImGui::CalcTextSize("Change").x + look(32.0f) + (may_go ? ImGui::GetFrameHeight() : 0.0f);
  name(look, state, table, ImGui::GetContentRegionAvail().x - (may_change ? controls : 0.0f));
  if (may_change) { buttons(look, state, table); }
  ImGui::End();
}

}  // namespace slotscape
