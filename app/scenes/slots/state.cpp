#include "app/scenes/slots/state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace slotscape {

BatchRequest press_of(Operation operation, DriveSettings const& drive)
{
  switch (operation) {
    case Operation::find: {
      BatchRequest request = BatchRequest::finds(drive.batch, drive.find_keys);
      request.hit_share = drive.hit_share;
      return request;
    }
    case Operation::erase: return BatchRequest::erases(drive.batch);
    case Operation::insert: break;
  }
  return BatchRequest::inserts(drive.batch);
}

BatchRequest single_batch(DriveSettings const& drive)
{
  double const sum = drive.insert + drive.find + drive.erase;
  if (sum <= 0.0) { return BatchRequest::inserts(drive.batch); }
  return {.count = drive.batch,
          .insert = drive.insert / sum,
          .find = drive.find / sum,
          .erase = drive.erase / sum,
          .find_keys = drive.find_keys,
          .hit_share = drive.hit_share};
}

double scale_share(SlotsState const& state, double value)
{
  double const end = scale_end(state);
  return state.settings.view.log_scale ? std::log1p(value) / std::log1p(end) : value / end;
}

double scale_end(SlotsState const& state)
{
  ViewSettings const& view = state.settings.view;
  if (view.scale_max > 0.0) { return view.scale_max; }
  bool const of_clusters = view.color_by == ColorBy::cluster_length;
  std::uint64_t const longest = of_clusters ? state.statistics.clusters.max : state.statistics.probe_length.max;
  return static_cast<double>(std::bit_ceil(std::max<std::uint64_t>(longest, 8)));
}

}  // namespace slotscape
