#include "app/widgets/labels.hpp"

#include "gpu/base/translation.hpp"

namespace slotscape {

std::string translated_label(std::string_view english)
{
  std::string label = translated(english);
  return label == english ? label : fmt::format("{}###{}", label, english);
}

bool text_button(std::string_view english, ImVec2 const& size)
{
  return ImGui::Button(translated_label(english).c_str(), size);
}

}  // namespace slotscape
