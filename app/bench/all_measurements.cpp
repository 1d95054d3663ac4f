#include "app/bench/make_measurements.hpp"

namespace slotscape {

std::vector<std::unique_ptr<Measurement>> all_measurements(TimeFrames const& time_frames)
{
  std::vector<std::unique_ptr<Measurement>> all;
  all.push_back(make_table_measurement());
  all.push_back(make_update_measurement());
  all.push_back(make_limit_measurement());
  all.push_back(make_frame_measurement());
  all.push_back(make_spatial_measurement(time_frames));
  all.push_back(make_multivalue_measurement());
  all.push_back(make_join_measurement());
  all.push_back(make_group_measurement());
  all.push_back(make_sparse_measurement());
  all.push_back(make_neighbour_measurement());
  all.push_back(make_blocks_measurement());
  all.push_back(make_match_measurement());
  all.push_back(make_farrell_measurement());
  all.push_back(make_alcantara_measurement(time_frames));
  all.push_back(make_shortt_measurement());
  return all;
}

}  // namespace slotscape
