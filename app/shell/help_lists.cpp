#include "app/shell/help_lists.hpp"

#include <utility>

namespace slotscape {

bool HelpLists::close()
{
  if (words_.open()) {
    words_.close();
    return true;
  }
  return std::exchange(shows_keys_, false);
}

void HelpLists::draw(Look const& look, MenuContext const& menus)
{
  draw_key_list(look, menus, shows_keys_);
  words_.draw(look);
}

void HelpLists::add_commands(std::vector<Command>& commands)
{
  commands.push_back({.keys = "H, ?, F1",
                      .group = program_group,
                      .what = "Show or hide this list",
                      .menu = "Help",
                      .label = "Keyboard shortcuts",
                      .run = [this] { shows_keys_ = !shows_keys_; }});
  commands.push_back({.menu = "Help", .label = "Words", .run = [this] { show_words(); }});
}

}  // namespace slotscape
