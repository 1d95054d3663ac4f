#pragma once

#include "app/base/json.hpp"
#include "app/scene/facts.hpp"
#include "gpu/base/progress.hpp"

#include <any>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// A scene's settings and initial steps, in the scene's own type. Saved in scenarios and in the settings file.
using SceneSetup = std::any;

/// The statistics that a scene writes.
struct SceneStatistics {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  Json json;
  std::vector<std::pair<std::filesystem::path, std::string>> tables;  ///< CSV files: path in the folder, and content
};

/// A scene as lessons (app/lessons) see it, through its scenarios and statistics, with or without a window. The
/// defaults are those of a scene that takes no steps.
class Subject {
public:
  Subject() = default;
  Subject(Subject const&) = delete;
  Subject& operator=(Subject const&) = delete;
  virtual ~Subject() = default;

  /// Whether all requests are done, such as the steps of the set-up.
  virtual bool ready() const = 0;
  /// The current work on requests and its progress; nothing if unknown.
  virtual std::optional<ProgressSnapshot> awaited() const { return std::nullopt; }
  /// Performs a list of steps after those requested earlier. Throws Error if one is invalid; see
  /// `SceneEntry::check_steps`.
  virtual void perform(JsonNode const& steps) { steps.fail("this scene takes no steps"); }
  /// Predicts an operation on a key, without running it: its `slot`, `accesses` and so on. Throws Error if the
  /// operation is invalid.
  virtual Json predict(JsonNode const& operation) { operation.fail("this scene cannot predict operations"); }
  /// The slot that the user clicked, until the choice is cleared.
  virtual std::optional<Slot> chosen_slot() const { return std::nullopt; }
  virtual SceneStatistics statistics(FrameTimes const&) { return {}; }
};

}  // namespace slotscape
