#pragma once

#include "app/clouds/geometry.hpp"
#include "app/clouds/load_cloud.hpp"

namespace slotscape::clouds {

/// The points of a file without faces. `name` is that of the file, for messages. Throws Error where no point is left,
/// Cancelled.
PointCloud cloud_of_points(Geometry const& geometry, std::string const& name, LoadSettings const& settings,
                           Progress& progress);

/// Points spread evenly over the faces of a file, with the file's normals where it has them, else those of the
/// triangles, which are turned outwards where the surface is closed. Throws as above.
PointCloud cloud_of_mesh(Geometry const& geometry, std::string const& name, LoadSettings const& settings,
                         Progress& progress);

}  // namespace slotscape::clouds
