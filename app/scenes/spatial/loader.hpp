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

/// What to replace a model with.
struct ModelRequest {
  spatial::Model model;
  ModelSettings settings;
  std::uint64_t seed;
  bool goes_back = false;  ///< to what an undo or a redo leads to: it stands as the settings say
};

/// A model as the scene takes it over.
struct OpenedModel {
  clouds::PointCloud cloud;
  std::unique_ptr<spatial::OrderedPoints> points;  ///< the same, for the scene's engine
};

/// Opens models beside the frames, normals included; A and B at the same time.
class ModelLoader {
public:
  using Opening = Work<ModelRequest, OpenedModel>;

  explicit ModelLoader(Backend backend);
  /// Abandons what was being opened for the same model.
  void start(ModelRequest const& request);
  void cancel();
  void cancel(spatial::Model model);
  bool busy() const { return slowest() != nullptr; }
  /// Waits for all that is being opened, up to so many seconds; nothing: until it is.
  void wait(std::optional<double> seconds) const;
  /// The progress of the slowest one, in words.
  std::optional<ProgressSnapshot> progress() const;
  /// What has ended since the last call, unless it was cancelled.
  std::optional<Opening::Outcome> take();

private:
  /// Of those that were not cancelled; null if there is none.
  Opening const* slowest() const;

  std::array<Opening, 2> openings_;  ///< indexed by model
  std::array<bool, 2> wanted_{};
};

/// The files that can be opened as models.
FileKind model_kind();
/// Opens it, with normals. Throws Error if it cannot be opened, and Cancelled.
OpenedModel open_model(ModelRequest const& request, Backend backend, Progress const& progress = {});
/// The display name of a source: the label of a built-in shape, or the file's name.
std::string label_of_source(std::string const& source);

}  // namespace slotscape
