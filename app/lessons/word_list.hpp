#pragma once

#include "app/widgets/look.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slotscape::lessons {

/// One of the program's words, with what it means in Markdown: "**slot**: a place for one key and its value."
using Explanation = std::string;

/// The items of the first list in a Markdown file, one a line. Throws Error if the file cannot be read or has none.
std::vector<Explanation> read_word_list(std::filesystem::path const& file);
/// Those in which the text occurs, whatever its case: first those whose word begins with it.
std::vector<Explanation> words_with(std::vector<Explanation> const& all, std::string_view text);

/// A window with what the program's words mean, and a field to look for them.
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
