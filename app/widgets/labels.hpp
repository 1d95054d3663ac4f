#pragma once

#include <string>
#include <string_view>

namespace slotscape {

/// The label of a control in the language in use. What identifies the control is the English one in every language:
/// "Zurück###Back".
std::string translated_label(std::string_view english);

}  // namespace slotscape
