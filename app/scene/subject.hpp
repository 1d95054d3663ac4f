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

/// What lessons (app/lessons) are about, in the words of its scenarios and statistics: a scene, with or without a
/// window. The defaults are those of one that takes no steps.
class Subject {
public:
  Subject() = default;
  Subject(Subject const&) = delete;
  Subject& operator=(Subject const&) = delete;
  virtual ~Subject() = default;

  /// Whether what was asked for is done, such as the steps of the set-up.
  virtual bool ready() const = 0;
  /// How much of that is done, and what goes on now; nothing where it is not known.
  virtual std::optional<ProgressSnapshot> awaited() const { return std::nullopt; }
  /// Does a list of steps after those asked for before. Throws Error at an invalid one; see `SceneEntry::check_steps`.
  virtual void perform(JsonNode const& steps) { steps.fail("this scene takes no steps"); }
  /// What an operation on a key would do now, without doing it: its `slot`, `accesses` and so on. Throws Error at an
  /// invalid operation.
  virtual Json predict(JsonNode const& operation) { operation.fail("this scene cannot predict operations"); }
  /// The slot that the user clicked, until that is forgotten.
  virtual std::optional<Slot> chosen_slot() const { return std::nullopt; }
  virtual SceneStatistics statistics(FrameTimes const&) { return {}; }
};

}  // namespace slotscape
