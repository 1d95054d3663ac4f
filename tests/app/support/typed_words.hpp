#pragma once

#include "app/cli/command_line.hpp"
#include "app/registry/scenes.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape::test {

using Words = std::vector<char const*>;

/// What the program makes of these words after its name.
inline std::optional<Options> parse(Words words)
{
  words.insert(words.begin(), "slotscape");
  return parse_command_line(static_cast<int>(words.size()), words.data(), scenes());
}

/// What it says is wrong with them.
inline std::string wrong_in(Words const& words)
{
  return message_of<Error>([&] { parse(words); });
}

}  // namespace slotscape::test
