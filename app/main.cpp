#include "app/command_line.hpp"
#include "app/devices.hpp"
#include "app/headless.hpp"
#include "app/window_loop.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace {

void run(slotscape::Options const& options)
{
  using slotscape::Command;
  if (options.command == Command::devices) {
    fmt::print("{}", slotscape::describe_devices());
  } else if (options.headless) {
    slotscape::run_headless(options);
  } else {
    slotscape::run_window(options);
  }
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    if (auto const options = slotscape::parse_command_line(argc, argv)) { run(*options); }
    return 0;
  } catch (slotscape::Error const& error) {
    fmt::print(stderr, "slotscape: {}\n", error.what());
    return 2;
  } catch (std::exception const& error) {
    fmt::print(stderr, "slotscape: {}\n", error.what());
    return 1;
  }
}
