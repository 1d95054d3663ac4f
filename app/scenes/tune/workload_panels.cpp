#include "app/base/text.hpp"
#include "app/scenes/tune/gui.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/key_settings.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

constexpr double min_keys = 1000.0;
constexpr double max_growth = 20.0;
constexpr double min_bytes = 4.0;
constexpr double max_bytes = 64.0;

/// Two digits are enough while dragging.
std::uint64_t rounded_count(double count)
{
  double const unit = count < 100.0 ? 1.0 : std::pow(10.0, std::floor(std::log10(count)) - 1.0);
  return static_cast<std::uint64_t>(std::max(std::round(count / unit) * unit, 1.0));
}

std::string time_text(double seconds)
{
  return seconds < 90.0 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.1f} min", seconds / 60.0);
}

void preset_row(Look const& look, TuneSettings& settings)
{
  row_label(look, "Preset");
  auto const presets = tuning::presets();
  auto const here = std::ranges::find(presets, settings.workload, &tuning::Preset::workload);
  std::string const shown = here == presets.end() ? std::string("Choose…") : here->workload.name;
  if (!ImGui::BeginCombo("##preset", shown.c_str(), ImGuiComboFlags_HeightLargest)) {
    hint(look, here == presets.end() ? std::string("Workloads that people recognise. N shows the next one.")
                                     : std::string(here->what));
    return;
  }
  for (tuning::Preset const& preset : presets) {
    if (ImGui::Selectable(preset.workload.name.c_str(), preset.workload == settings.workload)) {
      settings.workload = preset.workload;
    }
    hint(look, std::string(preset.what));
  }
  ImGui::EndCombo();
}

std::uint64_t keys_of_file(tuning::Workload const& workload)
{
  bool const is_file = workload.source.distribution == KeyDistribution::file && workload.source.file_keys;
  return is_file ? workload.source.file_keys->size() : 0;
}

void count_row(Look const& look, tuning::Workload& workload)
{
  row_label(look, "Number");
  std::uint64_t const in_file = keys_of_file(workload);
  double const most = static_cast<double>(in_file > 0 ? in_file : max_slots / 2);
  double count = workload.keys == 0 ? most : static_cast<double>(workload.keys);
  bool const all = in_file > 0 && workload.keys == 0;
  std::string const text = all ? fmt::format("all {}", grouped(in_file)) : grouped(workload.keys);
  if (slider(look, "##count", count, std::min(min_keys, most), most, text, true)) {
    std::uint64_t const wanted = rounded_count(count);
    workload.keys = in_file > 0 && wanted >= in_file ? 0 : wanted;
  }
  if (workload.join) { return hint(look, "Rows of the build side. Ctrl+click to type a number."); }
  hint(look, "Insertions that fill the table now. Ctrl+click to type a number.");
  row_label(look, "Growth");
  slider(look, "##growth", workload.growth, 1.0, max_growth, fmt::format("{:.2g}×", workload.growth), true);
  hint(look, "The table must hold this many times as many later; it is measured at that size.");
}

void source_rows(Look const& look, TuneState& state)
{
  tuning::Workload& workload = state.settings.workload;
  row_label(look, "Keys");
  float const button = ImGui::CalcTextSize("Open…").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  KeySettings wanted = workload.source;
  bool const changed = choose("##distribution", wanted.distribution);
  hint(look, "What the keys look like: a pattern, or your own file.");
  if (changed && wanted.distribution == KeyDistribution::file && !wanted.file_keys) {
    state.ask(AskForKeys{});
  } else if (changed) {
    workload.source = wanted;
    if (wanted.distribution != KeyDistribution::file && workload.keys == 0) { workload.keys = tuning::Workload{}.keys; }
  }
  ImGui::SameLine();
  if (ImGui::Button("Open…")) { state.ask(AskForKeys{}); }
  hint(
      look,
      "A file with your keys (Ctrl+O, or drop it on the window): text with one a line, a column of a CSV file, a NumPy "
      "array, or little-endian words (.u32, .u64).");
  if (workload.source.distribution != KeyDistribution::file) { key_parameter_rows(look, workload.source); }
  remark(look, describe_keys(workload.source, workload.key_bits));
}

void width_row(Look const& look, tuning::Workload& workload)
{
  std::array<std::string, 2> const widths{"32", "64"};
  int chosen = workload.key_bits == 64 ? 1 : 0;
  row_label(look, "Key bits");
  if (pick(look, "key_bits", widths, chosen)) { workload.key_bits = chosen == 1 ? 64 : 32; }
  hint(look, "Width of keys and of values.");
}

void combine_choice(Look const& look, tuning::Workload& workload)
{
  row_label(look, "Repeats");
  choose("##combine", workload.combine);
  hint(look, "What inserting a key that is there makes of its value.");
}

void share_row(Look const& look, char const* label, char const* id, double& share, double all, std::string const& what)
{
  row_label(look, label);
  double const highest = std::max(1.0, all);
  double const part = all > 0.0 ? share / all : 0.0;
  slider(look, id, share, 0.0, highest, fmt::format("{:.0f} %", 100.0 * part));
  hint(look, what);
}

void probe_file_row(Look const& look, TuneState& state, tuning::JoinSides& join)
{
  row_label(look, "Probe side");
  bool const is_file = join.probes_file();
  if (ImGui::Button("Open…##probe")) { state.ask(AskForProbe{}); }
  hint(look, "A file with the keys of the probe side; then the build side must come from a file, too.");
  if (is_file) {
    ImGui::SameLine();
    if (ImGui::Button("Draw its rows")) {
      join.probe = {};
      join.probe_rows = 0;
      return;
    }
    hint(look, "Rows that are drawn instead of the file's.");
    ImGui::PushID("probe");
    if (auto const column = column_row(look, join.probe)) { state.ask(UseProbeColumn{*column}); }
    ImGui::PopID();
    for (std::string const& finding : key_findings(join.probe)) { remark(look, finding); }
  }
  remark(look, is_file ? join.probe.file_name.substr(join.probe.file_name.rfind('/') + 1) : "Its rows are drawn.");
}

void drawn_rows(Look const& look, tuning::Workload& workload)
{
  constexpr double most_rows_per_key = 1024.0;
  constexpr double most_skew = 2.0;
  tuning::JoinSides& join = *workload.join;
  if (workload.source.distribution != KeyDistribution::file) {
    row_label(look, "Rows a key");
    auto rows = static_cast<double>(join.rows_per_key);
    if (slider(look, "##rows_per_key", rows, 1.0, most_rows_per_key, grouped(join.rows_per_key), true)) {
      join.rows_per_key = rounded_count(rows);
    }
    hint(look, "Rows of the build side that share a key. From 2 on, they lie together in a multi-value table.");
  }
  if (join.probes_file()) { return; }
  row_label(look, "Match");
  slider(look, "##match", join.match, 0.0, 1.0, percent(join.match));
  hint(look, "The share of probe rows whose key the build side has.");
  row_label(look, "Skew");
  slider(look, "##skew", join.skew, 0.0, most_skew, fmt::format("{:.2g}", join.skew));
  hint(look, "How unequal the keys of these rows are: Zipf's exponent; 0: all alike.");
}

/// Kind and probe side of a join.
void join_rows(Look const& look, TuneState& state)
{
  tuning::Workload& workload = state.settings.workload;
  tuning::JoinSides& join = *workload.join;
  row_label(look, "Kind");
  choose("##kind", join.kind);
  hint(look,
       "Inner: each probe row with every build row that has its key; left: those without one, too; semi: probe rows "
       "that have one; anti: those that have none. Semi and anti joins are served by sets.");
  probe_file_row(look, state, join);
  row_label(look, "Rows");
  constexpr auto most = static_cast<double>(joins::max_rows);
  auto rows = static_cast<double>(workload.probe_rows());
  if (slider(look, "##probe_rows", rows, min_keys, most, grouped(workload.probe_rows()), true)) {
    join.probe_rows = std::min(rounded_count(rows), joins::max_rows);
  }
  hint(look, "Rows of the probe side; of a file, its first ones. Ctrl+click to type a number.");
  drawn_rows(look, workload);
}

/// Operations give way to a join, or come back.
void join_choice(Look const& look, tuning::Workload& workload)
{
  bool joins = workload.join.has_value();
  if (ImGui::Checkbox("A join of two columns", &joins)) {
    workload.join = joins ? std::optional(tuning::JoinSides{}) : std::nullopt;
    bool const repeats = workload.source.distribution == KeyDistribution::zipf;
    if (joins && repeats) { workload.source.distribution = KeyDistribution::uniform; }
  }
  hint(look,
       "The keys are the build side, which goes into the table once; then each row of the probe side is looked "
       "up, and the rows of the result are written.");
}

void batch_row(Look const& look, tuning::Workload& workload)
{
  row_label(look, "Batch");
  constexpr double most = 1 << 28;
  double batch = workload.batch == 0 ? most : static_cast<double>(workload.batch);
  std::string const text = workload.batch == 0 ? std::string("as many as there are") : grouped(workload.batch);
  if (slider(look, "##batch", batch, 64.0, most, text, true)) {
    workload.batch = batch >= most ? 0 : rounded_count(batch);
  }
  hint(look, "Operations that are submitted together. At the right end: as many as there are.");
}

}  // namespace

void workload_panel(Look const& look, TuneState& state)
{
  heading(look, "WORKLOAD");
  preset_row(look, state.settings);
  row_label(look, "Name");
  ImGui::InputText("##name", &state.settings.workload.name);
}

void keys_of_workload_panel(Look const& look, TuneState& state)
{
  heading(look, "KEYS");
  tuning::Workload& workload = state.settings.workload;
  source_rows(look, state);
  if (auto const column = column_row(look, state.settings.workload.source)) { state.ask(UseColumn{*column}); }
  for (std::string const& finding : key_findings(workload.source)) { remark(look, finding); }
  count_row(look, workload);
  width_row(look, workload);
}

void operations_panel(Look const& look, TuneState& state)
{
  heading(look, "OPERATIONS");
  tuning::Workload& workload = state.settings.workload;
  join_choice(look, workload);
  if (workload.join) { return join_rows(look, state); }
  double const all = workload.operations();
  share_row(look, "Insertions", "##insert", workload.insert, all, "The share of insertions among all operations.");
  share_row(look, "Hits", "##hit", workload.hit, all, "The share of lookups of keys that are there.");
  share_row(look, "Misses", "##miss", workload.miss, all, "The share of lookups of keys that are not there.");
  share_row(look, "Erasures", "##erase", workload.erase, all,
            "The share of erasures. With as many insertions, keys come and go and the load stays.");
  batch_row(look, workload);
  bool const changed = ImGui::Checkbox("Keys have values", &workload.values);
  if (changed && !workload.values) { workload.combine = Combine::replace; }
  hint(look, "Without values, sets are measured: they take half the memory. Families that have none are left out.");
  if (workload.values) { combine_choice(look, workload); }
  ImGui::Checkbox("All kinds at once", &workload.at_once);
  hint(look,
       "Operations of different kinds run together, in one batch. Tables that cannot do that are left out, and the mix "
       "is timed as a whole.");
}

void limits_panel(Look const& look, TuneState& state)
{
  heading(look, "LIMITS");
  tuning::Workload& workload = state.settings.workload;
  bool limited = workload.max_bytes > 0.0;
  if (ImGui::Checkbox("##limited", &limited)) { workload.max_bytes = limited ? 16.0 : 0.0; }
  hint(look, "The table must not take more memory a key. Then the fastest table within it is the answer.");
  ImGui::SameLine();
  row_label(look, "Bytes");
  double bytes = limited ? workload.max_bytes : max_bytes;
  std::string const text = limited ? fmt::format("{:.1f} B/key", bytes) : std::string("any");
  if (slider(look, "##bytes", bytes, min_bytes, max_bytes, text, true)) { workload.max_bytes = bytes; }
  setting_row(look, "seconds", state.settings, {.shown = time_text(state.settings.budget_seconds)});
}

void present_panel(Look const& look, TuneState& state)
{
  heading(look, "WHAT YOU USE NOW");
  tuning::Workload& workload = state.settings.workload;
  bool known = workload.present.has_value();
  if (ImGui::Checkbox("Compare with it", &known)) {
    workload.present = known ? std::optional(tuning::Present{}) : std::nullopt;
  }
  hint(look, "A table that is in use already is measured, too, and the answer says how much there is to gain.");
  if (state.elsewhere) {
    ImGui::SameLine();
    if (ImGui::Button("Take the shown table")) { workload.present = state.elsewhere; }
    hint(look, fmt::format("{}, α {:.2f}: the table that another scene shows.",
                           tuning::title_of(state.elsewhere->table), state.elsewhere->load));
  }
  if (!workload.present) { return; }
  constexpr std::string_view nothing_else;
  TableSettings& table = workload.present->table;
  family_row(look, table);
  FamilyInfo const& family = family_info(table.family);
  for (Parameter const& parameter : family.parameters) { parameter_row(look, parameter, table, nothing_else); }
  if (family.deletes_two_ways) { deletion_row(look, table); }
  if (family.uses_hash) { hash_row(look, table, nothing_else); }
  row_label(look, "Load α");
  slider(look, "##present_load", workload.present->load, 0.05, 1.0, fmt::format("{:.2f}", workload.present->load));
  hint(look, "Keys / slots, once the table is full.");
}

}  // namespace slotscape
