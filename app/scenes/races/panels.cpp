#include "app/base/text.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/scenes/races/gui.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hash_row.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/number_rows.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/races/published.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

using races::Call;
using races::RaceSettings;

/// An operation that a thread can run, as listed.
struct Deed {
  std::string_view label;
  Operation operation;
  Combine combine;
};
constexpr std::array<Deed, 4> deeds{{{translatable("Insert"), Operation::insert, Combine::replace},
                                     {translatable("Add"), Operation::insert, Combine::add},
                                     {translatable("Find"), Operation::find, Combine::replace},
                                     {translatable("Erase"), Operation::erase, Combine::replace}}};

std::string_view label_of(Call const& call)
{
  for (Deed const& deed : deeds) {
    if (deed.operation == call.operation && deed.combine == call.combine) { return deed.label; }
  }
  return "Insert";
}

std::string keys_text(std::vector<Call> const& calls, Operation operation)
{
  std::string text;
  for (Call const& call : calls) {
    if (call.operation != operation) { continue; }
    text += text.empty() ? "" : " ";
    text += operation == Operation::insert ? fmt::format("{}={}", call.key, call.value) : std::to_string(call.key);
  }
  return text;
}

/// A field for keys. Returns the keys once editing has ended with valid input.
std::optional<std::vector<Call>> keys_field(Look const& look, RacesState& state, char const* id, std::string& text,
                                            std::string const& shown, Operation operation, std::string const& help)
{
  ImGui::InputText(id, &text, ImGuiInputTextFlags_AutoSelectAll);
  bool const typing = ImGui::IsItemActive();
  bool const done = ImGui::IsItemDeactivatedAfterEdit();
  hint(look, help);
  if (!done) {
    if (!typing) { text = shown; }
    return std::nullopt;
  }
  ParsedKeys const parsed = parse_keys(text, operation, {32});
  if (!parsed.error.empty()) {
    state.ask(RefuseTyped{parsed.error});
    return std::nullopt;
  }
  std::vector<Call> calls;
  for (Pair const& pair : parsed.pairs) {
    calls.push_back({.operation = operation,
                     .key = static_cast<Narrow::Key>(pair.key),
                     .value = static_cast<Narrow::Value>(pair.value)});
  }
  return calls;
}

void family_list(Look const& look, RaceSettings& race)
{
  races::Published const* const published = races::find_published(race.published);
  FamilyInfo const& shown = published != nullptr ? *published->info : family_info(race.table.family);
  row_label(look, "Table");
  if (!ImGui::BeginCombo("##family", translated(shown.title).c_str(), ImGuiComboFlags_HeightLargest)) {
    hint(look, fmt::format("{}\n\n{}", shown.idea, shown.source));
    return;
  }
  for (std::string const& name : family_names()) {
    if (!races::can_race(name)) { continue; }
    FamilyInfo const& family = family_info(name);
    bool const chosen = published == nullptr && race.table.family == name;
    if (ImGui::Selectable(translated_label(family.title).c_str(), chosen) && !chosen) {
      race.table.family = name;
      race.table.parameters.clear();
      race.published.clear();
    }
    hint(look, fmt::format("{}\n\n{}", translated(family.idea), family.source));
  }
  ImGui::SeparatorText(tr("Published tables, not families"));
  for (races::Published const& table : races::published_tables()) {
    if (ImGui::Selectable(translated_label(table.info->title).c_str(), &table == published)) {
      race.published = table.info->name;
    }
    hint(look,
         fmt::format("{}\n\n{}", translated(table.flaw.empty() ? table.info->idea : table.flaw), table.info->source));
  }
  ImGui::EndCombo();
}

void slots_list(Look const& look, RaceSettings& race)
{
  row_label(look, "Slots");
  std::array<std::string, races::slot_choices.size()> labels;
  std::ranges::transform(races::slot_choices, labels.begin(),
                         [](std::uint64_t slots) { return std::to_string(slots); });
  auto const here = std::ranges::find(races::slot_choices, race.table.slots);
  int chosen = static_cast<int>(here - races::slot_choices.begin());
  if (pick(look, "slots", labels, chosen)) { race.table.slots = races::slot_choices[static_cast<std::size_t>(chosen)]; }
  hint(look, "Families that store buckets round up.");
}

void before_rows(Look const& look, RacesState& state)
{
  std::vector<Call>& before = state.settings.race.before;
  row_label(look, "Before");
  auto const inserted =
      keys_field(look, state, "##before", state.fields.before, keys_text(before, Operation::insert), Operation::insert,
                 translatable("Keys that are inserted before the threads begin: 5=1 13=2"));
  row_label(look, "then erased");
  auto const erased =
      keys_field(look, state, "##erased", state.fields.erased, keys_text(before, Operation::erase), Operation::erase,
                 translatable("Keys that are erased again, before the threads begin: 5"));
  auto const is_erase = [](Call const& call) { return call.operation == Operation::erase; };
  if (inserted) {
    std::vector<Call> erases = before;
    std::erase_if(erases, [&](Call const& call) { return !is_erase(call); });
    before = *inserted;
    before.insert(before.end(), erases.begin(), erases.end());
  }
  if (erased) {
    std::erase_if(before, is_erase);
    before.insert(before.end(), erased->begin(), erased->end());
  }
}

/// Returns whether to remove the thread.
bool thread_row(Look const& look, RacesState& state, std::size_t thread)
{
  Call& call = state.settings.race.calls[thread];
  ImGui::PushID(static_cast<int>(thread));
  ImGui::PushStyleColor(ImGuiCol_Text, thread_colors[thread]);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(thread_name(thread).c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine(look(36.0f));
  ImGui::SetNextItemWidth(look(82.0f));
  if (ImGui::BeginCombo("##deed", translated(label_of(call)).c_str())) {
    for (Deed const& deed : deeds) {
      if (!ImGui::Selectable(translated_label(deed.label).c_str(), label_of(call) == deed.label)) { continue; }
      call.operation = deed.operation;
      call.combine = deed.combine;
      if (call.operation != Operation::insert) { call.value = 0; }
    }
    ImGui::EndCombo();
  }
  hint(look, "Add: inserts the key or, if it is there, adds to its value.");
  ImGui::SameLine();
  float const button = ImGui::GetFrameHeight();
  bool const removable = state.settings.race.calls.size() > 1;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x -
                          (removable ? button + ImGui::GetStyle().ItemSpacing.x : 0.0f));
  std::string const shown = keys_text({call}, call.operation);
  auto const typed = keys_field(look, state, "##key", state.fields.calls[thread], shown, call.operation,
                                call.operation == Operation::insert ? translatable("A key and its value: 13=10")
                                                                    : translatable("A key: 13"));
  if (typed && typed->size() != 1) { state.ask(RefuseTyped{tr("A thread takes one key, such as 13=10.")}); }
  if (typed && typed->size() == 1) {
    call.key = typed->front().key;
    call.value = typed->front().value;
  }
  bool remove = false;
  if (removable) {
    ImGui::SameLine();
    remove = icon_button(look, "remove", Icon::close, {button, button});
    hint(look, "Remove this thread.");
  }
  ImGui::PopID();
  return remove;
}

}  // namespace

void case_panel(Look const& look, RacesState& state)
{
  heading(look, "RACE");
  races::Case const* const shown = races::find_case(state.settings.case_name);
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::BeginCombo("##case", shown == nullptr ? tr("Your own") : translated(shown->title).c_str(),
                        ImGuiComboFlags_HeightLargest)) {
    for (races::Case const& each : races::famous_cases()) {
      if (ImGui::Selectable(translated_label(each.title).c_str(), &each == shown)) {
        state.ask(ShowCase{std::string(each.name)});
      }
      hint(look, std::string(each.what));
    }
    ImGui::EndCombo();
  }
  hint(look, "Races worth knowing (N, P).");
  if (shown != nullptr) { remark(look, std::string(shown->what)); }
}

void shared_table_panel(Look const& look, RacesState& state)
{
  heading(look, "TABLE");
  RaceSettings& race = state.settings.race;
  family_list(look, race);
  if (!state.flaw.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(tr("This version is wrong, and is not one of the program's families."));
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  slots_list(look, race);
  FamilyInfo const& family = family_info(race.table.family);
  constexpr std::string_view consequence = translatable("Changing it makes a new table.");
  if (race.published.empty()) {
    for (Parameter const& parameter : family.parameters) { parameter_row(look, parameter, race.table, consequence); }
    deletion_row(look, race.table);
  }
  bool const is_published = !race.published.empty();
  if (is_published || family.uses_hash) {
    auto const offers = [=](std::size_t hash) { return !is_published || hash < compiled_in_hashes.size(); };
    hash_setting_row(look, &TableSettings::hash, race.table, state.hash_field,
                     {.offers = offers, .more_hint = fmt::format(" {}", translated(consequence))});
  }
  before_rows(look, state);
}

void threads_panel(Look const& look, RacesState& state)
{
  heading(look, "THREADS");
  std::vector<Call>& calls = state.settings.race.calls;
  std::optional<std::size_t> removed;
  for (std::size_t thread = 0; thread < calls.size(); ++thread) {
    if (thread_row(look, state, thread)) { removed = thread; }
  }
  if (removed) { calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(*removed)); }
  ImGui::BeginDisabled(calls.size() == races::max_threads);
  if (text_button("Add a thread")) { calls.push_back({.operation = Operation::find, .key = calls.front().key}); }
  ImGui::EndDisabled();
  setting_row(look, "memory", state.settings.race);
  row_label(look, "Seed");
  auto seed = static_cast<double>(state.settings.seed % 1000);
  if (slider(look, "##seed", seed, 0.0, 999.0, std::to_string(state.settings.seed))) {
    state.settings.seed = static_cast<std::uint64_t>(seed);
  }
  hint(look, "The seed of random turns (S).");
  row_label(look, "Speed");
  slider(look, "##speed", state.speed, 0.25, 20.0, tr("{:.2g} turns a second", state.speed), true);
  if (!state.promise.empty()) { remark(look, state.promise); }
}

void search_panel(Look const& look, RacesState& state)
{
  heading(look, "ALL SCHEDULES");
  if (state.searching) {
    remark(look, "Searching…");
    return;
  }
  if (!state.report) {
    remark(look,
           "In how many orders can the threads make their accesses, and does each order end as if the operations had "
           "run one after another? The search tries them all.");
    return;
  }
  races::Report const& report = *state.report;
  races::Findings const& found = report.findings;
  races::Counts const& counts = found.counts;
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(text_of(report).c_str());
  ImGui::PopTextWrapPos();
  if (begin_number_rows("search")) {
    if (report.schedules) {
      number_row(look, "Schedules", "All orders in which the accesses can be made.", schedules_text(*report.schedules));
    }
    number_row(look, "Run to the end",
               "One schedule for each group of schedules that differ only in the order of independent accesses.",
               grouped(counts.schedules));
    number_row(look, "Illegal", "Outcomes that no sequential order of the operations can produce.",
               grouped(found.bad_ends));
    number_row(look, "Turns taken", "Accesses made in the search.", grouped(counts.turns));
    number_row(look, "Moments", "Different states of the memory and all threads.", grouped(counts.moments));
    number_row(look, "Met again", "Schedules abandoned in a state that another schedule had already reached.",
               grouped(counts.met_again));
    number_row(look, "Left asleep", "Turns skipped because independent turns were tried in another order.",
               grouped(counts.asleep));
    number_row(look, "Postponed", "Turns skipped while a thread ran an independent step.", grouped(counts.put_off));
    ImGui::EndTable();
  }
  if (!found.shortest.empty()) {
    ImGui::PushTextWrapPos(0.0f);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::error);
    ImGui::TextUnformatted(races::text_of(state.race, report.verdict).c_str());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
  }
}

}  // namespace slotscape
