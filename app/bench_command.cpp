#include "app/bench_command.hpp"

#include "app/base/files.hpp"
#include "app/bench/limits.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/plot.hpp"
#include "app/bench/progress.hpp"
#include "app/drawing_file.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/key_settings.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <span>

namespace slotscape {
namespace {

constexpr std::uint64_t most_repeats = 1000;
constexpr gl::Size plot_size{1600, 1000};
constexpr std::uint64_t smallest_memory = std::uint64_t{1} << 10;
constexpr std::uint64_t largest_memory = std::uint64_t{1} << 37;

/// What is printed of a row of tables.
std::vector<std::string> shown_of_tables()
{
  return {"family", "variant", "operation",     "slots",  "load_factor",
          "mops",   "spread",  "accesses_mean", "failed", "percent_of_limit"};
}

std::uint64_t read_count(std::string_view option, std::string const& word, std::uint64_t low, std::uint64_t high)
{
  auto const number = parse_slots(word);
  if (!number || *number < low || *number > high) {
    throw Error(fmt::format("{}: '{}' is invalid; it must be a whole number from {} to {}, such as 2^20", option, word,
                            low, high));
  }
  return *number;
}

KeySettings read_keys(std::string const& text)
{
  KeySettings keys;
  if (text.empty()) { return keys; }
  if (auto const known = from_text<KeyDistribution>(text); known && *known != KeyDistribution::file) {
    keys.distribution = *known;
    return keys;
  }
  std::error_code unreadable;
  if (std::filesystem::exists(text, unreadable)) { return with_key_file(keys, text); }
  throw Error(fmt::format("--keys: '{}' is neither a file nor a pattern; {}", text,
                          suggest(text, enum_texts<KeyDistribution>())));
}

bench::TimedMask read_operations(std::string const& text)
{
  bench::TimedMask mask = 0;
  if (text.empty()) { return mask; }
  for (std::string const& word : words_of("--ops", text)) {
    bench::Timed timed{};
    read_choice("--ops", word, timed);
    mask |= bench::mask_of(timed);
  }
  return mask;
}

std::string read_family(std::string const& word)
{
  std::vector<std::string> const names = family_names();
  std::vector<std::string_view> const views(names.begin(), names.end());
  if (std::ranges::find(names, word) == names.end()) {
    throw Error(fmt::format("--families: '{}' is unknown; {}", word, suggest(word, views)));
  }
  return word;
}

int read_key_bits(std::string const& word)
{
  if (word != "32" && word != "64") {
    throw Error(fmt::format("--key-bits: '{}' is invalid; it must be 32, 64 or 32,64", word));
  }
  return word == "32" ? 32 : 64;
}

/// The end of every measurement.
int finish(BenchReport const& report, BenchFiles const& files, bool whole)
{
  report.finish();
  if (!files.csv.empty()) { fmt::print("table      {}\n", files.csv.string()); }
  if (!files.json.empty()) { fmt::print("JSON       {}\n", files.json.string()); }
  if (whole) { return 0; }
  fmt::print(stderr, "slotscape: stopped by Ctrl-C; {} whole row{} {}.{}\n", report.rows().size(),
             report.rows().size() == 1 ? "" : "s", files.csv.empty() ? "were measured" : "are written",
             files.csv.empty() ? "" : " The same command with --resume goes on.");
  return interrupted_status;
}

}  // namespace

std::vector<std::string> words_of(std::string_view option, std::string const& text)
{
  std::vector<std::string> words = split_csv(text);
  for (std::string const& word : words) {
    if (word.empty()) {
      throw Error(fmt::format("{}: '{}' has an empty item; separate items by commas", option, text));
    }
  }
  return words;
}

BenchCommand::BenchCommand(CLI::App& app)
    : command_(app.add_subcommand("bench", "measure tables, and what the memory of the device can do"))
{
  command_->fallthrough();
  command_->require_subcommand(0, 1);
  add_tables();
  add_limits();
}

CLI::App* BenchCommand::given() const
{
  for (CLI::App* const command : {tables_, limits_}) {
    if (command_->got_subcommand(command)) { return command; }
  }
  return nullptr;
}

void BenchCommand::add_outputs(CLI::App& command)
{
  command.fallthrough();
  command.add_option("--repeats", typed_.repeats, "measurements whose median counts, after one that does not: 7")
      ->type_name("N");
  command.add_option("--csv", typed_.csv, "write the rows as a table, each as soon as it is measured")
      ->type_name("OUT.csv");
  command.add_option("--json", typed_.json, "write the rows as JSON, at the end")->type_name("OUT.json");
  command.add_flag("--resume", typed_.resume, "keep the rows of the CSV file, and measure only what it lacks");
}

void BenchCommand::add_tables()
{
  tables_ = command_->add_subcommand("tables", "operations a second of families, sizes, load factors and keys");
  tables_->add_option("--families", typed_.families, "families, separated by commas, or all")->type_name("LIST");
  tables_->add_flag("--variants", typed_.variants, "each choice of each parameter of the families, too");
  tables_->add_option("--slots", typed_.slots, "numbers of slots: 2^20,2^24")->type_name("LIST");
  tables_->add_option("--load", typed_.load, "load factors: 0.5,0.8,0.9")->type_name("LIST");
  tables_->add_option("--ops", typed_.operations, "insert,find_hit,find_miss,mixed,erase; all but mixed, unless told")
      ->type_name("LIST");
  tables_->add_option("--keys", typed_.keys, "uniform, sequential, strided, clustered, zipf, one_home, or a key file")
      ->type_name("KEYS");
  tables_->add_option("--hash", typed_.hash, "murmur3, xxhash, fibonacci or identity")->type_name("HASH");
  tables_->add_option("--key-bits", typed_.key_bits, "32, 64 or 32,64")->type_name("LIST");
  tables_->add_option("--batch", typed_.batch, "operations submitted together; all, unless told")->type_name("N");
  add_outputs(*tables_);
  tables_->add_option("--plot", typed_.plot, "draw rates over load factors: OUT.png or OUT.svg")->type_name("OUT");
}

void BenchCommand::add_limits()
{
  limits_ =
      command_->add_subcommand("limits", "random reads, compare-and-swaps, stores and streams, by size of memory");
  limits_->add_option("--bytes", typed_.sizes, "sizes of memory in bytes: 2^23,2^30")->type_name("LIST");
  add_outputs(*limits_);
}

TableBenchSettings BenchCommand::table_settings() const
{
  TableBenchSettings settings;
  if (typed_.families != "all") {
    settings.families = read_list("--families", typed_.families, settings.families, read_family);
  }
  settings.variants = typed_.variants;
  settings.slots = read_list("--slots", typed_.slots, settings.slots,
                             [](auto const& word) { return read_count("--slots", word, min_slots, max_slots); });
  settings.loads = read_list("--load", typed_.load, settings.loads, [](std::string const& word) {
    double load = 0.0;
    read_number("--load", word, 0.01, 1.0, load);
    return load;
  });
  settings.operations = read_operations(typed_.operations);
  settings.keys = read_keys(typed_.keys);
  read_choice("--hash", typed_.hash, settings.hash);
  settings.key_bits = read_list("--key-bits", typed_.key_bits, settings.key_bits, read_key_bits);
  if (!typed_.batch.empty()) { settings.batch = read_count("--batch", typed_.batch, 1, bench::most_batch); }
  read_whole("--repeats", typed_.repeats, 1, most_repeats, settings.repeats);
  return settings;
}

void BenchCommand::interpret()
{
  CLI::App const* const command = given();
  if (command == nullptr) {
    throw Error("bench needs a measurement: slotscape bench tables, or slotscape bench limits");
  }
  measures_tables_ = command == tables_;
  table_settings_ = table_settings();
  sizes_ = read_list("--bytes", typed_.sizes, sizes_, [](std::string const& word) {
    return read_count("--bytes", word, smallest_memory, largest_memory);
  });
  files_ = {typed_.csv, typed_.json, typed_.resume};
  plot_ = typed_.plot;
  std::string const ending = extension_of(plot_);
  if (!plot_.empty() && ending != ".png" && ending != ".svg") {
    throw Error(fmt::format("--plot: '{}' is invalid; its name must end in .png or .svg", typed_.plot));
  }
}

int BenchCommand::run(BackendChoice choice, std::optional<std::uint64_t> seed) const
{
  Backend const backend = decide_backend(choice).backend;
  return measures_tables_ ? run_tables(backend, seed) : run_limits(backend);
}

int BenchCommand::run_tables(Backend backend, std::optional<std::uint64_t> seed) const
{
  TableBenchSettings settings = table_settings_;
  settings.seed = seed.value_or(settings.seed);
  if (!plot_.empty()) { check_writable(plot_); }
  BenchReport report(table_bench_columns(), table_bench_identity(), shown_of_tables(), files_);
  BenchProgress progress(work_of(backend, settings));
  bool const whole = run_table_benches(backend, settings, report, progress);
  int const status = finish(report, files_, whole);
  if (!plot_.empty()) {
    write_drawing(plot_, plot_size, [&](Look const& look, Drawing& drawing) {
      draw_table_bench(look, drawing, {plot_size.width, plot_size.height}, report.rows());
    });
    fmt::print("plot       {}\n", plot_.string());
  }
  return status;
}

int BenchCommand::run_limits(Backend backend) const
{
  std::vector<std::uint64_t> const sizes = sizes_.empty() ? usual_memory_sizes(backend) : sizes_;
  BenchReport report(limit_columns(), limit_identity(), limit_columns(), files_);
  BenchProgress progress(static_cast<double>(sizes.size()));
  bool const whole = run_limit_bench(backend, sizes, table_settings_.repeats, report, progress);
  return finish(report, files_, whole);
}

}  // namespace slotscape
