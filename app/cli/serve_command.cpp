#include "app/cli/serve_command.hpp"

#include "app/base/option_text.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace slotscape {

ServeCommand::ServeCommand(CLI::App& app, std::string& scenario, std::string& stats)
    : command_(app.add_subcommand("serve", "show the window in browsers, on this machine or through an SSH tunnel"))
{
  command_->fallthrough();
  command_->add_option("SCENARIO.json", scenario, "the scenario to run; without one, the gallery opens");
  command_->add_option("--port", typed_.port, "port to listen at; 0: any that is free (default 8080)")->type_name("N");
  command_
      ->add_option("--address", typed_.address,
                   "numeric address to listen at, such as 0.0.0.0 for all; not encrypted (default: only this machine)")
      ->type_name("ADDRESS");
  command_
      ->add_option("--origin", typed_.origins,
                   "where a proxy in front shows it, such as https://slots.example.org; or several, with commas")
      ->type_name("LIST");
  command_->add_option("--viewers", typed_.viewers, "how many may look besides the one who drives (default 10)")
      ->type_name("N");
  command_->add_option("--stats", stats, "write the statistics at the end")->type_name("OUT.json");
}

void ServeCommand::interpret()
{
  read_whole("--port", typed_.port, 0, std::numeric_limits<std::uint16_t>::max(), settings.port);
  read_whole("--viewers", typed_.viewers, 0, serve::max_viewers, settings.viewers);
  settings.address = typed_.address;
  settings.origins = serve::origins_in(typed_.origins);
}

}  // namespace slotscape
