#include "app/shell/scene_news.hpp"

#include "app/base/findings.hpp"

#include <algorithm>

namespace slotscape {

void SceneNews::begin()
{
  toasts_.dismiss_scene_notice();
  last_notice_.clear();
}

void SceneNews::tell_findings(Scene const& scene)
{
  Findings const findings = scene.findings();
  for (std::string const& finding : findings) {
    if (std::ranges::find(told_, finding) != told_.end()) { continue; }
    print_finding(finding);
    if (!scene.shows(finding)) {
      toasts_.notice(finding);
      shown_.push_back(finding);
    }
  }
  std::erase_if(shown_, [&](std::string const& shown) {
    bool const holds = std::ranges::find(findings, shown) != findings.end();
    if (!holds) { toasts_.dismiss(shown); }
    return !holds;
  });
  add_findings(told_, findings);  // another scene with the same data does not repeat them
}

void SceneNews::tell_notice(Scene const& scene)
{
  std::string const notice = scene.notice();
  if (notice != last_notice_ && !notice.empty()) { toasts_.scene_notice(notice); }
  last_notice_ = notice;
}

}  // namespace slotscape
