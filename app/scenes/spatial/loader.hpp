#pragma once

#include "app/clouds/load_cloud.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/simulation/simulation.hpp"

#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// What a model is to be replaced by.
struct ModelRequest {
  spatial::Model model;
  ModelSettings settings;
  std::uint64_t seed;
};

/// Opens models on threads of their own, at most one for each; whoever owns it goes on meanwhile.
class ModelLoader {
public:
  ~ModelLoader() { cancel(); }

  /// What was being opened for the same model is given up.
  void start(ModelRequest const& request);
  void cancel();
  bool busy() const { return !jobs_.empty(); }
  /// How far the slowest is, in words for people.
  std::optional<Progress> progress() const;

  struct Result {
    ModelRequest request;
    clouds::PointCloud cloud;
    std::exception_ptr error;  ///< in place of the cloud; none where it was cancelled, which gives no result
  };
  /// One that has ended since the last call.
  std::optional<Result> take_result();

private:
  struct Job {
    ModelRequest request;
    std::shared_ptr<clouds::Progress> progress;
    std::future<clouds::PointCloud> cloud;
  };

  void forget_ended();

  std::vector<Job> jobs_;
  std::vector<Job> given_up_;  ///< until their threads have noticed
};

/// At once. Throws Error where it cannot be opened.
clouds::PointCloud open_model(ModelRequest const& request);
/// What people call a source: the label of a built-in shape, or the file's name.
std::string label_of_source(std::string const& source);

}  // namespace slotscape
