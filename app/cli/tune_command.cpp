#include "app/cli/tune_command.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/findings.hpp"
#include "app/base/interrupt.hpp"
#include "app/base/option_text.hpp"
#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/measurement.hpp"
#include "app/export/drawing_file.hpp"
#include "app/keys/file_keys.hpp"
#include "app/tuning/check.hpp"
#include "app/tuning/report.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

namespace slotscape {
namespace {

namespace fs = std::filesystem;
using tuning::Results;
using tuning::SweepStatus;

constexpr gl::Size tune_plot_size{1600, 1200};
constexpr double poll_seconds = 0.05;

/// Reports the progress of a sweep on stderr: on a terminal in a single line, elsewhere from time to time.
class SweepProgress {
public:
  SweepProgress() = default;
  SweepProgress(SweepProgress const&) = delete;
  SweepProgress& operator=(SweepProgress const&) = delete;
  ~SweepProgress() { clear(); }

  void tell(SweepStatus const& status)
  {
    auto const now = std::chrono::steady_clock::now();
    auto const interval = terminal_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(15000);
    if (now - told_ < interval) { return; }
    told_ = now;
    std::string const line = fmt::format("{}: {}, {} tables, about {:.0f} s left", percent(status.progress),
                                         status.doing, status.measured, std::ceil(status.seconds_left));
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", line, terminal_ ? "" : "\n");
    std::fflush(stderr);
    open_ = terminal_;
  }
  void clear()
  {
    if (open_) { std::fputs("\r\x1b[K", stderr); }
    open_ = false;
  }

private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  bool open_ = false;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

/// Passes new rows to the report, once for each stage of a candidate. Checked candidates change until the end; their
/// rows then replace those of an earlier sweep, which they include.
class NewRows {
public:
  explicit NewRows(BenchReport& report) : report_(report) {}

  void add(Results const& results, bool over)
  {
    for (std::size_t i = 0; i < results.measured.size(); ++i) {
      tuning::Measured const& measured = results.measured[i];
      if (measured.stage == tuning::Stage::checked && !over) { continue; }
      if (!seen_.emplace(i, measured.stage).second) { continue; }
      for (BenchRow& row : tuning::rows_of(results, measured)) {
        if (!report_.has(row)) {
          report_.add(std::move(row));
        } else if (measured.stage == tuning::Stage::checked) {
          again_.push_back(std::move(row));
        }
      }
    }
    report_.replace(std::exchange(again_, {}));
  }

private:
  BenchReport& report_;
  std::set<std::pair<std::size_t, tuning::Stage>> seen_;
  std::vector<BenchRow> again_;
};

tuning::Workload read_workload(std::string const& text, Reach reach)
{
  std::vector<std::string_view> names;
  for (tuning::Preset const& preset : tuning::presets()) {
    if (preset.name == text) { return preset.workload; }
    names.push_back(preset.name);
  }
  std::error_code unreadable;
  if (fs::exists(text, unreadable) || extension_of(text) == ".json") { return tuning::read_workload(text, reach); }
  throw Error(fmt::format("'{}' is neither a workload's file nor a preset; {}", text, suggest(text, names)));
}

/// A path as typed, or in the form in which this program writes paths that are not UTF-8.
fs::path existing(std::string const& text)
{
  std::error_code unreadable;
  return fs::exists(text, unreadable) ? fs::path(text) : path_of_text(text);
}

void check_ending(std::string_view option, std::string const& file, std::initializer_list<std::string_view> endings)
{
  if (file.empty() || std::ranges::find(endings, extension_of(file)) != endings.end()) { return; }
  std::vector<std::string> const names(endings.begin(), endings.end());
  throw Error(fmt::format("{}: '{}' is invalid; its name must end in {}", option, file, listed(names, "or")));
}

void print_check(Results const& results)
{
  auto const winner = tuning::choose(results).winner;
  if (!winner) { return; }
  tuning::Check const check = tuning::check_of(results, results.measured[*winner]);
  if (!check.command.empty()) {
    fmt::print("To check it: {}\nIt should bring, {}: {}.\n", check.command, tuning::nearness_of(check),
               tuning::text_of(check));
  }
  if (!check.remark.empty()) { fmt::print("{}\n", check.remark); }
}

/// Waits for the end of the sweep and writes rows as they arrive. Returns false after Ctrl-C.
bool follow_sweep(tuning::Sweep& sweep, NewRows& rows, Interrupt& interrupt)
{
  SweepProgress progress;
  for (SweepStatus status = sweep.status(); !status.over(); status = sweep.status()) {
    if (interrupt.asked()) { sweep.cancel(); }
    rows.add(*sweep.results(), false);
    progress.tell(status);
    sweep.wait(poll_seconds);
  }
  progress.clear();
  rows.add(*sweep.results(), true);
  SweepStatus const status = sweep.status();
  if (status.phase == tuning::Phase::failed) { throw Error(status.error); }
  return status.phase == tuning::Phase::done;
}

}  // namespace

TuneCommand::TuneCommand(CLI::App& app)
    : command_(app.add_subcommand("tune", "look for the table that suits a workload best, on this device"))
{
  command_->fallthrough();
  std::string names;
  for (tuning::Preset const& preset : tuning::presets()) { names += fmt::format(", {}", preset.name); }
  command_->add_option("WORKLOAD.json", typed_.workload, "the workload's file, or a preset:" + names.substr(1));
  command_->add_option("--keys", typed_.keys, "a file of keys, in place of the workload's")->type_name("FILE");
  key_file_.add_to(*command_);
  command_
      ->add_option("--key-bits", typed_.key_bits,
                   "32 or 64, in place of the workload's; a file that needs 64 gets them")
      ->type_name("N");
  command_
      ->add_option("--most-bytes", typed_.most_bytes,
                   "memory a key, in place of the workload's: the fastest table within it is the answer")
      ->type_name("BYTES");
  command_
      ->add_option("--budget", typed_.budget,
                   fmt::format("how long to measure: {} to {}, by default {}", tuning::shortest_budget,
                               tuning::longest_budget, settings_.budget_seconds))
      ->type_name("SECONDS");
  command_->add_option("--csv", typed_.csv, "write what is measured as a table, row by row")->type_name("OUT.csv");
  command_->add_option("--json", typed_.json, "write everything that was found, at the end")->type_name("OUT.json");
  command_->add_option("--plot", typed_.plot, "draw throughput, memory and latency: OUT.png or OUT.svg")
      ->type_name("OUT");
  command_
      ->add_option("--report", typed_.report, "write a page to hand on: OUT.html, or OUT.md with pictures beside it")
      ->type_name("OUT");
  division_options_.add_to(*command_);
  add_join_options();
  command_->add_flag("--resume", typed_.resume, "keep the rows of the CSV file, and measure only what it lacks");
}

void TuneCommand::add_join_options()
{
  TypedJoin& typed = typed_join_;
  join_options_.add_to(*command_);
  command_->add_option("--probe", typed.probe, "the file of its probe side; --keys is its build side")
      ->type_name("FILE");
  command_->add_option("--probe-column", typed.probe_column, "the column with the keys of that file")
      ->type_name("NAME");
  command_->add_option("--build-rows", typed.build_rows, "rows of the build side of a join; of a file, its first ones")
      ->type_name("N");
  command_->add_option("--probe-rows", typed.probe_rows, "rows of the probe side: as many as the build side, or all")
      ->type_name("N");
  command_->add_option("--rows-per-key", typed.rows_per_key, "rows of a drawn build side that share a key: 1")
      ->type_name("N");
}

/// Call after the keys have been read. Options that were not typed keep the workload's values, but the rows of a probe
/// side are not kept for another build side.
void TuneCommand::interpret_join()
{
  TypedJoin const& typed = typed_join_;
  if (!workload_.join) {
    if (typed == TypedJoin{} && !join_options_.any()) { return; }
    throw Error(
        "--kind, --probe, --probe-column, --build-rows, --probe-rows, --rows-per-key, --match and --skew belong "
        "to a join: slotscape tune join ...");
  }
  tuning::JoinSides& join = *workload_.join;
  if (!typed.build_rows.empty() || !typed_.keys.empty()) { join.probe_rows = 0; }
  if (!typed.build_rows.empty()) { workload_.keys = read_count("--build-rows", typed.build_rows, 1, joins::max_rows); }
  if (!typed.probe.empty()) {
    KeyReading reading = key_file_.reading();
    reading.column = typed.probe_column;
    join.probe = with_key_file({}, existing(typed.probe), reading);
    join.probe_rows = 0;
    workload_.key_bits = std::max(workload_.key_bits, key_bits_for(join.probe));
  } else if (!typed.probe_column.empty()) {
    throw Error("--probe-column needs the file of the probe side: add --probe FILE");
  }
  if (!typed.probe_rows.empty()) { join.probe_rows = read_count("--probe-rows", typed.probe_rows, 1, joins::max_rows); }
  if (!typed.rows_per_key.empty()) {
    join.rows_per_key = read_count("--rows-per-key", typed.rows_per_key, 1, joins::max_rows);
  }
  if (join.probes_file() && (join_options_.has("match") || join_options_.has("skew"))) {
    throw Error("--match and --skew are of probe rows that are drawn: a file has its own; leave them out");
  }
  join_options_.read(join);
}

void TuneCommand::interpret_division()
{
  if (!division_options_.any()) { return; }
  if (workload_.join) {
    throw Error(
        "--shards, --devices and --keys-start do not go with a join, which is made with one table: leave them out");
  }
  tuning::Division& division = workload_.division;
  bool const starts = division_options_.has("keys_start");
  division_options_.read(division);
  if (starts && division.devices == ShardDevices::each) {
    throw Error("--devices each has keys start on the first device: leave --keys-start out");
  }
  if (division.devices == ShardDevices::each || !division.divides()) { division.keys_start = {}; }
  bool const about_shards = starts || division_options_.has("devices");
  if (about_shards && !division.divides()) {
    throw Error("--devices and --keys-start are about shards: add --shards, such as --shards 1,2");
  }
  if (!division.divides()) { division.devices = {}; }
}

/// Typed options and values in the workload take precedence: with `--shards 1`, the table is not divided, whatever the
/// devices.
tuning::Workload TuneCommand::workload_on(std::size_t devices) const
{
  tuning::Workload workload = workload_;
  bool const divides = !division_options_.has("shards") || workload.division.divides();
  bool const is_free = divides && !division_options_.has("devices");
  if (devices < 2 || workload.join || !is_free) { return workload; }
  workload.division = tuning::over_devices(workload.division, static_cast<std::uint32_t>(devices));
  return workload;
}

void TuneCommand::interpret()
{
  if (typed_.workload.empty() && typed_.keys.empty()) {
    throw Error("tune needs a workload: slotscape tune WORKLOAD.json, or a preset's name; or keys: --keys FILE");
  }
  if (key_file_.given() && typed_.keys.empty()) {
    throw Error("--column, --empty and --as-text need the key file: add --keys FILE");
  }
  check_ending("--plot", typed_.plot, {".png", ".svg"});
  check_ending("--report", typed_.report, {".html", ".md"});
  read_number("--budget", typed_.budget, tuning::shortest_budget, tuning::longest_budget, settings_.budget_seconds);
  if (!typed_.workload.empty()) { workload_ = read_workload(typed_.workload, reach); }
  if (!typed_.keys.empty()) {
    workload_.source = with_key_file(workload_.source, existing(typed_.keys), key_file_.reading());
    workload_.keys = 0;
    workload_.key_bits = std::max(workload_.key_bits, key_bits_for(workload_.source));
  }
  interpret_join();
  interpret_division();
  if (!typed_.key_bits.empty()) {
    if (typed_.key_bits != "32" && typed_.key_bits != "64") {
      throw Error(fmt::format("--key-bits: '{}' is invalid; a workload has one width: 32 or 64", typed_.key_bits));
    }
    workload_.key_bits = typed_.key_bits == "32" ? 32 : 64;
  }
  setting_named<tuning::Workload>("most_bytes").type("--most-bytes", typed_.most_bytes, workload_);
  tuning::validate(workload_);
}

void TuneCommand::check_files() const
{
  claim_outputs({typed_.csv, typed_.json, typed_.plot, typed_.report});
}

int TuneCommand::run(BackendChoice backend, std::optional<std::uint64_t> seed, std::vector<int> const& devices) const
{
  tuning::SweepSettings settings = settings_;
  settings.backend = decide_backend(backend).backend;
  settings.seed = seed.value_or(settings.seed);
  settings.device_numbers = devices;
  tuning::Workload const workload = workload_on(devices.size());
  check_files();
  std::ranges::for_each(tuning::findings_of(workload), print_finding);
  if (devices.size() > 1 && workload.join) {
    fmt::print(stderr, "slotscape: note: a join is made with one table, so only device {} is used.\n", devices.front());
  }
  if (typed_.workload.empty()) {
    fmt::print(stderr, "No workload is named: {} insertions, {} hits, {} misses.\n", percent(workload_.insert),
               percent(workload_.hit), percent(workload_.miss));
  }
  BenchReport report(tuning::columns(), tuning::identity(), {}, {typed_.csv, {}, typed_.resume});
  Results place;
  place.backend = settings.backend;
  place.device = device_name(settings.backend);
  place.workload = workload;
  note_checksums(place);
  if (auto const others = tuning::tables_of_others(report.rows(), place); others != 0) {
    fmt::print(stderr,
               "slotscape: note: {}: what it has of {} tables belongs to other keys, another mix of operations or "
               "another device. It stays, and does not count here.\n",
               typed_.csv, others);
  }
  Interrupt interrupt;  // before the sweep's thread starts
  tuning::Sweep sweep(workload, settings, tuning::measured_in(report.rows(), place));
  NewRows rows(report);
  bool const whole = follow_sweep(sweep, rows, interrupt);
  auto const results = sweep.results();
  fmt::print("{}\n", tuning::text_of(tuning::answer_of(*results, tuning::choose(*results))));
  print_check(*results);
  write_files(*results);
  if (whole) { return 0; }
  fmt::print(stderr, "slotscape: stopped by {}; this answer is from {} tables.{}\n", interrupt_name(),
             results->measured.size(), typed_.csv.empty() ? "" : " The same command with --resume goes on.");
  return interrupted_status();
}

void TuneCommand::write_files(Results const& results) const
{
  if (!typed_.csv.empty()) { fmt::print("table      {}\n", typed_.csv); }
  if (!typed_.json.empty()) {
    write_text_file(typed_.json, format_json(tuning::to_json(results)));
    fmt::print("JSON       {}\n", typed_.json);
  }
  if (!typed_.plot.empty()) {
    write_drawing(typed_.plot, tune_plot_size, [&](Look const& look, Drawing& drawing) {
      tuning::draw_page(look, drawing, {tune_plot_size.width, tune_plot_size.height}, results, tuning::choose(results));
    });
    fmt::print("plot       {}\n", typed_.plot);
  }
  if (!typed_.report.empty()) { write_report(results); }
}

void TuneCommand::write_report(Results const& results) const
{
  fs::path const file = typed_.report;
  std::vector<tuning::Picture> pictures;
  on_paper([&](Look const& look) { pictures = tuning::pictures_of(look, results); });
  if (extension_of(file) == ".html") {
    write_text_file(file, tuning::html_report(results, pictures));
  } else {
    std::vector<std::pair<std::string, std::string>> names;
    for (tuning::Picture const& picture : pictures) {
      fs::path const beside = fmt::format("{}-{}.svg", file.stem().string(), file_name_of(picture.title));
      write_text_file(file.parent_path() / beside, picture.svg);
      names.emplace_back(picture.title, beside.string());
    }
    write_text_file(file, tuning::markdown_report(results, names));
  }
  fmt::print("report     {}\n", file.string());
}

}  // namespace slotscape
