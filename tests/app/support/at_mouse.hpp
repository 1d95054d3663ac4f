#pragma once

#include "app/shell/app.hpp"

#include <imgui.h>

namespace slotscape::test {

/// Moves there and clicks, frame by frame, and lets the program answer.
inline void click(App& app, float x, float y)
{
  ImGui::GetIO().AddMousePosEvent(x, y);
  app.frame(0.05);
  for (bool const down : {true, false}) {
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
    app.frame(0.05);
  }
  for (int i = 0; i < 3; ++i) { app.frame(0.05); }
}

}  // namespace slotscape::test
