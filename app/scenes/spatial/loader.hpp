#pragma once

#include "app/clouds/load_cloud.hpp"
#include "app/scene/file_question.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/simulation/simulation.hpp"

#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// What to replace a model with.
struct ModelRequest {
  spatial::Model model;
  ModelSettings settings;
  std::uint64_t seed;
};

/// Opens models on threads of their own, at most one per model, without blocking their owner.
class ModelLoader {
public:
  ~ModelLoader() { cancel(); }

  /// Abandons what was being opened for the same model.
  void start(ModelRequest const& request);
  void cancel();
  bool busy() const { return !jobs_.empty(); }
  /// The progress of the slowest one, in words.
  std::optional<ProgressSnapshot> progress() const;

  struct Result {
    ModelRequest request;
    clouds::PointCloud cloud;
    std::exception_ptr error;  ///< instead of the cloud; a cancelled job has no result
  };
  /// A job that has ended since the last call.
  std::optional<Result> take_result();

private:
  struct Job {
    ModelRequest request;
    Progress progress;
    std::future<clouds::PointCloud> cloud;
  };

  void forget_ended();

  std::vector<Job> jobs_;
  std::vector<Job> given_up_;  ///< cancelled, but their threads still run
};

/// The files that can be opened as models.
FileKind model_kind();
/// Opens it at once. Throws Error if it cannot be opened.
clouds::PointCloud open_model(ModelRequest const& request);
/// The display name of a source: the label of a built-in shape, or the file's name.
std::string label_of_source(std::string const& source);

}  // namespace slotscape
