#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/scenes/tune/state.hpp"
#include "app/simulation/mix.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>

namespace slotscape {
namespace {

/// The number of keys to show a table with: all that are available. If a file has fewer than the table is meant to
/// hold, a smaller table is filled to the same load.
std::uint64_t keys_to_show(tuning::Results const& results, tuning::Candidate const& candidate)
{
  std::uint64_t const keys = results.available.different;
  return keys == results.different ? keys : tuning::keys_at_load_of(candidate, keys);
}

tuning::Candidate shown_with(tuning::Results const& results, tuning::Candidate const& candidate, std::uint64_t keys)
{
  return keys == results.different ? candidate : tuning::candidate_of(candidate.table, candidate.load, keys);
}

/// The mix and the batches of the workload, paused.
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
  if (workload.join) {  // the table is built, so only probing remains
    drive.insert = drive.erase = 0.0;
    drive.find = 1.0;
    drive.hit_share = results.match;
  }
  drive.hold_load = true;
  drive.target_load = load;
  drive.batch =
      std::clamp<std::uint64_t>(workload.batch == 0 ? results.available.inserts : workload.batch, 1, usual_batch);
  return drive;
}

TableSetup setup_of(tuning::Results const& results, std::uint64_t seed, tuning::Candidate const& shown,
                    std::uint64_t keys)
{
  TableSetup set_up;
  TableSceneSettings& settings = set_up.settings;
  settings.table = shown.table;
  settings.keys = results.workload.source;
  settings.keys.file_repeats = false;
  if (notes_of(settings.keys).with_sign) { settings.view.keys_as = KeyStyle::with_sign; }
  settings.seed = seed;
  settings.drive = drive_of(results, shown.load);
  if (keys < results.available.different) {
    set_up.steps.emplace_back(FillTo{shown.load});
  } else {
    bool const once = results.workload.join && settings.keys.distribution != KeyDistribution::file;
    set_up.steps.emplace_back(BatchRequest::inserts(once ? results.available.different : results.available.inserts));
  }
  return set_up;
}

}  // namespace

TableSetup slots_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& measured)
{
  std::uint64_t const keys = keys_to_show(results, measured.candidate);
  return setup_of(results, seed, shown_with(results, measured.candidate, keys), keys);
}

std::string slots_to_show(tuning::Results const& results, tuning::Measured const& measured)
{
  std::uint64_t const keys = keys_to_show(results, measured.candidate);
  tuning::Candidate const shown = shown_with(results, measured.candidate, keys);
  std::string text = tr("{} keys in {} slots, α {:.2f}.", grouped(keys), grouped(shown.table.slots), shown.load);
  if (keys != results.different) {
    text += ' ' + tr("There are too few keys to fill the table of {} slots.", grouped(measured.candidate.table.slots));
  }
  return text;
}

CompareSetup compare_setup(tuning::Results const& results, std::uint64_t seed, tuning::Measured const& first,
                           tuning::Measured const& second)
{
  std::uint64_t const keys = std::min(keys_to_show(results, first.candidate), keys_to_show(results, second.candidate));
  tuning::Candidate const left = shown_with(results, first.candidate, keys);
  tuning::Candidate const right = shown_with(results, second.candidate, keys);
  CompareSetup set_up{{left.table, right.table}, setup_of(results, seed, left, keys)};
  // Holds the load that fills the smaller table.
  DriveSettings& drive = set_up.shared.settings.drive;
  drive.target_load = std::max(left.load, right.load);
  if (keys < results.available.different) { set_up.shared.steps.front() = FillTo{drive.target_load}; }
  return set_up;
}

}  // namespace slotscape
