#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/gui.hpp"
#include "app/scenes/tune/gui.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/mix.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr double min_keys = 1000.0;
constexpr double min_bytes = 4.0;
constexpr double max_bytes = 64.0;

std::string time_text(double seconds)
{
  return seconds < 90.0 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.1f} min", seconds / 60.0);
}

void preset_row(Look const& look, TuneSettings& settings)
{
  row_label(look, "Preset");
  auto const presets = tuning::presets();
  auto const here = std::ranges::find_if(presets, [&](auto const& preset) { return has_preset(settings, preset); });
  std::string const shown = here == presets.end() ? std::string(tr("Choose…")) : translated(here->workload.name);
  if (!ImGui::BeginCombo("##preset", shown.c_str(), ImGuiComboFlags_HeightLargest)) {
    hint(look, here == presets.end() ? std::string(translatable("Typical workloads. N shows the next one."))
                                     : std::string(here->what));
    return;
  }
  for (tuning::Preset const& preset : presets) {
    if (ImGui::Selectable(translated_label(preset.workload.name).c_str(), has_preset(settings, preset))) {
      use_preset(settings, preset);
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
  Setting<tuning::Workload> const& number = setting_named<tuning::Workload>("count");
  setting_label(look, number.text);
  std::uint64_t const in_file = keys_of_file(workload);
  double const most = static_cast<double>(in_file > 0 ? in_file : max_slots / 2);
  double count = workload.keys == 0 ? most : static_cast<double>(workload.keys);
  bool const all = in_file > 0 && workload.keys == 0;
  std::string const text = all ? tr("all {}", grouped(in_file)) : grouped(workload.keys);
  TypedLimits const typed{1.0, in_file > 0 ? most : number.range.high};
  if (slider(look, "##count", count, std::min(min_keys, most), most, text, true, typed)) {
    std::uint64_t const wanted = count_of_slider(count);
    workload.keys = in_file > 0 && wanted >= in_file ? 0 : wanted;
  }
  if (workload.join) { return hint(look, "Rows of the build side. Ctrl+click to type a number."); }
  hint(look, std::string(number.text.hint));
  setting_row(look, "growth", workload, {.shown = fmt::format("{:.2g}×", workload.growth), .high = 20.0});
}

void source_rows(Look const& look, TuneState& state)
{
  tuning::Workload& workload = state.settings.workload;
  SettingText const& keys = setting_named<tuning::Workload>("keys").text;
  setting_label(look, keys);
  float const button = ImGui::CalcTextSize(tr("Open…")).x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  KeySettings wanted = workload.source;
  bool const changed = choose("##distribution", wanted.distribution);
  hint(look, std::string(keys.hint));
  if (changed && wanted.distribution == KeyDistribution::file && !wanted.file_keys) {
    state.ask(AskForKeys{});
  } else if (changed) {
    workload.source = wanted;
    if (wanted.distribution != KeyDistribution::file && workload.keys == 0) { workload.keys = tuning::Workload{}.keys; }
  }
  ImGui::SameLine();
  if (text_button("Open…")) { state.ask(AskForKeys{}); }
  hint(look,
       "A file with your keys (Ctrl+O, or drop it on the window): text with one key per line, a column of a CSV file, "
       "a NumPy array, or little-endian words (.u32, .u64).");
  if (workload.source.distribution != KeyDistribution::file) { key_parameter_rows(look, workload.source); }
  remark(look, describe_keys(workload.source, workload.key_bits));
}

/// A share of all operations in per cent; the other kinds share the rest.
void share_row(Look const& look, std::string_view name, double tuning::Workload::*share, tuning::Workload& workload)
{
  Setting<tuning::Workload> const& setting = setting_named<tuning::Workload>(name);
  SettingRange range = setting.range;
  range.high = 1.0;
  double const all = workload.operations();
  double const part = all > 0.0 ? workload.*share / all : 0.0;
  std::string const shown = fmt::format("{:g} %", std::round(1000.0 * part) / 10.0);
  auto const chosen = setting_control(look, setting.text, range, part, {.shown = shown, .percent = true});
  if (chosen) { tuning::set_share(workload, share, *chosen); }
}

void probe_file_row(Look const& look, TuneState& state, tuning::JoinSides& join)
{
  setting_label(look, setting_named<tuning::JoinSides>("probe").text);
  bool const is_file = join.probes_file();
  ImGui::PushID("probe");
  if (text_button("Open…")) { state.ask(AskForProbe{}); }
  ImGui::PopID();
  hint(look, "A file with the keys of the probe side; then the build side must come from a file, too.");
  if (is_file) {
    ImGui::SameLine();
    if (text_button("Draw its rows")) {
      join.probe = {};
      join.probe_rows = 0;
      return;
    }
    hint(look, "Draw random rows instead of using the file.");
    ImGui::PushID("probe");
    if (auto const column = column_row(look, join.probe)) { state.ask(UseProbeColumn{*column}); }
    ImGui::PopID();
    for (std::string const& finding : key_findings(join.probe)) { remark(look, finding); }
  }
  remark(look, is_file ? join.probe.file_name.substr(join.probe.file_name.rfind('/') + 1) : tr("Its rows are random."));
}

void drawn_rows(Look const& look, tuning::Workload& workload)
{
  tuning::JoinSides& join = *workload.join;
  if (workload.source.distribution != KeyDistribution::file) {
    setting_row(look, "rows_per_key", join, {.high = 1024.0, .coarse = true});
  }
  if (join.probes_file()) { return; }
  setting_row(look, "match", join, {.percent = true});
  setting_row(look, "skew", join, {.shown = fmt::format("{:.2g}", join.skew), .high = 2.0});
}

/// The kind and the probe side of a join.
void join_rows(Look const& look, TuneState& state)
{
  tuning::Workload& workload = state.settings.workload;
  tuning::JoinSides& join = *workload.join;
  setting_row(look, "kind", join);
  probe_file_row(look, state, join);
  SettingText const& text = setting_named<tuning::JoinSides>("probe_rows").text;
  setting_label(look, text);
  constexpr auto most = static_cast<double>(joins::max_rows);
  auto rows = static_cast<double>(workload.probe_rows());
  if (slider(look, "##probe_rows", rows, min_keys, most, grouped(workload.probe_rows()), true,
             TypedLimits{1.0, most})) {
    join.probe_rows = std::min(count_of_slider(rows), joins::max_rows);
  }
  hint(look, std::string(text.hint));
  drawn_rows(look, workload);
}

/// Switches between single operations and a join.
void join_choice(Look const& look, TuneState& state)
{
  tuning::Workload& workload = state.settings.workload;
  SettingText const& text = setting_named<tuning::Workload>("join").text;
  bool joins = workload.join.has_value();
  if (ImGui::Checkbox(translated_label(text.label).c_str(), &joins)) {
    workload.join = joins ? std::optional(tuning::JoinSides{}) : std::nullopt;
    bool const repeats = workload.source.distribution == KeyDistribution::zipf;
    if (joins && repeats) {
      workload.source.distribution = KeyDistribution::uniform;
      state.notice = tr("The keys are now uniform: 'Rows per key' sets how many rows share a key.");
    }
    if (joins) { workload.division = {}; }
  }
  hint(look, std::string(text.hint));
}

/// The last remaining number cannot be removed.
void try_shards(tuning::Division& division, std::uint32_t count, bool on)
{
  std::vector<std::uint32_t> shards = division.shards;
  std::erase(shards, count);
  if (on) { shards.push_back(count); }
  if (shards.empty()) { return; }
  division.shards = tuning::in_order(std::move(shards));
  if (!division.divides()) { division = {}; }
}

/// A checkbox for each usual number of shards, and for those named in a file.
void shards_to_try_row(Look const& look, tuning::Division& division)
{
  std::vector<std::uint32_t> offered{1, 2, 4, 8};
  offered.insert(offered.end(), division.shards.begin(), division.shards.end());
  SettingText const& text = setting_named<tuning::Division>("shards").text;
  setting_label(look, text);
  float const left = ImGui::GetCursorPosX();
  float const right = left + ImGui::GetContentRegionAvail().x;
  bool is_first = true;
  for (std::uint32_t const count : tuning::in_order(offered)) {
    std::string const label = fmt::format("{}##shards", count);
    float const width = ImGui::GetFrameHeight() + ImGui::CalcTextSize(label.c_str(), nullptr, true).x +
                        ImGui::GetStyle().ItemInnerSpacing.x;
    if (!std::exchange(is_first, false)) {
      ImGui::SameLine();
      if (ImGui::GetCursorPosX() + width > right) {
        ImGui::NewLine();
        ImGui::SetCursorPosX(left);
      }
    }
    bool const there = std::ranges::find(division.shards, count) != division.shards.end();
    bool on = there;
    if (ImGui::Checkbox(label.c_str(), &on)) { try_shards(division, count, on); }
    hint(look, std::string(text.hint));
  }
}

void batch_row(Look const& look, tuning::Workload& workload)
{
  Setting<tuning::Workload> const& setting = setting_named<tuning::Workload>("batch");
  setting_label(look, setting.text);
  constexpr auto most = static_cast<double>(usual_batch);
  double batch = workload.batch == 0 ? most : static_cast<double>(workload.batch);
  std::string const text = workload.batch == 0 ? std::string(tr("as many as there are")) : grouped(workload.batch);
  if (slider(look, "##batch", batch, 64.0, most, text, true, TypedLimits{0.0, setting.range.high})) {
    bool const is_all = batch < 1.0 || (batch == most && !typed_into_slider());
    workload.batch = is_all ? 0 : count_of_slider(batch);
  }
  hint(look, std::string(setting.text.hint));
}

}  // namespace

void workload_panel(Look const& look, TuneState& state)
{
  heading(look, "WORKLOAD");
  preset_row(look, state.settings);
  setting_label(look, setting_named<tuning::Workload>("name").text);
  std::string name = translated(state.settings.workload.name);  // preset names are stored in English
  if (ImGui::InputText("##name", &name)) { state.settings.workload.name = name; }
}

void keys_of_workload_panel(Look const& look, TuneState& state)
{
  heading(look, "KEYS");
  tuning::Workload& workload = state.settings.workload;
  source_rows(look, state);
  if (auto const column = column_row(look, state.settings.workload.source)) { state.ask(UseColumn{*column}); }
  for (std::string const& finding : key_findings(workload.source)) { remark(look, finding); }
  count_row(look, workload);
  setting_row(look, "key_bits", workload, {.by = ChoiceBy::line});
}

void operations_panel(Look const& look, TuneState& state)
{
  heading(look, "OPERATIONS");
  tuning::Workload& workload = state.settings.workload;
  join_choice(look, state);
  if (workload.join) { return join_rows(look, state); }
  share_row(look, "insert", &tuning::Workload::insert, workload);
  share_row(look, "hit", &tuning::Workload::hit, workload);
  share_row(look, "miss", &tuning::Workload::miss, workload);
  share_row(look, "erase", &tuning::Workload::erase, workload);
  batch_row(look, workload);
  bool const changed = setting_row(look, "values", workload);
  if (changed && !workload.values) { workload.combine = Combine::replace; }
  if (workload.values) { setting_row(look, "combine", workload); }
  setting_row(look, "at_once", workload);
}

void limits_panel(Look const& look, TuneState& state)
{
  heading(look, "LIMITS");
  tuning::Workload& workload = state.settings.workload;
  Setting<tuning::Workload> const& setting = setting_named<tuning::Workload>("most_bytes");
  bool limited = workload.max_bytes > 0.0;
  if (ImGui::Checkbox("##limited", &limited)) { workload.max_bytes = limited ? 16.0 : 0.0; }
  hint(look, std::string(setting.text.hint));
  ImGui::SameLine();
  setting_label(look, setting.text);
  double bytes = limited ? workload.max_bytes : max_bytes;
  std::string const text = limited ? tr("{:.1f} B/key", bytes) : std::string(tr("any"));
  TypedLimits const typed{setting.range.low, setting.range.high};
  if (slider(look, "##bytes", bytes, min_bytes, max_bytes, text, true, typed)) { workload.max_bytes = bytes; }
  setting_row(look, "seconds", state.settings,
              {.shown = time_text(state.settings.budget_seconds), .low = 5.0, .high = 3600.0});
}

void shards_panel(Look const& look, TuneState& state)
{
  tuning::Workload& workload = state.settings.workload;
  if (workload.join) { return; }  // joins use a single table
  heading(look, "SHARDS");
  tuning::Division& division = workload.division;
  shards_to_try_row(look, division);
  if (!division.divides()) { return; }
  setting_row(look, "devices", division);
  if (division.devices == ShardDevices::one) { setting_row(look, "keys_start", division); }
}

void present_panel(Look const& look, TuneState& state)
{
  heading(look, "WHAT YOU USE NOW");
  tuning::Workload& workload = state.settings.workload;
  bool known = workload.present.has_value();
  SettingText const& text = setting_named<tuning::Workload>("present").text;
  if (ImGui::Checkbox(translated_label(text.label).c_str(), &known)) {
    workload.present = known ? std::optional(tuning::Present{}) : std::nullopt;
  }
  hint(look, std::string(text.hint));
  if (state.elsewhere) {
    ImGui::SameLine();
    if (text_button("Use the shown table")) { workload.present = state.elsewhere; }
    hint(look, tr("{}, α {:.2f}: the table that another scene shows.", tuning::title_of(state.elsewhere->table),
                  state.elsewhere->load));
  }
  if (!workload.present) { return; }
  constexpr std::string_view nothing_else;
  TableSettings& table = workload.present->table;
  TableSettings const before = table;
  family_row(look, table);
  FamilyInfo const& family = family_info(table.family);
  for (Parameter const& parameter : family.parameters) { parameter_row(look, parameter, table, nothing_else); }
  deletion_row(look, table);
  if (family.uses_hash) { hash_row(look, table, state.hash_field, nothing_else); }
  if (!workload.join) {
    ImGui::PushID("present");
    shards_row(look, table, nothing_else);
    ImGui::PopID();
  }
  if (table != before) { workload.present->unlike.clear(); }
  if (!workload.present->unlike.empty()) {
    std::vector<std::string> own;
    for (Unlike const each : workload.present->unlike) { own.push_back(translated(to_label(each))); }
    remark(look, tr("Stands in for your own table; the tables here lack {}.", listed(own, tr("and"))));
  }
  double const load = workload.present->load;
  setting_row(look, "load", *workload.present, {.shown = fmt::format("{:.2f}", load), .low = 0.05});
}

}  // namespace slotscape
