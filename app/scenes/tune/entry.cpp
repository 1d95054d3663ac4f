#include "app/scene/entry.hpp"

#include "app/base/encoding.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/keys/file_keys.hpp"
#include "app/scenes/tune/scene.hpp"
#include "app/simulation/families.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/shards.hpp"

#include <algorithm>

namespace slotscape {
namespace {

/// A saved sweep does not start by itself: that takes minutes of the whole device.
SceneSetup recall_tuning(SceneSetup remembered, Arrival)
{
  std::any_cast<TuneSetup&>(remembered).start = false;
  return remembered;
}

/// A file with keys may be gone at the next start.
SceneSetup replace_tuning(SceneSetup const&)
{
  return TuneSetup{};
}

/// A workload as `slotscape tune` takes it.
std::optional<SceneSetup> adopt(JsonNode const& root)
{
  if (!tuning::is_workload(root)) { return std::nullopt; }
  TuneSetup set_up;
  set_up.settings.workload = tuning::workload_of(root);
  try {
    tuning::validate(set_up.settings.workload);
  } catch (Error const& error) {
    root.fail(error.what());
  }
  return set_up;
}

/// The keys of a table that somebody wants to tune for, with that table to compare with.
void take_keys(TuneSetup& set_up, TableSceneSettings const& settings, std::string name)
{
  tuning::Workload& workload = set_up.settings.workload;
  workload.name = std::move(name);
  workload.source = settings.keys;
  workload.keys = 0;
  workload.join.reset();  // of the probe side, nothing is known
  workload.key_bits = settings.table.key_bits;
  workload.present = set_up.elsewhere;
}

/// The settings of a table with the stream that its keys come from in the end.
TableSceneSettings with_latest_keys(TableSetup const& table)
{
  TableSceneSettings settings = table.settings;
  for (Action const& step : table.steps) {
    if (auto const* set_keys = std::get_if<SetKeys>(&step)) { settings.keys = set_keys->keys; }
  }
  return settings;
}

/// Whether somebody who comes from that table wants to tune for its keys: those of a file, where nothing else was
/// chosen.
bool brings_keys(TableSceneSettings const& settings, TuneSetup const& set_up)
{
  tuning::Workload usual = TuneSetup{}.settings.workload;
  usual.division = set_up.settings.workload.division;  // which the devices decide
  return settings.keys.file_keys && set_up.settings.workload == usual;
}

/// The load factor of a table that is in use: the one that it holds, or else that of the keys that were given to it; of
/// others, one at which it can be used.
double load_in_use(TableSetup const& set_up, TableSceneSettings const& settings)
{
  if (settings.drive.hold_load) { return settings.drive.target_load; }
  std::uint64_t const given = GivenKeys::of(set_up.steps);
  double const load = static_cast<double>(given) / static_cast<double>(settings.table.slots);
  constexpr double min_load = 0.05;
  Guarantees const guarantees = guarantees_of(family_info(settings.table.family), settings.table);
  bool const is_given = given != 0 && load <= guarantees.max_load;
  return is_given ? std::max(load, min_load) : std::min(settings.drive.target_load, guarantees.safe_load);
}

/// The table that another scene shows or showed last can be taken as the one that is in use.
SceneSetup enter_tuning(SceneSetup own, OtherSetups const& others)
{
  auto& set_up = std::any_cast<TuneSetup&>(own);
  set_up.start = false;
  for (auto const* const setups : {&others.shown, &others.saved}) {
    for (SceneSetup const& other : *setups) {
      auto const* table = std::any_cast<TableSetup>(&other);
      if (auto const* compared = std::any_cast<CompareSetup>(&other)) { table = &compared->shared; }
      if (table == nullptr) { continue; }
      TableSceneSettings const settings = with_latest_keys(*table);
      set_up.elsewhere = tuning::Present{settings.table, load_in_use(*table, settings), table->handed_over.unlike};
      if (table->hands_over_keys) {
        take_keys(set_up, settings, translatable("The keys of your own table"));
      } else if (setups == &others.shown && brings_keys(settings, set_up)) {
        take_keys(set_up, settings, tr("The keys of {}", path_text(path_of_text(settings.keys.file_name).filename())));
        set_up.settings.workload.present.reset();  // the file's keys are theirs, and nobody has said so of the table
      }
      return own;
    }
  }
  return own;
}

/// Tables in shards, one on each, compete with those in one piece; a join is made with one table.
void use_devices(SceneSetup& any, std::vector<int> const& devices)
{
  auto& set_up = std::any_cast<TuneSetup&>(any);
  set_up.devices = devices;
  tuning::Workload& workload = set_up.settings.workload;
  if (workload.join) { return; }
  workload.division = tuning::over_devices(workload.division, static_cast<std::uint32_t>(devices.size()));
}

}  // namespace

SceneEntry tune_scene()
{
  return entry_of<TuneScene, TuneSetup>(
      {.name = "tune",
       .title = "Tuning",
       .what = "Tuning: which table for which keys",
       .keys = "F8",
       .mouse = "Point at a mark to see its figures. Click it to select it, and another one to compare them; "
                "double-click to open the table slot by slot. Drop a file with keys on the window.",
       .panels = {.controls = translatable("Workload"),
                  .numbers = translatable("Answer"),
                  .plots = translatable("Hashes"),
                  .slot_card = translatable("Card of a mark")},
       .files = {key_file_kind()},
       .takes = has_keys,
       .reference = [] { return rows_of<TuneSetup>(); },
       .adopt = adopt,
       .recall = recall_tuning,
       .replace = replace_tuning,
       .enter = enter_tuning,
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<TuneSetup&>(set_up).settings.seed = seed; },
       .use_devices = use_devices});
}

}  // namespace slotscape
