#include "app/cli/bench_command.hpp"

#include "app/base/files.hpp"
#include "app/base/interrupt.hpp"
#include "app/base/option_text.hpp"
#include "app/base/text.hpp"
#include "app/bench/progress.hpp"
#include "app/export/drawing_file.hpp"
#include "gpu/execution/parallel.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace slotscape {
namespace {

constexpr std::uint64_t max_repeats = 1000;
constexpr std::uint64_t max_threads = 1024;
constexpr double shortest_limit = 0.1;  ///< smallest value of --max-seconds
constexpr double longest_limit = 604800.0;
constexpr gl::Size bench_plot_size{1600, 1000};

/// Writes the files of a measurement and reports what was left out.
int finish(BenchReport const& report, BenchFiles const& files, bool whole)
{
  report.finish();
  if (!files.csv.empty()) { fmt::print("table      {}\n", files.csv.string()); }
  if (!files.json.empty()) { fmt::print("JSON       {}\n", files.json.string()); }
  if (std::size_t const others = report.of_other_keys(); others != 0) {
    fmt::print(stderr,
               "slotscape: note: {}: {} earlier {} for the keys that a file of this name had then. The new rows were "
               "added beside them; keys_checksum tells them apart.\n",
               files.csv.string(), others, others == 1 ? "row is" : "rows are");
  }
  if (whole && report.rows().empty()) {
    throw Error("Nothing was measured: what was skipped, and why, is said above.");
  }
  if (whole) { return 0; }
  fmt::print(stderr, "slotscape: stopped by {}; {} whole row{} {}.{}\n", interrupt_name(), report.rows().size(),
             report.rows().size() == 1 ? "" : "s", files.csv.empty() ? "were measured" : "are written",
             files.csv.empty() ? "" : " The same command with --resume goes on.");
  return interrupted_status();
}

}  // namespace

BenchCommand::BenchCommand(CLI::App& app, TimeFrames const& time_frames)
    : command_(
          app.add_subcommand("bench", "measure tables, what is built on them, and what the device's memory can do")),
      measurements_(all_measurements(time_frames))
{
  command_->fallthrough();
  command_->require_subcommand(0, 1);
  for (auto const& measurement : measurements_) {
    CLI::App* const command =
        command_->add_subcommand(std::string(measurement->name()), std::string(measurement->help()));
    measurement->add_options(*command);
    add_common_options(*command, measurement->plot_help());
    commands_.push_back(command);
  }
}

CLI::App* BenchCommand::given() const
{
  auto const found = std::ranges::find_if(commands_, [&](CLI::App* one) { return command_->got_subcommand(one); });
  return found == commands_.end() ? nullptr : *found;
}

void BenchCommand::add_common_options(CLI::App& command, std::string_view plot_help)
{
  command.fallthrough();
  command
      .add_option("--repeats", typed_.repeats,
                  fmt::format("measurements whose median counts, after one that does not: 1 to {}, by default {}",
                              max_repeats, repeats_))
      ->type_name("N");
  command
      .add_option("--max-seconds", typed_.max_seconds,
                  "how long one repeat may take, of tables one kind of operation in it: what takes longer is given up; "
                  "600, of tables 60")
      ->type_name("SECONDS");
  command.add_option("--threads", typed_.threads, fmt::format("CPU threads: 1 to {}, by default all", max_threads))
      ->type_name("N");
  command.add_option("--csv", typed_.csv, "write the rows as a table, each as soon as it is measured")
      ->type_name("OUT.csv");
  command.add_option("--json", typed_.json, "write the rows as JSON, at the end")->type_name("OUT.json");
  command.add_flag("--resume", typed_.resume, "keep the rows of the CSV file, and measure only what it lacks");
  if (!plot_help.empty()) { command.add_option("--plot", typed_.plot, std::string(plot_help))->type_name("OUT"); }
}

void BenchCommand::interpret()
{
  CLI::App const* const command = given();
  if (command == nullptr) {
    std::vector<std::string> names;
    for (auto const& measurement : measurements_) { names.emplace_back(measurement->name()); }
    throw Error(fmt::format("bench needs a measurement, such as slotscape bench tables; there are {}", listed(names)));
  }
  chosen_ = measurements_[static_cast<std::size_t>(std::ranges::find(commands_, command) - commands_.begin())].get();
  chosen_->interpret();
  read_whole("--repeats", typed_.repeats, 1, max_repeats, repeats_);
  read_whole("--threads", typed_.threads, 1, max_threads, threads_);
  read_number("--max-seconds", typed_.max_seconds, shortest_limit, longest_limit, max_seconds_);
  files_ = {typed_.csv, typed_.json, typed_.resume};
  plot_ = typed_.plot;
  std::string const ending = extension_of(plot_);
  if (!plot_.empty() && ending != ".png" && ending != ".svg") {
    throw Error(fmt::format("--plot: '{}' is invalid; its name must end in .png or .svg", typed_.plot));
  }
}

int BenchCommand::run(BackendChoice choice, std::optional<std::uint64_t> seed) const
{
  std::optional<exec::tbb::global_control> threads;
  if (threads_ != 0) { threads.emplace(exec::tbb::global_control::max_allowed_parallelism, threads_); }
  BenchRequest const request{decide_backend(choice).backend, repeats_, seed.value_or(1), max_seconds_};
  if (!plot_.empty()) { claim_output(plot_); }
  BenchColumns const columns = chosen_->columns();
  BenchReport report(columns.all, columns.identity, columns.shown, files_);
  Findings const findings = chosen_->findings();
  std::ranges::for_each(findings, print_finding);
  report.note(findings);
  BenchProgress progress(chosen_->work(request.backend));
  for (std::string const& remark : chosen_->remarks()) { progress.say(remark); }
  bool const whole = chosen_->run(request, report, progress);
  int const status = finish(report, files_, whole);
  if (!plot_.empty()) { draw(report); }
  return status;
}

void BenchCommand::draw(BenchReport const& report) const
{
  write_drawing(plot_, bench_plot_size, [&](Look const& look, Drawing& drawing) {
    chosen_->draw(look, drawing, {bench_plot_size.width, bench_plot_size.height}, report.rows());
  });
  fmt::print("plot       {}\n", plot_.string());
}

}  // namespace slotscape
