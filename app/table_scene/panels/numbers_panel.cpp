#include "app/base/text.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/report.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace slotscape {
namespace {

/// The three states as one bar: live, tombstones and empty.
void load_bar(Look const& look, Statistics const& statistics)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const width = ImGui::GetContentRegionAvail().x;
  float const height = look(10.0f);
  ImGui::Dummy({width, height});
  auto const slots = static_cast<float>(std::max<std::uint64_t>(statistics.slots, 1));
  auto const live = at.x + width * static_cast<float>(statistics.live) / slots;
  auto const used = live + width * static_cast<float>(statistics.tombstones) / slots;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, theme::frame, look(3.0f));
  list.AddRectFilled(at, {live, at.y + height}, packed(live_color), look(3.0f));
  list.AddRectFilled({live, at.y}, {used, at.y + height}, packed(tombstone_color));
}

void count_line(Look const& look, char const* label, ImU32 color, std::uint64_t count, double share)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const side = look(9.0f);
  float const top = at.y + (ImGui::GetTextLineHeight() - side) / 2.0f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, top}, {at.x + side, top + side}, color, look(2.0f));
  list.AddRect({at.x, top}, {at.x + side, top + side}, theme::frame_active, look(2.0f));
  ImGui::Dummy({side, side});
  ImGui::SameLine();
  ImGui::TextUnformatted(tr(label));
  ImGui::SameLine();
  float const percent_width = look(64.0f);
  std::string const number = grouped(count);
  float const room = ImGui::GetContentRegionAvail().x - percent_width - ImGui::CalcTextSize(number.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  ImGui::TextUnformatted(number.c_str());
  ImGui::SameLine();
  text_right(theme::text_dim, percent(share));
}

/// For a table that grows by itself: how far it has grown.
void growth_line(TableState const& state)
{
  FamilyInfo const& family = family_of(state);
  std::uint64_t const used = state.statistics.groups.count;
  if (family.growth == Growth::none || used == 0) { return; }
  TableSettings const& table = state.settings.table;
  bool const has_heads = family.growth == Growth::bucket_by_bucket;
  std::uint64_t const most = has_heads ? table.slots : table.slots / parameter_of(family, table, "bucket");
  std::string const text = has_heads ? tr("{} of {} heads in use", grouped(used), grouped(most))
                                     : tr("{} of {} buckets in use", grouped(used), grouped(most));
  ImGui::TextUnformatted(text.c_str());
}

void load_block(Look const& look, TableState const& state)
{
  Statistics const& statistics = state.statistics;
  heading(look, "LOAD");
  ImGui::PushFont(look.font, look.large);
  ImGui::Text("α %s", with_decimals(statistics.load_factor(), 4).c_str());
  ImGui::PopFont();
  bool const is_chained = statistics.heads != 0;
  hint(look, is_chained ? translatable("Load factor α: live keys / heads.")
                        : translatable("Load factor α: live keys / slots."));
  ImGui::SameLine();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look(6.0f));
  text_right(theme::text_dim, tr("effective load {:.4f}", halves_up(statistics.effective_load())));
  hint(look, is_chained ? translatable("(Live keys + tombstones) / heads: how long chains look to a lookup.")
                        : translatable("(Live keys + tombstones) / slots: how full the table looks to a lookup."));
  load_bar(look, statistics);
  auto const slots = static_cast<double>(std::max<std::uint64_t>(statistics.slots, 1));
  auto const line = [&](char const* label, ImU32 color, std::uint64_t count) {
    count_line(look, label, color, count, static_cast<double>(count) / slots);
  };
  line(translatable("live"), packed(live_color), statistics.live);
  line(translatable("tombstones"), packed(tombstone_color), statistics.tombstones);
  line(is_chained ? translatable("unused nodes") : translatable("empty"), packed(empty_color), statistics.empty());
  char const* const links =
      state.foreign == nullptr ? translatable("links (extra)") : translatable("lost or copied (of live)");
  if (statistics.links > 0) { line(links, packed(link_color), statistics.links); }
  growth_line(state);
}

/// The hint for one shard.
std::string about_shard(TableState const& state, std::size_t shard)
{
  ShardWork const& work = state.shards->shards[shard];
  std::uint64_t const slots = slots_of_shard(state.settings.table);
  double const load = static_cast<double>(work.live) / static_cast<double>(slots);
  return tr("Shard {}: {} live keys in {} slots, α {:.3f}. {} operations of the latest batch, {} of all.", shard,
            grouped(work.live), grouped(slots), halves_up(load), grouped(work.latest), grouped(work.operations));
}

/// One bar per shard: its operations in the latest batch, with a line at the mean. A hot shard stands out.
void shard_bars(Look const& look, TableState const& state)
{
  std::vector<ShardWork> const& shards = state.shards->shards;
  float const width = ImGui::GetContentRegionAvail().x;
  float const height = look(56.0f);
  ImVec2 const corner = ImGui::GetCursorScreenPos();
  auto const count = static_cast<float>(shards.size());
  std::uint64_t most = 1;
  std::uint64_t all = 0;
  for (ShardWork const& shard : shards) {
    most = std::max(most, shard.latest);
    all += shard.latest;
  }
  auto const height_of = [&](double operations) {
    return height * static_cast<float>(operations / static_cast<double>(most));
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float const gap = look(2.0f);
  for (std::size_t i = 0; i < shards.size(); ++i) {
    float const left = corner.x + width * static_cast<float>(i) / count;
    float const right = corner.x + width * static_cast<float>(i + 1) / count - gap;
    ImGui::SetCursorScreenPos({left, corner.y});
    ImGui::Dummy({right - left, height});
    hint(look, about_shard(state, i));
    list.AddRectFilled({left, corner.y}, {right, corner.y + height}, theme::frame, look(2.0f));
    float const top = corner.y + height - height_of(static_cast<double>(shards[i].latest));
    list.AddRectFilled({left, top}, {right, corner.y + height},
                       is_hot(*state.shards, i) ? theme::warning : packed(live_color), look(2.0f));
  }
  float const mean = corner.y + height - height_of(static_cast<double>(all) / count);
  list.AddLine({corner.x, mean}, {corner.x + width, mean}, theme::text_dim);
  ImGui::SetCursorScreenPos({corner.x, corner.y + height});
  ImGui::Dummy({width, look(2.0f)});
}

void shards_block(Look const& look, TableState const& state)
{
  ShardReport const& report = *state.shards;
  heading(look, "SHARDS");
  shard_bars(look, state);
  ImGui::TextUnformatted(tr("Largest / mean: operations {}, keys {}",
                            with_decimals(report.imbalance(&ShardWork::latest), 2),
                            with_decimals(report.imbalance(&ShardWork::live), 2))
                             .c_str());
  hint(look,
       "Operations of the latest batch, and live keys: the fullest shard, relative to the mean. The slowest shard "
       "decides how long a batch takes. 1 is perfect.");
  bool const sent = state.settings.table.devices == ShardDevices::each;
  std::string const crossing = bytes_text(report.bytes.crossing());
  std::string const busiest = bytes_text(report.bytes.busiest());
  remark(look, sent ? tr("{} sent, {} of it over the busiest link", crossing, busiest)
                    : tr("{} would be sent, {} of it over the busiest link", crossing, busiest));
  hint(look,
       sent ? translatable("Bytes of keys and values to other shards' devices, and of results back, since the table "
                           "was cleared. With fewer devices than shards, some are copied within one device.")
            : translatable(
                  "If each shard had a device of its own: bytes of keys and values to other devices, and of results "
                  "back, since the table was cleared. All shards are on one device here, so nothing is sent."));
  double const seconds = std::max(report.seconds.all(), 1e-12);
  remark(look, tr("Time: partition {}, exchange {}, tables {}", percent(report.seconds.partition / seconds),
                  percent(report.seconds.exchange / seconds), percent(report.seconds.table / seconds)));
}

void cell(ImU32 color, std::string const& text)
{
  ImGui::TableNextColumn();
  text_right(color, text);
}

void header(Look const& look, std::initializer_list<char const*> labels)
{
  ImGui::TableNextRow();
  ImGui::PushFont(look.font, look.small);
  for (char const* label : labels) { cell(theme::text_dim, tr(label)); }
  ImGui::PopFont();
}

bool begin_numbers(char const* id, int columns, float first_column)
{
  if (!ImGui::BeginTable(id, columns, ImGuiTableFlags_SizingStretchProp)) { return false; }
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, first_column);
  for (int i = 1; i < columns; ++i) { ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthStretch, 1.0f); }
  return true;
}

void row_name(Look const& look, std::string const& name, std::string const& what)
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(translated(name).c_str());
  hint(look, what);
}

std::string hint_of_column(std::string_view label)
{
  if (label == "mean") { return tr("The mean over all of them."); }
  if (label == "theory") {
    return tr("The mean that a formula predicts for this load factor; the row's name says which formula.");
  }
  if (label == "p99") { return tr("The 99th percentile: 99 of 100 are at most this."); }
  return tr("The largest of all.");
}

/// The unit of the following rows; above the first unit, also the column headings.
void unit_row(Look const& look, std::string_view unit, std::initializer_list<char const*> labels = {})
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushFont(look.font, look.small);
  float const room = ImGui::GetContentRegionAvail().x;
  std::string const said = translated(unit);
  ImVec2 const at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({1.0f, ImGui::CalcTextSize(said.c_str(), nullptr, false, room).y});
  ImGui::GetWindowDrawList()->AddText(look.font, look.small, at, theme::text_faint, said.c_str(), nullptr, room);
  for (char const* label : labels) {
    cell(theme::text_dim, tr(label));
    ImGui::PopFont();
    hint(look, hint_of_column(label));
    ImGui::PushFont(look.font, look.small);
  }
  ImGui::PopFont();
}

std::string number_or_dash(std::optional<double> number)
{
  if (!number) { return "–"; }
  return *number >= 1000.0 ? short_number(*number) : with_decimals(*number, 3);
}

std::string count_or_dash(std::optional<std::uint64_t> number)
{
  if (!number) { return "–"; }
  return *number >= 100000 ? short_number(static_cast<double>(*number)) : grouped(*number);
}

/// The values in a row of the table of measures; nullopt if unknown.
struct MeasuredRow {
  std::optional<double> mean;
  std::optional<double> theory;
  std::optional<std::uint64_t> p99;
  std::optional<std::uint64_t> max;
  std::optional<double> expected_max = {};
  std::string_view mark = {};  ///< mark in front of the mean
  std::string_view p99_mark = {};
};

/// How far the row is from theory, as the end of a sentence.
std::string compared_with_theory(MeasuredRow const& row)
{
  std::string text;
  if (row.mean && row.theory) { text += " " + tr("The mean is {}.", distance_from_theory(*row.mean, *row.theory)); }
  if (row.max && row.expected_max) {
    text += " " + tr("A maximum of {} is expected.", short_number(*row.expected_max));
  }
  return text;
}

MeasuredRow row_of(Distribution const& distribution, std::optional<double> theory = std::nullopt,
                   std::optional<double> expected_max = std::nullopt)
{
  if (distribution.count == 0) { return {std::nullopt, theory, std::nullopt, std::nullopt}; }
  return {distribution.mean, theory, quantile(distribution, 0.99), distribution.max, expected_max};
}

void measured_row(Look const& look, std::string const& name, std::string const& what, MeasuredRow const& row)
{
  std::string const about = what + compared_with_theory(row);
  row_name(look, name, about);
  auto const number = [&](ImU32 color, std::string const& text) {
    cell(color, text);
    hint(look, about);
  };
  number(theme::text, row.mean ? fmt::format("{}{}", row.mark, number_or_dash(row.mean)) : "–");
  number(row.theory ? theme::theory : theme::text_faint, number_or_dash(row.theory));
  number(theme::text, fmt::format("{}{}", row.p99 ? row.p99_mark : "", count_or_dash(row.p99)));
  number(theme::text, count_or_dash(row.max));
}

void measure_rows(Look const& look, FamilyInfo const& family, Statistics const& statistics, TheoryFit const& fit)
{
  std::string const name = translated(family.measure.name);
  unit_row(look, family.measure.unit,
           {translatable("mean"), translatable("theory"), translatable("p99"), translatable("max")});
  measured_row(look, name, tr("{} of the live keys, in {}. {}", name, translated(family.measure.unit), fit.by),
               row_of(statistics.probe_length, fit.measure_mean, fit.largest_measure));
  row_name(look, "Std. deviation", tr("Standard deviation of the {} over the live keys. {}", name, fit.by));
  cell(theme::text, number_or_dash(deviation(statistics.probe_length)));
  cell(fit.measure_deviation ? theme::theory : theme::text_faint, number_or_dash(fit.measure_deviation));
  if (fit.measure_bound) {
    row_name(look, "Bound", fit.by);
    for (int skipped = 0; skipped < 3; ++skipped) { ImGui::TableNextColumn(); }
    cell(theme::theory, grouped(static_cast<std::uint64_t>(*fit.measure_bound)));
  }
}

void access_rows(Look const& look, Statistics const& statistics, TheoryFit const& fit)
{
  MeasuredRow misses = row_of(statistics.miss_accesses, fit.miss_accesses);
  misses.mark = mark_of_misses(statistics);
  misses.p99_mark = mark_of_miss_p99(statistics);
  unit_row(look, translatable("memory accesses"));
  measured_row(
      look, "Hit",
      tr("Memory accesses of a lookup that finds its key: reading a slot, a bucket, a window or a slab counts as "
         "one. Comparable between families. {}",
         fit.by),
      row_of(statistics.hit_accesses, fit.hit_accesses));
  measured_row(look, "Miss",
               tr("Memory accesses of a lookup for an absent key ({}). {}", remark_on_misses(statistics), fit.by),
               misses);
}

void cluster_rows(Look const& look, Statistics const& statistics, TheoryFit const& fit)
{
  auto const slots = static_cast<double>(statistics.slots);
  double const taken = taken_slots(statistics);
  auto const predicted = [&](double number) { return fit.clusters ? std::optional(number) : std::nullopt; };
  unit_row(look, translatable("slots"));
  measured_row(look, "Cluster length",
               tr("Slots in a maximal run of non-empty slots. Theory: Knuth 1963, for this number of slots; for many "
                  "slots, Borel(α), which also counts the empty slot after it."),
               row_of(statistics.clusters, predicted(theory::mean_cluster_length(slots, taken)), fit.longest_cluster));
  row_name(look, "Clusters", translatable("Number of maximal runs of non-empty slots."));
  cell(theme::text, short_number(static_cast<double>(statistics.clusters.count)));
  auto const expected = predicted(theory::expected_clusters(slots, taken));
  cell(expected ? theme::theory : theme::text_faint, expected ? short_number(*expected) : std::string("–"));
}

void other_rows(Look const& look, Measure const& measure, Distribution const& distribution,
                std::optional<double> expected_max = std::nullopt)
{
  if (measure.name.empty() || distribution.count == 0) { return; }
  unit_row(look, measure.unit);
  measured_row(look, std::string(measure.name), tr("{}, in {}.", translated(measure.name), translated(measure.unit)),
               row_of(distribution, std::nullopt, expected_max));
}

void rebuild_row(Look const& look, Statistics const& statistics)
{
  if (statistics.rebuilds == 0) { return; }
  row_name(look, "Rebuilds",
           translatable("How often insertions have rebuilt the whole table since it was cleared or rehashed: with "
                        "other hash functions, other tombstones or, if it is static, new keys."));
  cell(theme::text, grouped(statistics.rebuilds));
}

/// How the table was built, if that affects p99 and the maximum, with a button to build it by insertion instead.
void origin_of_table(Look const& look, TableState& state)
{
  if (!state.run.rehashed || !order_matters(family_of(state))) { return; }
  remark(look, rehash_shortens_tails(family_of(state), state.statistics.slots)
                   ? tr("A rehash put these keys in place, in the order of their old slots. The mean is the same for "
                        "any order; p99 and max are usually lower than in a table built by inserting the keys.")
                   : tr("A rehash put these keys in place, in the order of their old slots. Inserting them in their "
                        "original order would change p99 and max."));
  if (ImGui::SmallButton(translated_label("Build by insertion").c_str())) { ask_for_table(state, asked_of(state)); }
  hint(look, "Rebuilds the same table by inserting its keys in their original order.");
}

void structure_block(Look const& look, TableState& state)
{
  heading(look, "MEASUREMENT AND THEORY");
  Statistics const& statistics = state.statistics;
  FamilyInfo const& family = family_of(state);
  TheoryFit const fit = theory_fit(state);
  if (!begin_numbers("structure", 5, 1.9f)) { return; }
  if (!family.measure.name.empty()) { measure_rows(look, family, statistics, fit); }
  access_rows(look, statistics, fit);
  if (family.clusters) { cluster_rows(look, statistics, fit); }
  other_rows(look, family.groups, statistics.groups, fit.fullest_group);
  other_rows(look, family.moves, statistics.moves);
  rebuild_row(look, statistics);
  ImGui::EndTable();
  if (statistics.moves.count != 0) {
    remark(look, tr_plural("{}: of the {} insertion that moved a key.", "{}: of the {} insertions that moved a key.",
                           statistics.moves.count, translated(family.moves.name), grouped(statistics.moves.count)));
    if (!family.moves.remark.empty()) { remark(look, std::string(family.moves.remark)); }
  }
  constexpr double hardly_matters = 0.999;
  if (fit.measure_mean && fit.without_replacement < hardly_matters) {
    remark(look, tr("Theory takes into account that {}-bit keys have different hashes: probe lengths × {:.4f}.",
                    state.settings.table.key_bits, fit.without_replacement));
  }
  if (fit.load_threshold) {
    remark(look, tr("Load threshold with these settings: α {:.4f}.", halves_up(*fit.load_threshold)));
  }
  std::string_view const mark = mark_of_misses(statistics);
  if (!mark.empty()) { remark(look, tr("{} Misses are {}.", mark, remark_on_misses(statistics))); }
  if (!fit.reason.empty()) { remark(look, fit.reason); }
  origin_of_table(look, state);
}

/// A wall-clock rate; a rate with little data behind it is marked.
void rate_cell(Look const& look, RateMeter::Rates const& rates, double rate, ImU32 color, char const* what)
{
  RateBasis const basis = rates.basis_of(rate);
  bool const any = rate > 0.0;
  bool const rough = any && basis.rough();
  cell(any ? color : theme::text_faint, fmt::format("{}{}", rough ? "~" : "", short_number(rate)));
  std::string const of_what = tr("{} a second of wall-clock time, over the last second.", tr(what));
  hint(look, any ? fmt::format("{} {}", of_what, text_of(basis)) : of_what);
}

void speed_block(Look const& look, TableState const& state)
{
  heading(look, "SPEED");
  RateMeter::Rates const rates = state.history.rates.rates(state.now);
  if (!begin_numbers("speed", 4, 1.45f)) { return; }
  header(look, {"", translatable("insert"), translatable("find"), translatable("erase")});
  row_name(look, "Operations/s",
           translatable(
               "Over the last second, by kind: new keys inserted, lookups answered, keys erased. In a mix, an erase "
               "that misses counts as a find. ~ marks rates based on few operations, or on a few milliseconds."));
  rate_cell(look, rates, rates.insert, theme::text, translatable("New keys"));
  rate_cell(look, rates, rates.find, theme::text, translatable("Lookups"));
  rate_cell(look, rates, rates.erase, theme::text, translatable("Erased keys"));
  row_name(look, "Others/s",
           tr("Operations that left the number of keys unchanged: inserts that updated a key ({}/s) or were "
              "refused ({}/s), and erases of absent keys ({}/s).",
              short_number(rates.updated), short_number(rates.refused), short_number(rates.absent)));
  rate_cell(look, rates, rates.updated + rates.refused, theme::warning, translatable("Updates and refused inserts"));
  rate_cell(look, rates, 0.0, theme::warning, translatable("Finds"));
  rate_cell(look, rates, rates.absent, theme::warning, translatable("Erases of absent keys"));
  header(look, {"", translatable("total"), translatable("analysis"), translatable("present")});
  row_name(
      look, "Frame",
      translatable(
          "Median of recent frames: the whole frame; device time from table to finished picture and statistics; CPU "
          "time to hand the picture to OpenGL."));
  for (double const seconds : {state.frames.frame, state.frames.analyse, state.frames.present}) {
    cell(theme::text, milliseconds(seconds));
  }
  ImGui::EndTable();
}

}  // namespace

void numbers_panel(Look const& look, TableState& state)
{
  load_block(look, state);
  if (state.shards) { shards_block(look, state); }
  structure_block(look, state);
  if (state.foreign == nullptr) { speed_block(look, state); }
}

}  // namespace slotscape
