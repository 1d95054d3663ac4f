#pragma once

#include "app/lessons/session.hpp"
#include "app/web/page_tables.hpp"

#include <memory>
#include <string>

namespace slotscape::web {

/// What a page of its own shows of a lesson, and what it asks: a request and the page after it, both as JSON. The page
/// itself is in assets/web.
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
  /// `document`: a lesson as its file has it, with the set-ups that it names. `progress`: of before, with the seed.
  /// Throws Error if it is invalid. work: may end what the page does.
  PageLesson(Json document, std::string const& name, lessons::Progress progress, Progress work = {});

  /// Does what was asked, and returns what to show: an invalid request or answer has a `complaint`. Throws Cancelled if
  /// `work` ended it; the page is then of no more use.
  Json ask(Json const& request);

  lessons::Session const& session() const { return session_; }

private:
  void perform(Json const& request);
  void answer(std::string const& text);
  void on_keys(Json const& request);
  void change_setting(std::string const& name, std::string const& value);
  /// Until the session has what it asked for.
  void settle();

  Json shown();
  Json shown_task();
  Json shown_answer();

  Progress work_;
  lessons::Session session_;
  std::unique_ptr<PageTables> tables_;
  std::string complaint_;
  std::string said_;  ///< about what was done with typed keys
};

/// Why a lesson page cannot run what a page shows, or what its buttons, options and solution make of it: that takes
/// tables whose numbers are the same on every device, and of a size that a phone can bear. "its keys are in a file";
/// empty if it can.
std::string why_not_here(SceneList scenes, lessons::Page const& page);

}  // namespace slotscape::web
