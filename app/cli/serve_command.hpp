#pragma once

#include "app/serve/server.hpp"

#include <string>

namespace CLI {
class App;
}

namespace slotscape {

/// `slotscape serve [SCENARIO.json] ...`: the window in a browser.
class ServeCommand {
public:
  /// Adds the command and its options to a command line that is about to be parsed. Values typed for `scenario` and
  /// `stats` are stored in the arguments.
  ServeCommand(CLI::App& app, std::string& scenario, std::string& stats);
  ServeCommand(ServeCommand const&) = delete;
  ServeCommand& operator=(ServeCommand const&) = delete;

  CLI::App& command() const { return *command_; }
  /// Reads the options; the parser may be destroyed afterwards. Throws Error if one is invalid.
  void interpret();

  serve::ServerSettings settings;  ///< options, as interpreted

private:
  struct Typed {
    std::string port;
    std::string address;
    std::string origins;
    std::string viewers;
  };
  Typed typed_;
  CLI::App* command_;
};

}  // namespace slotscape
