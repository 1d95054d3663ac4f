#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace slotscape {

/// The label of a control in the current language. The English label is the control's identifier in every language:
/// "Zurück###Back".
std::string translated_label(std::string_view english);
/// A button with a translated label.
bool text_button(std::string_view english, ImVec2 const& size = {0.0f, 0.0f});

}  // namespace slotscape
