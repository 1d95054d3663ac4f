#pragma once

#include "app/lessons/lesson.hpp"
#include "app/scene/scene.hpp"
#include "app/table_scene/example_page.hpp"

#include <memory>
#include <string>

namespace slotscape {

/// A page as its readers will see it, or the reason why it is invalid.
struct TriedPage {      // NOLINT(bugprone-exception-escape): moving a Json does not throw
  std::string problem;  ///< a sentence that says what to do; empty: no problem
  Json page;            ///< the page as JSON, for a lesson's list of pages
  std::string title;
  std::string text;  ///< Markdown, with numbers from its scene
  std::string ask;
  std::uint64_t answer = 0;
};

/// Tries pages out on a separate table, which is made as in a lesson.
class PageTrial {
public:
  PageTrial(SceneEntry const& scene, DeviceFacts device) : scene_(scene), device_(std::move(device)) {}

  /// `repeats`: whether the steps of the set-up give the same table everywhere; if so, the page states its answer.
  TriedPage try_out(ExamplePage const& page, TableSetup const& set_up, bool repeats);

private:
  void build_table(TableSetup const& set_up, Scenario const& scenario);

  SceneEntry const& scene_;
  DeviceFacts device_;
  TableSetup built_from_;
  std::unique_ptr<Scene> table_;  ///< of the latest set-up; null: none yet
};

}  // namespace slotscape
