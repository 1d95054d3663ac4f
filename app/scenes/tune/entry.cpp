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

/// A restored sweep does not start by itself, because it occupies the whole device for minutes.
SceneSetup recall_tuning(SceneSetup remembered, Arrival)
{
  std::any_cast<TuneSetup&>(remembered).start = false;
  return remembered;
}

/// A key file may have disappeared by the next start.
SceneSetup replace_tuning(SceneSetup const&)
{
  return TuneSetup{};
}

/// Accepts a workload file, as `slotscape tune` does.
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

/// Takes over a table's keys as the workload, and the table itself for comparison.
void take_keys(TuneSetup& set_up, TableSceneSettings const& settings, std::string name)
{
  tuning::Workload& workload = set_up.settings.workload;
  workload.name = std::move(name);
  workload.source = settings.keys;
  workload.keys = 0;
  workload.join.reset();  // the probe side is unknown
  workload.key_bits = settings.table.key_bits;
  workload.present = set_up.elsewhere;
}

/// The settings of a table, with the key stream that its steps set last.
TableSceneSettings with_latest_keys(TableSetup const& table)
{
  TableSceneSettings settings = table.settings;
  for (Action const& step : table.steps) {
    if (auto const* set_keys = std::get_if<SetKeys>(&step)) { settings.keys = set_keys->keys; }
  }
  return settings;
}

/// Whether to tune for the keys of the table that the user comes from: those of a file, if the workload is still the
/// default.
bool brings_keys(TableSceneSettings const& settings, TuneSetup const& set_up)
{
  tuning::Workload usual = TuneSetup{}.settings.workload;
  usual.division = set_up.settings.workload.division;  // chosen by the devices
  return settings.keys.file_keys && set_up.settings.workload == usual;
}

/// The load factor of a table in use: the one that it holds, or that of the keys given to it; otherwise one that is
/// safe for the table.
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

/// Offers the table of another scene, shown now or last, as the table in use.
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
        set_up.settings.workload.present.reset();  // the keys are the user's; whether the table is in use is unknown
      }
      return own;
    }
  }
  return own;
}

/// Adds tables with one shard per device, which compete with undivided ones. A join uses a single table.
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
       .about = "Find the table that suits your keys and operations.",
       .mouse = "Point at a mark to see its numbers. Click it to select it, and click another one to compare the two; "
                "double-click to open the table slot by slot. Drop a file with keys on the window.",
       .purpose = Purpose::measure,
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
