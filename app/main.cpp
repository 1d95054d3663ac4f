#include "app/base/encoding.hpp"
#include "app/cli/command_line.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/run.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace {

int run(slotscape::Options const& options)
{
  using slotscape::Verb;
  if (options.device) { slotscape::choose_cuda_device(*options.device); }
  if (options.verb == Verb::devices) {
    fmt::print("{}", slotscape::describe_devices());
  } else if (options.verb == Verb::bench) {
    return options.bench->run(options.backend, options.seed);
  } else if (options.verb == Verb::tune) {
    return options.tune->run(options.backend, options.seed);
  } else if (options.verb == Verb::lesson) {
    return slotscape::run_lesson(options);
  } else if (options.headless) {
    return slotscape::run_headless(options);
  } else {
    slotscape::run_window(options);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    auto const options = slotscape::parse_command_line(argc, argv, slotscape::scenes(), slotscape::time_frames);
    if (options) { return run(*options); }
    return 0;
  } catch (slotscape::Error const& error) {
    fmt::print(stderr, "slotscape: {}\n", slotscape::printable(error.what()));
    return 2;
  } catch (std::exception const& error) {
    fmt::print(stderr, "slotscape: {}\n", slotscape::printable(error.what()));
    return 1;
  }
}
