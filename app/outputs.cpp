#include "app/outputs.hpp"

#include "app/app.hpp"

namespace slotscape {

void check_outputs(Options const& options)
{
  if (!options.screenshot.empty()) { check_writable(options.screenshot); }
  if (!options.stats.empty()) { check_writable(options.stats); }
  if (!options.csv.empty()) { check_writable_folder(options.csv); }
  for (std::filesystem::path const& file : {options.spatial.save_result, options.spatial.save_voxels}) {
    if (!file.empty()) { check_writable(file); }
  }
}

void save_models(App& app, Options const& options)
{
  if (!options.spatial.save_result.empty()) { app.spatial_scene().save_result(options.spatial.save_result); }
  if (!options.spatial.save_voxels.empty()) { app.spatial_scene().save_voxels(options.spatial.save_voxels); }
}

}  // namespace slotscape
