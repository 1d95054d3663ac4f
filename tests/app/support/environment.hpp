#pragma once

#include "tests/app/support/temporary_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape::test {

/// Sets an environment variable for the time of a test.
class Variable {
public:
  Variable(char const* name, std::string const& value) : name_(name)
  {
    if (char const* const before = std::getenv(name)) { before_ = before; }
    setenv(name, value.c_str(), 1);
  }
  ~Variable()
  {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(Variable const&) = delete;
  Variable& operator=(Variable const&) = delete;

private:
  char const* name_;
  std::optional<std::string> before_;
};

/// A program in the folder that runs this shell script, with the system's own programs.
inline std::filesystem::path write_program(TemporaryFolder const& folder, std::string_view name,
                                           std::string const& script)
{
  std::filesystem::path program = folder.write(name, "#!/bin/sh\nexport PATH=/usr/bin:/bin\n" + script + "\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return program;
}

}  // namespace slotscape::test
