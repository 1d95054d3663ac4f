#pragma once

#include "app/base/enum_names.hpp"
#include "app/export/slide.hpp"

namespace slotscape {

enum class SlideFormat : std::uint8_t { png, svg };

/// Asks for the settings of a picture for slides. Remembers the answers.
class SlideDialog {
public:
  void open() { opening_ = true; }
  SlideSettings const& settings() const { return settings_; }
  SlideFormat format() const { return format_; }
  /// Call every frame. Returns true when the user wants to save.
  bool draw(Look const& look);

private:
  void size_rows(Look const& look);
  void choice_rows(Look const& look);

  SlideSettings settings_;
  SlideFormat format_ = SlideFormat::png;
  bool opening_ = false;
};

}  // namespace slotscape
