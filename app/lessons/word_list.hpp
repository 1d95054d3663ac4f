#pragma once

#include "app/widgets/look.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slotscape::lessons {

/// A glossary entry in Markdown: "**slot**: a place for one key and its value."
using Explanation = std::string;

/// The items of the first list in a Markdown file, one per line. Throws Error if the file cannot be read or has no
/// list.
std::vector<Explanation> read_word_list(std::filesystem::path const& file);
/// The entries that contain the text, ignoring case; entries whose term begins with it come first.
std::vector<Explanation> words_with(std::vector<Explanation> const& all, std::string_view text);

/// A window with the glossary and a search field.
class WordList {
public:
  void show(std::vector<Explanation> words);
  void close() { words_.clear(); }
  bool open() const { return !words_.empty(); }
  /// Draws one frame; a click beside the window closes it.
  void draw(Look const& look);

private:
  std::vector<Explanation> words_;
  std::string wanted_;
};

}  // namespace slotscape::lessons
