#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace slotscape {
namespace {

float column_width(Look const& look, int parts)
{
  float const gaps = ImGui::GetStyle().ItemSpacing.x * static_cast<float>(parts - 1);
  return std::max((ImGui::GetContentRegionAvail().x - gaps) / static_cast<float>(parts), look(20.0f));
}

bool takes_keys_of_file(KeySettings const& keys)
{
  return keys.distribution == KeyDistribution::file && !are_small(keys);
}

void batch_buttons(Look const& look, TableState& state)
{
  DriveSettings& drive = state.settings.drive;
  ImVec2 const size{column_width(look, 4), look(32.0f)};
  auto const button = [&](char const* label, Operation operation, char const* what) {
    if (ImGui::Button(translated_label(label).c_str(), size)) { state.act(press_of(operation, drive)); }
    hint(look, tr("{}: {} per press.", tr(what), grouped(drive.batch)));
  };
  bool const of_file = takes_keys_of_file(state.settings.keys);
  button(translatable("Insert"), Operation::insert,
         of_file ? translatable("Insert the next keys of the file") : translatable("Insert new keys"));
  ImGui::SameLine();
  button(translatable("Find"), Operation::find, translatable("Look up keys"));
  ImGui::SameLine();
  button(translatable("Erase"), Operation::erase,
         of_file ? translatable("Erase random live keys, not in the order of the file")
                 : translatable("Erase random live keys"));
  ImGui::SameLine();
  if (text_button("Step…", size)) { state.ask(EnterSteps{}); }
  hint(look, "Step through one operation, one memory access at a time (T).");

  setting_row(look, "batch", drive, {.high = static_cast<double>(usual_batch), .coarse = true});
}

std::string share_text(double share)
{
  return fmt::format("{} %", with_decimals(share * 100.0, 0));
}

void find_rows(Look const& look, DriveSettings& drive, KeySettings const& keys)
{
  bool const has_file = takes_keys_of_file(keys);
  std::array<std::string_view, 4> const labels{translatable("Hits"), translatable("Misses"), translatable("Mixed"),
                                               has_file ? translatable("File") : translatable("New")};
  constexpr std::array choices{KeyChoice::hits, KeyChoice::misses, KeyChoice::mixed, KeyChoice::stream};
  bool const offers_stream = has_file || drive.find_keys == KeyChoice::stream;
  auto chosen = static_cast<int>(std::ranges::find(choices, drive.find_keys) - choices.begin());
  SettingText const& text = setting_named<DriveSettings>("find_keys").text;
  setting_label(look, text);
  if (segmented(look, "finds", std::span(labels).first(offers_stream ? 4 : 3), chosen,
                ImGui::GetContentRegionAvail().x)) {
    drive.find_keys = choices[static_cast<std::size_t>(chosen)];
  }
  hint(look, std::string(text.hint));
  if (drive.find_keys != KeyChoice::mixed) { return; }
  setting_row(look, "hit_share", drive, {.shown = share_text(drive.hit_share), .percent = true});
}

void transport(Look const& look, TableState& state)
{
  DriveSettings& drive = state.settings.drive;
  float const height = look(36.0f);
  float const step_width = look(44.0f);
  float const play_width = ImGui::GetContentRegionAvail().x - step_width - ImGui::GetStyle().ItemSpacing.x;
  if (icon_button(look, "play", drive.running ? Icon::pause : Icon::play, {play_width, height}, !drive.running)) {
    drive.running = !drive.running;
  }
  hint(look, drive.running ? tr("Pause the mix (Space).") : tr("Run the mix continuously (Space)."));
  ImGui::SameLine();
  if (icon_button(look, "step", Icon::step, {step_width, height})) { state.act(single_batch(drive)); }
  hint(look, "Run a single batch of the mix (S).");
}

void speed_rows(Look const& look, DriveSettings& drive)
{
  Setting<DriveSettings> const& rate = setting_named<DriveSettings>("rate");
  std::string const full = label_of<DriveSettings>("full_speed");
  setting_label(look, rate.text);
  float const check = ImGui::CalcTextSize(translated(full).c_str()).x + ImGui::GetFrameHeight() + look(10.0f);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - check - ImGui::GetStyle().ItemSpacing.x);
  ImGui::BeginDisabled(drive.full_speed);
  slider(look, "##rate", drive.rate, 1.0, usual_rate, short_number(std::round(drive.rate)) + "/s", true,
         TypedLimits{rate.range.low, rate.range.high});
  ImGui::EndDisabled();
  hint(look, translated(rate.text.hint) + " " + tr("Ctrl+click to type a number: {}.", range_text(rate.range)));
  ImGui::SameLine();
  ImGui::Checkbox(translated_label(full).c_str(), &drive.full_speed);
  hint(look, tr("As many operations as fit in {:.0f} ms of each frame.", drive.frame_budget_ms));
}

void share_slider(Look const& look, std::string_view name, DriveSettings& drive)
{
  double const share = setting_named<DriveSettings>(name).get(drive);
  setting_row(look, name, drive, {.shown = share_text(share), .percent = true, .high = 1.0});
}

void warn(Look const& look, std::string const& text)
{
  if (text.empty()) { return; }
  ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
  ImGui::PushFont(look.font, look.small);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

/// Shown if the file has too few keys to hold the load.
void offer_fewer_slots(Look const& look, TableState& state)
{
  auto const found = slots_for_held_load(state);
  if (!found) { return; }
  warn(look, advice_on_held_load(state));
  if (!can_be_offered(state, *found)) { return; }
  bool const several = !found->all.empty();
  std::string const label = several ? tr("Use this many slots")
                                    : tr("Use {} slots (α {:.3f})", grouped(found->slots), halves_up(found->load));
  if (ImGui::Button(label.c_str(), {-FLT_MIN, 0.0f})) { state.act(rehash_to(state, found->slots)); }
  hint(look, several ? translatable("Rehashes the keys of all tables. Undo (Ctrl+Z) restores the tables.")
                     : translatable("Rehashes the keys into this many slots. Undo (Ctrl+Z) restores the table."));
}

void hold_row(Look const& look, TableState& state)
{
  DriveSettings& drive = state.settings.drive;
  bool settled = ImGui::Checkbox("##hold", &drive.hold_load) && drive.hold_load;
  SettingText const& hold = setting_named<DriveSettings>("hold_load").text;
  hint(look, std::string(hold.hint));
  ImGui::SameLine();
  setting_label(look, hold);
  Guarantees const guarantees = guarantees_of(state);
  if (slider(look, "##target", drive.target_load, 0.0, guarantees.max_load, with_decimals(drive.target_load, 3))) {
    drive.hold_load = true;
  }
  state.edits.load_dragged = ImGui::IsItemActive() && !typing_into_slider() && drive.hold_load;
  settled = ImGui::IsItemDeactivatedAfterEdit() || settled;
  bool const limited = guarantees.safe_load < guarantees.max_load;
  if (limited) { mark_on_slider(look, guarantees.safe_load, 0.0, guarantees.max_load, theme::warning); }
  hint(look, limited ? translatable("Drag: the table follows, even while the mix is paused. The keys , and . step by "
                                    "0.05. Ctrl+click to type a number. The mark shows the safe load.")
                     : translatable("Drag: the table follows, even while the mix is paused. The keys , and . step by "
                                    "0.05. Ctrl+click to type a number."));
  warn(look, drive.hold_load ? safe_load_warning(guarantees, drive.target_load) : "");
  offer_fewer_slots(look, state);
  ImGui::BeginDisabled(!drive.hold_load);
  setting_row(look, "purge", drive);
  ImGui::EndDisabled();
  if (settled && !drive.running) { state.act(FillTo{drive.target_load}); }
}

}  // namespace

void drive_panel(Look const& look, TableState& state)
{
  DriveSettings& drive = state.settings.drive;
  heading(look, "BATCHES");
  batch_buttons(look, state);
  find_rows(look, drive, state.settings.keys);
  heading(look, "CONTINUOUS MIX");
  transport(look, state);
  hold_row(look, state);
  speed_rows(look, drive);
  for (char const* const kind : {"insert", "find", "erase"}) { share_slider(look, kind, drive); }
}

}  // namespace slotscape
