#pragma once

#include "app/scene/scene.hpp"
#include "app/widgets/toasts.hpp"

#include <string>

namespace slotscape {

/// Tells the user what a scene has to say: each finding once, and each notice as it changes.
class SceneNews {
public:
  explicit SceneNews(Toasts& toasts) : toasts_(toasts) {}

  /// Another scene is shown: what the one before said does not hold any more.
  void begin();
  /// The scene has waited: what it said when it was left is not news.
  void come_back(Scene const& scene) { last_notice_ = scene.notice(); }
  /// The findings of the scene were told before.
  void note_told(Scene const& scene) { add_findings(told_, scene.findings()); }
  /// Whoever opens a file again is told again.
  void forget_told() { told_.clear(); }

  void tell_findings(Scene const& scene);
  void tell_notice(Scene const& scene);

private:
  Toasts& toasts_;
  std::string last_notice_;
  Findings told_;   ///< since a file was opened
  Findings shown_;  ///< as notices, as long as they hold
};

}  // namespace slotscape
