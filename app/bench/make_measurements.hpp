#pragma once

#include "app/bench/measurement.hpp"

namespace slotscape {

std::unique_ptr<Measurement> make_table_measurement();
std::unique_ptr<Measurement> make_update_measurement();
std::unique_ptr<Measurement> make_limit_measurement();
std::unique_ptr<Measurement> make_frame_measurement();
std::unique_ptr<Measurement> make_spatial_measurement(TimeFrames const& time_frames);
std::unique_ptr<Measurement> make_multivalue_measurement();
std::unique_ptr<Measurement> make_join_measurement();
std::unique_ptr<Measurement> make_group_measurement();
std::unique_ptr<Measurement> make_sparse_measurement();
std::unique_ptr<Measurement> make_neighbour_measurement();
std::unique_ptr<Measurement> make_blocks_measurement();
std::unique_ptr<Measurement> make_match_measurement();
std::unique_ptr<Measurement> make_farrell_measurement();
std::unique_ptr<Measurement> make_alcantara_measurement(TimeFrames const& time_frames);
std::unique_ptr<Measurement> make_shortt_measurement();

}  // namespace slotscape
