#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/scene/facts.hpp"
#include "app/scenes/sparse/convolver.hpp"
#include "app/scenes/sparse/settings.hpp"
#include "app/simulation/action.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/map_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slotscape {

/// Requests from the user to the scene.
struct AskForSites {};
struct ShowAllSites {};
using SparseRequest = std::variant<AskForSites, ShowAllSites>;

/// The chosen output, and what it reads.
struct ChosenOutput {
  sparse::Site site;
  std::uint32_t row;
  std::vector<std::uint32_t> neighbours;  ///< the input row at each offset, or `sparse::no_row`
  std::size_t lookups = 0;                ///< of its neighbours, without those outside the tensor
};

/// Everything that the panels and views read and edit. These change settings and add to `requests`.
struct SparseState {
  SparseSceneSettings settings;
  DeviceFacts device;

  /// --- the shown convolution; empty before the first one, and while the engine works.
  std::optional<SparseQuery> shown;
  sparse::SparseSnapshot snapshot;
  sparse::Kernel kernel;
  sparse::Extents input_extents;
  sparse::Extents output_extents;
  std::uint64_t points = 0;         ///< as in `Sites`
  std::uint64_t repeated = 0;       ///< duplicate sites, left out
  double voxel_size = 0.0;          ///< in the file's units; 0: unknown
  clouds::Position origin;          ///< as in `Sites`
  clouds::CoordinateSystem system;  ///< the file's coordinate system
  std::uint64_t outliers = 0;       ///< as in `Sites`
  MapState table;                   ///< state of the slot map
  HashField hash_field;
  std::uint64_t table_bytes = 0;
  std::optional<LayerGrowth> growth;
  bool counts_layers = false;

  std::optional<ChosenOutput> chosen;
  std::optional<std::uint32_t> pointed_offset;  ///< the offset under the mouse in the cube of offsets
  std::int32_t slice_index = 0;
  std::int32_t slice_coordinate = 0;
  std::int32_t slice_depth = 1;

  std::optional<ProgressSnapshot> progress;
  std::string notice;
  std::vector<SparseRequest> requests;

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
  bool is_flat() const { return input_extents.flat; }
};

}  // namespace slotscape
