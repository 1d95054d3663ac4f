#pragma once

#include "app/scene/option_text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The words between commas. Throws Error that names the option if one is empty.
std::vector<std::string> words_of(std::string_view option, std::string const& text);

/// A list that `read` reads word by word; `usual` if the option was not given.
template <class T, class Read>
std::vector<T> read_list(std::string_view option, std::string const& text, std::vector<T> usual, Read const& read)
{
  if (text.empty()) { return usual; }
  std::vector<T> list;
  for (std::string const& word : words_of(option, text)) { list.push_back(read(word)); }
  return list;
}

}  // namespace slotscape
