#pragma once

#include "app/scenario/json_node.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <filesystem>

namespace slotscape {

/// The object `spatial` of a scenario or of the user's settings; what is not there keeps its default. Files of models
/// are found relative to `folder`. Throws Error at a wrong field.
SpatialSceneSettings read_spatial_settings(JsonNode const& node, std::filesystem::path const& folder);

/// For `read_spatial_settings`. Files in or under `folder` are named relative to it.
Json spatial_settings_json(SpatialSceneSettings const& settings, std::filesystem::path const& folder);

}  // namespace slotscape
