#pragma once

#include "app/scene/scene.hpp"
#include "app/widgets/toasts.hpp"

#include <string>

namespace slotscape {

/// Shows a scene's messages: each finding once, and each notice when it changes.
class SceneNews {
public:
  explicit SceneNews(Toasts& toasts) : toasts_(toasts) {}

  /// Clears messages of the previous scene when another one is shown.
  void begin();
  /// Resumes a scene after it has waited: its earlier notice is not news.
  void come_back(Scene const& scene) { last_notice_ = scene.notice(); }
  /// Notes that the scene's findings have already been shown.
  void note_told(Scene const& scene) { add_findings(told_, scene.findings()); }
  /// Makes findings appear again, for a file that is opened again.
  void forget_told() { told_.clear(); }

  void tell_findings(Scene const& scene);
  void tell_notice(Scene const& scene);

private:
  Toasts& toasts_;
  std::string last_notice_;
  Findings told_;   ///< since a file was opened
  Findings shown_;  ///< findings shown as notices, while they hold
};

}  // namespace slotscape
