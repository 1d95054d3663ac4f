#pragma once

#include "app/base/setting.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/settings.hpp"
#include "gpu/sparse/engine.hpp"

#include <array>
#include <optional>
#include <string>

namespace slotscape {

inline constexpr std::array<std::uint32_t, 9> site_grids{16, 24, 32, 48, 64, 96, 128, 256, 512};
inline constexpr std::uint32_t smallest_site_grid = 4;
inline constexpr std::uint32_t largest_site_grid = 4096;
inline constexpr int max_layers = 8;

/// The source of the sites.
struct SiteSource {
  std::string name = "torus_knot";  ///< a built-in shape, `spiral_name`, or the path of a model or of a .npy file
  std::uint64_t points = 160000;    ///< number of samples on a shape or mesh
  std::uint32_t grid = 64;          ///< sites along each axis; a .npy file has its own extents
  std::uint64_t seed = 1;
  bool ignore_outliers = false;  ///< ignore points of a cloud far outside all others
  double voxel = 0.0;            ///< side of a cell in the file's units, instead of `grid`; 0: use `grid`
  friend bool operator==(SiteSource const&, SiteSource const&) = default;
};

/// Two views of the sites. Flat tensors only have one slice.
enum class SiteView : std::uint8_t { space, slice };

/// The axis perpendicular to a slice.
enum class SliceAxis : std::uint8_t { x, y, z };

struct SparseSceneSettings {
  SiteSource source;
  sparse::SparseSettings convolution;
  int layers = 4;  ///< number of layers counted, 0 to `max_layers`
  SiteView view = SiteView::space;
  SliceAxis slice_across = SliceAxis::z;
  double slice_at = 0.5;   ///< share of the extent, 0 to 1
  std::int32_t batch = 0;  ///< batch shown in the slice
  bool show_map = true;
  ViewSettings map{.color_by = ColorBy::probe_length};
  friend bool operator==(SparseSceneSettings const&, SparseSceneSettings const&) = default;
};

struct SparseSetup {
  SparseSceneSettings settings = {};
  std::optional<sparse::Site> selected = {};  ///< the selected output, if any
};
template <>
std::span<Setting<SiteSource> const> settings_of();
template <>
std::span<Setting<sparse::SparseSettings> const> settings_of();
template <>
std::span<Setting<SparseSceneSettings> const> settings_of();
template <>
std::span<Setting<SparseSetup> const> settings_of();

template <>
std::span<EnumName<sparse::Mode> const> enum_names();
template <>
std::span<EnumName<sparse::Order> const> enum_names();
template <>
std::span<EnumName<sparse::Search> const> enum_names();
template <>
std::span<EnumName<SiteView> const> enum_names();
template <>
std::span<EnumName<SliceAxis> const> enum_names();

/// Changes settings that do not fit the mode or the search to ones that do.
void reconcile(sparse::SparseSettings& convolution);

}  // namespace slotscape
