#pragma once

#include "app/lessons/check.hpp"
#include "app/lessons/library.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace slotscape::test {

inline constexpr char const* lesson_text = R"({ "version": 1, "title": "Test", "pages": [
  { "title": "Land", "text": "{key} of {[table/slots]}",
    "variables": { "home": { "from": 1, "to": 12 }, "q": { "from": 1, "to": 50 }, "key": { "is": "home + 16 * q" } },
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "key": "{home}" } ] },
    "task": { "kind": "prediction", "ask": "Where?", "operation": { "op": "insert", "key": "{key}" }, "asks": "slot",
              "answer": "home + 1" } },
  { "title": "Choose", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" } },
    "task": { "kind": "choice", "ask": "?", "keep_order": true,
              "options": [ { "text": "wrong", "tell": "No: {[table/live]} keys.", "show": [ { "op": "insert", "keys": [1, 2] } ] },
                           { "text": "right", "right": true } ] } },
  { "title": "Estimate", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" } },
    "task": { "kind": "number", "ask": "?", "after": [ { "op": "insert", "keys": [1, 17] } ],
              "answer": "[table/live]", "tell": "{[given]} against {[answer]}" } },
  { "title": "Reach", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
    "buttons": [ { "label": "Insert 4", "do": [ { "op": "insert", "keys": [4] } ] } ],
    "task": { "kind": "challenge", "ask": "?", "until": [ { "what": "keys", "of": "[table/live]", "at_least": 2 } ],
              "solution": [ { "op": "insert", "keys": [4] } ] } } ] })";

/// The lesson in the program, offscreen.
class LessonTest : public ::testing::Test {
protected:
  LessonTest() : app_(offscreen_app({1280, 720}, slots_scenario({.slots = 32}))) { app_->let_errors_out(); }

  std::vector<std::string> problems_of_first_page()
  {
    app_->lessons().start(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7});
    return lessons::check_page(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                           [this] {
                                             app_->frame(0.3);
                                             app_->current_scene().finish_steps({});
                                           }});
  }

  void start(LessonStart const& how = {.page = 0, .seed = 7})
  {
    file_ = folder_.write("test.json", lesson_text);
    app_->lessons().start(lessons::read_lesson(scenes(), file_, finder()), how);
    settle();
  }
  static lessons::FindFile finder() { return lessons::Library({}).finder(); }
  lessons::Session& session() { return *app_->lessons().session(); }
  lessons::TaskState const& task() { return session().task(); }
  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  void settle()
  {
    lessons::settle(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                [this] {
                                  app_->frame(0.3);
                                  app_->current_scene().finish_steps({});
                                }});
  }
  void play_out()
  {
    lessons::play_out(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                  [this] {
                                    app_->frame(0.3);
                                    app_->current_scene().finish_steps({});
                                  }});
  }
  /// Of the page in the lesson's panel.
  static ImGuiWindow const* page_window()
  {
    ImGuiWindow const* found = nullptr;
    for (ImGuiWindow const* const window : ImGui::GetCurrentContext()->Windows) {
      std::string_view const name = window->Name;
      bool const is_page = name.starts_with("##lesson/page ") && name.find('/', name.find('/') + 1) == name.npos;
      if (window->WasActive && is_page) { found = window; }
    }
    return found;
  }
  void go_to(std::size_t page)
  {
    session().go_to(page);
    settle();
  }
  void press(ImGuiKey key)
  {
    ImGui::GetIO().AddKeyEvent(key, true);
    app_->frame(0.05);
    ImGui::GetIO().AddKeyEvent(key, false);
    app_->frame(0.05);
  }
  void press_undo()
  {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    press(ImGuiKey_Z);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    app_->frame(0.05);
  }
  double variable(std::string_view name) { return std::get<double>(session().page().variables.find(name)->second); }

  TemporaryFolder folder_;
  std::filesystem::path file_;
  std::unique_ptr<App> app_;
};

}  // namespace slotscape::test
