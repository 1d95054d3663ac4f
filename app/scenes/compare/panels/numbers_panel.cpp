#include "app/base/text.hpp"
#include "app/scenes/compare/gui.hpp"
#include "app/table_scene/report.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr char const* none = "–";

struct Cell {
  std::string text;
  ImU32 color = theme::text;
  std::string what = {};  ///< shown when the mouse is over it
};

void row(Look const& look, CompareState const& state, char const* name, char const* what,
         std::function<Cell(ComparedTable const&)> const& cell)
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", translated(name).c_str());
  hint(look, what);
  for (ComparedTable const& table : state.tables) {
    ImGui::TableNextColumn();
    Cell const shown = cell(table);
    text_right(shown.text == none ? theme::text_faint : shown.color, shown.text);
    if (!shown.what.empty()) { hint(look, shown.what); }
  }
}

/// A mean number of accesses, with as many digits as for a single table.
std::string mean_text(double number)
{
  return number >= 1000.0 ? brief(number) : with_decimals(number, number >= 100.0 ? 1 : number >= 10.0 ? 2 : 3);
}

std::string count_text(std::uint64_t count)
{
  return count < 100'000 ? grouped(count) : brief_number(static_cast<double>(count));
}

/// The prediction of a formula for the mean above, in the colour of theory.
void theory_row(Look const& look, CompareState const& state, std::optional<double> TheoryFit::*predicted,
                Distribution Statistics::*distribution)
{
  std::vector<TheoryFit> fits;
  for (ComparedTable const& table : state.tables) { fits.push_back(theory_fit(table.slots)); }
  auto const has_any = [&](TheoryFit const& fit) { return (fit.*predicted).has_value(); };
  if (std::ranges::none_of(fits, has_any)) { return; }
  std::size_t next = 0;
  row(look, state, "  theory", "The mean that a formula predicts for this load factor, if one is known.",
      [&](ComparedTable const& table) -> Cell {
        TheoryFit const& fit = fits[next++];
        auto const& expected = fit.*predicted;
        if (!expected) { return {none, theme::text_faint, fit.reason}; }
        Distribution const& measured = table.slots.statistics.*distribution;
        std::string const off =
            measured.count == 0 ? std::string()
                                : " " + tr("The measured mean is {}.", distance_from_theory(measured.mean, *expected));
        return {mean_text(*expected), theme::theory, fit.by + off};
      });
}

void distribution_rows(Look const& look, CompareState const& state, std::array<char const*, 3> const& names,
                       Distribution Statistics::*distribution, std::optional<double> TheoryFit::*predicted)
{
  auto const of = [&](ComparedTable const& table) -> Distribution const& {
    return table.slots.statistics.*distribution;
  };
  row(look, state, names[0],
      translatable("Memory accesses of a lookup: reading a slot, a bucket or a slab counts as one."),
      [&](ComparedTable const& table) -> Cell {
        if (of(table).count == 0) { return {none}; }
        Statistics const& statistics = table.slots.statistics;
        if (&of(table) != &statistics.miss_accesses) { return {mean_text(of(table).mean)}; }
        return {fmt::format("{}{}", mark_of_misses(statistics), mean_text(of(table).mean)), theme::text,
                tr("Misses are {}.", remark_on_misses(statistics))};
      });
  theory_row(look, state, predicted, distribution);
  row(look, state, names[1], translatable("99 of 100 lookups make at most this many accesses."),
      [&](ComparedTable const& table) -> Cell {
        if (of(table).count == 0) { return {none}; }
        auto const most = quantile(of(table), 0.99);
        Statistics const& statistics = table.slots.statistics;
        bool const is_marked = most && &of(table) == &statistics.miss_accesses;
        if (is_marked) { return {fmt::format("{}{}", mark_of_miss_p99(statistics), count_text(*most))}; }
        return {most ? count_text(*most) : fmt::format("> {}", brief_number(live_histogram_limit))};
      });
  row(look, state, names[2], translatable("The most accesses of any lookup."),
      [&](ComparedTable const& table) -> Cell { return {of(table).count == 0 ? none : count_text(of(table).max)}; });
}

/// "± 12 %", or the number of runs if it is small.
std::string spread_text(ThroughputCurve::Speed const& speed)
{
  if (speed.spread) { return *speed.spread < 0.005 ? "± < 1 %" : fmt::format("± {:.0f} %", 100.0 * *speed.spread); }
  return speed.runs == 1 ? tr("one run") : tr("{} runs", speed.runs);
}

void speed_rows(Look const& look, CompareState const& state)
{
  constexpr std::array rows{std::pair{translatable("Insert M/s"), RunKind::insert},
                            std::pair{translatable("Find M/s"), RunKind::find},
                            std::pair{translatable("Erase M/s"), RunKind::erase}};
  for (auto const& [name, kind] : rows) {
    row(look, state, name,
        translatable("Millions of successful operations per second (inserting a present key updates it) in the table "
                     "alone: the median of the latest runs near this load factor. The tables are timed in turn. ~ "
                     "marks values based on few operations, or on a few milliseconds."),
        [kind = kind](ComparedTable const& table) -> Cell {
          auto const speed = table.slots.history.throughput.speed_at(table.load_factor, kind);
          if (!speed) { return {none}; }
          return {fmt::format("{}{}", speed->basis.rough() ? "~" : "", brief(speed->mops)), theme::text,
                  text_of(speed->basis)};
        });
    row(look, state, "  spread", "Spread of the middle half of these runs, up and down; needs three runs or more.",
        [kind = kind](ComparedTable const& table) -> Cell {
          auto const speed = table.slots.history.throughput.speed_at(table.load_factor, kind);
          return {speed ? spread_text(*speed) : none};
        });
  }
}

/// Why these speeds differ from those of the bench: empty if no speed is known.
std::string remark_on_runs(CompareState const& state)
{
  RateBasis all;
  for (ComparedTable const& table : state.tables) {
    for (RunKind const kind : {RunKind::insert, RunKind::find, RunKind::erase}) {
      auto const speed = table.slots.history.throughput.speed_at(table.load_factor, kind);
      if (speed) { all = {all.operations + speed->basis.operations, 0.0, all.runs + speed->basis.runs}; }
    }
  }
  if (all.runs == 0) { return {}; }
  return tr(
      "Speeds are measured in runs of about {} operations, in turn with the other tables, and include the overhead of "
      "starting a run. The bench and tuning (F8) time whole batches of one table at a time, which are faster per "
      "operation.",
      short_number(static_cast<double>(all.operations) / static_cast<double>(all.runs)));
}

/// The accesses of the typed key's lookup in each table.
void lookup_row(Look const& look, CompareState const& state)
{
  auto const& first = state.tables.front().slots.selection.lookup;
  if (!first) { return; }
  std::string const what =
      tr("Slots that the lookup of key {} reads, as drawn on the maps; amber if a table does not hold it.",
         key_text(first->key, state.shared.settings.view.keys_as));
  row(look, state, "Lookup", what.c_str(), [](ComparedTable const& table) -> Cell {
    auto const& lookup = table.slots.selection.lookup;
    if (!lookup) { return {none}; }
    std::string const read = count_text(lookup->path.slots.size());
    return {lookup->path.complete ? read : "> " + read, lookup->path.value ? theme::accent : theme::warning};
  });
}

void all_rows(Look const& look, CompareState const& state)
{
  row(look, state, "α", "Load factor: live keys / slots.",
      [](ComparedTable const& table) -> Cell { return {with_decimals(table.load_factor, 3)}; });
  row(look, state, "Keys", "Live keys.", [](ComparedTable const& table) -> Cell { return {count_text(table.live)}; });
  row(look, state, "Tombstones", "Slots of erased keys, which lookups must pass.",
      [](ComparedTable const& table) -> Cell { return {count_text(table.slots.statistics.tombstones)}; });
  distribution_rows(look, state, {translatable("Hits mean"), translatable("Hits p99"), translatable("Hits max")},
                    &Statistics::hit_accesses, &TheoryFit::hit_accesses);
  distribution_rows(look, state, {translatable("Misses mean"), translatable("Misses p99"), translatable("Misses max")},
                    &Statistics::miss_accesses, &TheoryFit::miss_accesses);
  speed_rows(look, state);
  row(look, state, "Bytes / key", "Memory of the table / live keys.", [](ComparedTable const& table) -> Cell {
    auto const live = static_cast<double>(table.live);
    return {live > 0.0 ? brief(static_cast<double>(table.memory_bytes) / live) : none};
  });
  bool const any_rebuilt = std::ranges::any_of(state.tables, [](ComparedTable const& table) {
    return table.slots.statistics.rebuilds != 0;
  });
  if (any_rebuilt) {
    row(look, state, "Rebuilds", "How often insertions have rebuilt the whole table.",
        [](ComparedTable const& table) -> Cell { return {count_text(table.slots.statistics.rebuilds)}; });
  }
  row(look, state, "Not stored",
      "Inserts that found no slot. If any failed, the table holds fewer keys than the others, and each table draws "
      "random live keys from its own.",
      [](ComparedTable const& table) -> Cell {
        return {count_text(table.refused), table.refused > 0 ? theme::warning : theme::text_faint};
      });
}

}  // namespace

std::string brief(double number)
{
  if (number >= 1e4) { return brief_number(number); }
  return with_decimals(number, number >= 100.0 ? 0 : number >= 10.0 ? 1 : 2);
}

void table_swatch(Look const& look, std::size_t table)
{
  float const side = look(17.0f);
  ImVec2 const cursor = ImGui::GetCursorScreenPos();
  ImVec2 const at{cursor.x, cursor.y + std::floor((ImGui::GetFrameHeight() - side) / 2.0f)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + side, at.y + side}, table_color(table), look(4.0f));
  std::string const number = std::to_string(table + 1);
  ImVec2 const size = ImGui::CalcTextSize(number.c_str());
  list.AddText({std::floor(at.x + (side - size.x) / 2.0f), std::floor(at.y + (side - size.y) / 2.0f)}, theme::panel,
               number.c_str());
  ImGui::Dummy({side, ImGui::GetFrameHeight()});
}

void compared_numbers_panel(Look const& look, CompareState& state)
{
  heading(look, "COMPARISON");
  std::vector<TableSettings> const tables = settings_of(state.tables);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {look(3.0f), look(1.5f)});
  bool const drawn = ImGui::BeginTable("numbers", static_cast<int>(tables.size()) + 1,
                                       ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg);
  if (drawn) {
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1.5f);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    for (std::size_t i = 0; i < tables.size(); ++i) {
      ImGui::TableNextColumn();
      align_right(look(17.0f));
      table_swatch(look, i);
      hint(look, fmt::format("{}\n{}", title_of(tables[i]), distinction_of(i, tables)));
    }
    all_rows(look, state);
    lookup_row(look, state);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  if (std::string const remarks = remark_on_runs(state); !remarks.empty()) { remark(look, remarks); }
}

}  // namespace slotscape
