#pragma once

#include "app/clouds/load_cloud.hpp"
#include "app/scene/file_question.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "gpu/base/work.hpp"
#include "gpu/spatial/engine.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace slotscape {

/// A request to replace a model.
struct ModelRequest {
  spatial::Model model;
  ModelSettings settings;
  std::uint64_t seed;
  bool goes_back = false;  ///< for undo or redo: the model takes the place in `settings`
};

/// An opened model, for the scene to take over.
struct OpenedModel {
  clouds::PointCloud cloud;
  std::unique_ptr<spatial::OrderedPoints> points;  ///< the cloud's points, prepared for the scene's engine
};

/// Opens models in the background, including normals; A and B concurrently.
class ModelLoader {
public:
  using Opening = Work<ModelRequest, OpenedModel>;

  explicit ModelLoader(Backend backend);
  /// Cancels a previous request for the same model.
  void start(ModelRequest const& request);
  void cancel();
  void cancel(spatial::Model model);
  bool busy() const { return slowest() != nullptr; }
  /// Waits up to this many seconds for all openings; without a limit, until they have ended.
  void wait(std::optional<double> seconds) const;
  /// The progress of the slowest opening, as text.
  std::optional<ProgressSnapshot> progress() const;
  /// The outcome of an opening that ended since the last call and was not cancelled.
  std::optional<Opening::Outcome> take();

private:
  /// The slowest opening that was not cancelled, or null.
  Opening const* slowest() const;

  std::array<Opening, 2> openings_;  ///< indexed by model
  std::array<bool, 2> wanted_{};
};

/// The kinds of files that can be opened as models.
FileKind model_kind();
/// Opens a model, including normals. Throws Error if it cannot be opened, or Cancelled.
OpenedModel open_model(ModelRequest const& request, Backend backend, Progress const& progress = {});
/// The display name of a source: the label of a built-in shape, or the file's name.
std::string label_of_source(std::string const& source);

}  // namespace slotscape
