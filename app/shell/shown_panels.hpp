#pragma once

#include "app/scene/commands.hpp"
#include "app/scene/facts.hpp"

#include <vector>

namespace slotscape {

/// Which panels of a scene are shown.
class ShownPanels {
public:
  explicit ShownPanels(Panels const& panels) : panels_(panels) {}

  Panels& panels() { return panels_; }
  Panels const& panels() const { return panels_; }

  /// Hides all panels, or restores the hidden ones.
  void toggle()
  {
    bool const any = panels_.controls || panels_.numbers || panels_.plots;
    if (any) { before_hiding_ = panels_; }
    Panels const& wanted = any ? no_panels : before_hiding_;
    panels_ = {wanted.controls, wanted.numbers, wanted.plots, wanted.slot_card, panels_.widths, panels_.all_settings};
  }

  void add_commands(std::vector<Command>& commands)
  {
    commands.push_back({.keys = "Tab",
                        .group = "VIEW",
                        .what = "Show or hide the panels",
                        .menu = "View",
                        .label = "Show or hide all panels",
                        .run = [this] { toggle(); }});
  }

private:
  Panels panels_;
  Panels before_hiding_;  ///< the hidden panels, which Tab restores
};

}  // namespace slotscape
