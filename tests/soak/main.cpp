// Everything at once, for hours: see scripts/soak.

#include "app/base/heaps.hpp"
#include "app/shell/last_session.hpp"
#include "gpu/base/error.hpp"
#include "tests/soak/cycle.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>

namespace slotscape::soak {
namespace {

constexpr double seconds_a_minute = 60.0;

Record continue_statistics_of(Plan const& plan, std::uint64_t seed)
{
  Record record = read(plan.state);
  Backend const backend = decide_backend(plan.backend).backend;
  if (record.runs != 0 && record.backend != backend) {
    throw Error(fmt::format("{} was made on another backend: choose that, or another --state.", plan.state.string()));
  }
  if (record.runs == 0) { record.seed = seed; }
  record.backend = backend;
  ++record.runs;
  return record;
}

/// Returns the exit status.
int run(Plan const& plan, std::uint64_t seed)
{
  for (char const* const display : {"DISPLAY", "WAYLAND_DISPLAY"}) { ::unsetenv(display); }  // nobody answers dialogs
  Record record = continue_statistics_of(plan, seed);
  if (record.runs > 1) {
    fmt::print("going on after {} cycles in {:.1f} minutes\n", record.cycles, record.seconds / seconds_a_minute);
  }
  Program program(plan, record);
  SessionSaver const saver([&] { program.save(); });
  for (std::size_t cycle = 1; !program.over(); ++cycle) {
    if (Cycle(program, record.cycles, plan.cycle_seconds).run() && !program.over()) { program.take_sample(cycle); }
  }
  program.save();
  fmt::print("\n{}", record.text());
  return record.problems().empty() ? 0 : 1;
}

/// Reads the command line, and runs. Returns the exit status.
int run(int argc, char** argv)
{
  Plan plan{.state = "soak.json"};
  double minutes = 9.0;
  std::string backend = "auto";
  std::uint64_t seed = 1;
  CLI::App options(
      "Runs all of Slotscape at once, and looks for leaks, long frames and errors. Exit status 1: it found "
      "some. A run goes on where the one before ended, however it did.");
  options.add_option("--minutes", minutes, "of this run")->check(CLI::PositiveNumber)->capture_default_str();
  options.add_option("--state", plan.state, "the file that the next run goes on from")
      ->take_last()
      ->capture_default_str();
  options.add_option("--backend", backend)->check(CLI::IsMember({"auto", "cpu", "cuda"}))->capture_default_str();
  options.add_option("--cycle", plan.cycle_seconds, "seconds, at whose end memory and handles are counted")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  options.add_option("--seed", seed, "of a first run")->capture_default_str();
  options
      .add_option(
          "--tell-after", plan.told_frame_ms,
          "milliseconds of processor time after which the calls are told that a frame is in, and again and again")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  options.add_flag("--draw", plan.draws, "frames become pixels, which takes most of the time without a GPU");
  CLI11_PARSE(options, argc, argv);
  plan.seconds = minutes * seconds_a_minute;
  plan.backend = backend == "cpu"    ? BackendChoice::cpu
                 : backend == "cuda" ? BackendChoice::cuda
                                     : BackendChoice::automatic;
  return run(plan, seed);
}

}  // namespace
}  // namespace slotscape::soak

int main(int argc, char** argv)
{
  slotscape::share_heaps();
  try {
    return slotscape::soak::run(argc, argv);
  } catch (slotscape::Error const& error) {
    fmt::print(stderr, "slotscape_soak: {}\n", error.what());
    return 2;
  } catch (std::exception const& error) {
    fmt::print(stderr, "slotscape_soak: {}\n", error.what());
    return 1;
  }
}
