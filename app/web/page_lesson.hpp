#pragma once

#include "app/lessons/session.hpp"
#include "app/web/page_tables.hpp"

#include <memory>
#include <string>

namespace slotscape::web {

/// A lesson on a web page, driven by requests; both a request and the page shown after it are JSON. The page itself is
/// in assets/web.
///
///   { "do": "go_to", "page": 2 }            restart, another, hint: without more
///   { "do": "choose", "option": 0 }
///   { "do": "answer", "text": "1/(1-0.75)" }
///   { "do": "press", "button": 0 }
///   { "do": "keys", "operation": "insert", "text": "3, 20, 41" }
///   { "do": "change", "change": [...] }     as lessons write it: steps, or changes to the set-up
///   { "do": "set", "name": "hash", "value": "murmur3" }
///   { "do": "rehash", "slots": 32 }         or as many as the family takes
///   { "do": "step", "position": 3 }         of the operation that is stepped through
///   { "do": "trace", "operation": "find", "text": "42" }, { "do": "leave" }
///   { "do": "show" }
class PageLesson {
public:
  /// `document`: a lesson in the format of its file, including the set-ups that it names. `progress`: earlier progress,
  /// with the seed. `work` can cancel the page's work. Throws Error if the document is invalid.
  PageLesson(Json document, std::string const& name, lessons::Progress progress, Progress work = {});

  /// Executes the request and returns what to show, with a `complaint` if the request or answer is invalid. Throws
  /// Cancelled if `work` cancelled it; the page is then unusable.
  Json ask(Json const& request);

  lessons::Session const& session() const { return session_; }

private:
  void perform(Json const& request);
  void answer(std::string const& text);
  void on_keys(Json const& request);
  void change_setting(std::string const& name, std::string const& value);
  /// Works until the session has everything it requested.
  void settle();

  Json shown();
  Json shown_task();
  Json shown_answer();

  Progress work_;
  lessons::Session session_;
  std::unique_ptr<PageTables> tables_;
  std::string complaint_;
  std::string said_;  ///< message about the last operation on typed keys
};

/// Why a web page cannot run a lesson page, including the changes by its buttons, options and solution: this needs
/// tables with the same numbers on every device, and small enough for a phone. "its keys are in a file"; empty if it
/// can.
std::string why_not_here(SceneList scenes, lessons::Page const& page);

}  // namespace slotscape::web
