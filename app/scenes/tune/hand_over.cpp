#include "app/scenes/tune/state.hpp"

#include "app/table_scene/key_settings.hpp"
#include "app/tuning/candidates.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr std::uint64_t max_batch = std::uint64_t{1} << 28;  ///< that the slots scene offers

/// For the keys that there are, at the same load: a file may have fewer than the table is to hold one day.
TableSettings table_there_is(tuning::Results const& results, tuning::Candidate const& candidate)
{
  std::uint64_t const keys = results.available.different;
  return keys == results.different ? candidate.table
                                   : tuning::candidate_of(candidate.table, candidate.load, keys).table;
}

/// The mix and the batches of the workload, not running.
DriveSettings drive_of(tuning::Results const& results, double load)
{
  tuning::Workload const& workload = results.workload;
  DriveSettings drive;
  double const finds = workload.hit + workload.miss;
  double const all = std::max(workload.operations(), 1e-9);
  drive.insert = workload.insert / all;
  drive.find = finds / all;
  drive.erase = workload.erase / all;
  drive.find_keys = KeyChoice::mixed;
  drive.hit_share = finds > 0.0 ? workload.hit / finds : 1.0;
  drive.hold_load = true;
  drive.target_load = load;
  drive.batch =
      std::clamp<std::uint64_t>(workload.batch == 0 ? results.available.inserts : workload.batch, 1, max_batch);
  return drive;
}

}  // namespace

TableSetup slots_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& measured)
{
  TableSetup set_up;
  TableSceneSettings& settings = set_up.settings;
  settings.table = table_there_is(results, measured.candidate);
  settings.keys = results.workload.source;
  settings.keys.file_repeats = false;
  if (notes_of(settings.keys).with_sign) { settings.view.keys_as = KeyStyle::with_sign; }
  settings.seed = seed;
  settings.drive = drive_of(results, measured.candidate.load);
  set_up.steps = {BatchRequest::inserts(results.available.inserts)};
  return set_up;
}

CompareSetup compare_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& first,
                           tuning::Measured const& second)
{
  CompareSetup set_up{{table_there_is(results, first.candidate), table_there_is(results, second.candidate)},
                      slots_setup(results, seed, first)};
  // Holding a load is about the smallest table.
  DriveSettings& drive = set_up.shared.settings.drive;
  drive.target_load = std::max(first.candidate.load, second.candidate.load);
  return set_up;
}

}  // namespace slotscape
