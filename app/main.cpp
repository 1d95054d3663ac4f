#include "app/base/encoding.hpp"
#include "app/base/heaps.hpp"
#include "app/cli/command_line.hpp"
#include "app/languages/languages.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/run.hpp"
#include "app/shell/settings_file.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/work.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>

namespace {

/// Reports out of memory in plain words.
struct OutOfMemory : std::bad_alloc {
  char const* what() const noexcept override
  {
    return "There is not enough memory: choose a smaller table or model, or close other programs.";
  }
};
[[noreturn]] void say_out_of_memory()
{
  throw OutOfMemory();
}

/// The language comes from the command line, the saved settings, or the environment, in this order. Commands whose
/// output is for terminals and other programs use English.
void choose_language(slotscape::Options const& options)
{
  using slotscape::Verb;
  if (options.verb == Verb::devices || options.verb == Verb::bench || options.verb == Verb::tune) { return; }
  std::string language = options.language;
  if (language.empty()) { language = slotscape::saved_language(slotscape::settings_path(options.config)); }
  slotscape::use_language(language.empty() ? slotscape::language_of_environment() : language);
}

int run(slotscape::Options const& options)
{
  using slotscape::Verb;
  if (!options.devices.empty()) { slotscape::choose_cuda_devices(options.devices); }
  if (options.verb == Verb::devices) {
    fmt::print("{}", slotscape::describe_devices());
  } else if (options.verb == Verb::bench) {
    return options.bench->run(options.backend, options.seed);
  } else if (options.verb == Verb::tune) {
    return options.tune->run(options.backend, options.seed, options.devices);
  } else if (options.verb == Verb::lesson) {
    return slotscape::run_lesson(options);
  } else if (options.verb == Verb::serve) {
    return slotscape::run_serve(options);
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
  slotscape::share_heaps();
  std::set_new_handler(say_out_of_memory);
#if defined(SIGXFSZ)              // not available on Windows
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit becomes an error, like a full disk
#endif
  try {
    auto const options =
        slotscape::parse_command_line(argc, argv, slotscape::scenes(), slotscape::time_frames, choose_language);
    int const status = options ? run(*options) : 0;
    bool const is_lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    if (is_lost && status == 0) {
      throw slotscape::Error("standard output cannot be written: " + std::generic_category().message(errno));
    }
    return status;
  } catch (slotscape::Error const& error) {
    fmt::print(stderr, "slotscape: {}\n", slotscape::printable(error.what()));
    return 2;
  } catch (std::bad_alloc const& error) {
    fmt::print(stderr, "slotscape: {}\n", error.what());
    return 2;
  } catch (std::system_error const& error) {
    bool const is_thread = error.code() == std::errc::resource_unavailable_try_again;
    fmt::print(stderr, "slotscape: {}\n", is_thread ? slotscape::no_thread : slotscape::printable(error.what()));
    return is_thread ? 2 : 1;
  } catch (std::exception const& error) {
    fmt::print(stderr, "slotscape: {}\n", slotscape::printable(error.what()));
    return 1;
  }
}
