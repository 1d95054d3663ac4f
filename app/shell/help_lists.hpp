#pragma once

#include "app/lessons/library.hpp"
#include "app/scene/commands.hpp"
#include "app/shell/menu.hpp"

#include <vector>

namespace slotscape {

/// The list of keys, and the glossary.
class HelpLists {
public:
  HelpLists(lessons::Library const& library, bool shows_keys) : library_(library), shows_keys_(shows_keys) {}

  bool shows_keys() const { return shows_keys_; }
  /// Throws Error if the glossary is not installed.
  void show_words() { words_.show(library_.words()); }
  /// Closes the topmost list. Returns whether one was open.
  bool close();
  void draw(Look const& look, MenuContext const& menus);

  void add_commands(std::vector<Command>& commands);

private:
  lessons::Library const& library_;
  lessons::WordList words_;
  bool shows_keys_;
};

}  // namespace slotscape
