#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace slotscape {

/// The label of a control in the language in use. What identifies the control is the English one in every language:
/// "Zurück###Back".
std::string translated_label(std::string_view english);
/// A button with such a label.
bool text_button(std::string_view english, ImVec2 const& size = {0.0f, 0.0f});

}  // namespace slotscape
