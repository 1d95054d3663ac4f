#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/plot.hpp"
#include "app/bench/table_benches.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/key_settings.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

namespace slotscape {
namespace {

KeySettings read_keys(std::string const& text, std::string const& column)
{
  KeySettings keys;
  if (text.empty()) { return keys; }
  if (auto const known = from_text<KeyDistribution>(text); known && *known != KeyDistribution::file) {
    keys.distribution = *known;
    return keys;
  }
  std::error_code unreadable;
  if (std::filesystem::exists(text, unreadable)) { return with_key_file(keys, text, column); }
  throw Error(fmt::format("--keys: '{}' is neither a file nor a pattern; {}", text,
                          suggest(text, enum_texts<KeyDistribution>())));
}

bench::TimedMask read_operations(std::string const& text)
{
  bench::TimedMask mask = 0;
  for (bench::Timed const timed : read_choices<bench::Timed>("--ops", text, {})) { mask |= bench::mask_of(timed); }
  return mask;
}

/// A family or a rival, with what is not usual about its table.
std::string read_table_words(std::string const& words)
{
  std::vector<std::string> names = family_names();
  for (bench::Rival const& rival : bench::rivals()) { names.emplace_back(rival.name); }
  std::string const name = words.substr(0, words.find(' '));
  if (std::ranges::find(names, name) == names.end()) {
    std::vector<std::string_view> const views(names.begin(), names.end());
    throw Error(fmt::format("--families: '{}' is unknown; {}", name, suggest(name, views)));
  }
  table_of_words(words);
  return words;
}

/// Families, sizes, load factors and keys.
class TableMeasurement final : public Measurement {
public:
  std::string_view name() const override { return "tables"; }
  std::string_view help() const override { return "operations a second of families, sizes, load factors and keys"; }

  void add_options(CLI::App& command) override
  {
    command
        .add_option("--families", families_,
                    "families, separated by commas, or all; with parameters: 'cuckoo functions=3 bucket=8'; "
                    "without values: 'linear_probing values=none'")
        ->type_name("LIST");
    command.add_flag("--variants", settings_.variants, "each choice of each parameter of the families, too");
    command.add_flag("--rivals", settings_.rivals, "hash tables for CPUs by others, too, such as absl::flat_hash_map");
    command.add_option("--slots", slots_, "numbers of slots: 2^20,2^24")->type_name("LIST");
    command.add_option("--load", load_, "load factors: 0.5,0.8,0.9")->type_name("LIST");
    command.add_option("--ops", operations_, "insert,find_hit,find_miss,mixed,erase; all but mixed, unless told")
        ->type_name("LIST");
    command.add_option("--keys", keys_, "uniform, sequential, strided, clustered, zipf, one_home, or a key file")
        ->type_name("KEYS");
    command.add_option("--column", column_, "the column of the key file (.csv or .tsv) that holds the keys")
        ->type_name("NAME");
    command
        .add_option("--inserts", inserts_, "keys to insert, if some come twice; as the load factor says, unless told")
        ->type_name("N");
    command.add_option("--hash", hash_, "murmur3, xxhash, fibonacci or identity")->type_name("HASH");
    command.add_option("--key-bits", key_bits_, "32, 64 or 32,64")->type_name("LIST");
    command.add_option("--batch", batch_, "operations submitted together; all, unless told")->type_name("N");
  }

  void interpret() override
  {
    if (families_ != "all") {
      settings_.families = read_list("--families", families_, settings_.families, read_table_words);
    }
    settings_.slots = read_counts("--slots", slots_, settings_.slots, min_slots, max_slots);
    settings_.loads = read_loads(load_, settings_.loads);
    settings_.operations = read_operations(operations_);
    settings_.keys = read_keys(keys_, column_);
    if (!inserts_.empty()) { settings_.inserts = read_count("--inserts", inserts_, 1, max_slots); }
    read_choice("--hash", hash_, settings_.hash);
    settings_.key_bits = read_key_bits(key_bits_);
    if (!batch_.empty()) { settings_.batch = read_count("--batch", batch_, 1, bench::most_batch); }
  }

  BenchColumns columns() const override
  {
    return {table_bench_columns(),
            table_bench_identity(),
            {"family", "variant", "operation", "slots", "load_factor", "mops", "spread", "accesses_mean", "failed",
             "percent_of_limit"}};
  }

  double work(Backend backend) const override { return work_of(backend, settings_); }

  bool run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const override
  {
    TableBenchSettings settings = settings_;
    settings.repeats = request.repeats;
    settings.seed = request.seed;
    return run_table_benches(request.backend, settings, report, progress);
  }

  std::string_view plot_help() const override { return "draw rates over load factors: OUT.png or OUT.svg"; }
  void draw(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows) const override
  {
    draw_table_bench(look, drawing, size, rows);
  }

private:
  // as typed
  std::string families_;
  std::string slots_;
  std::string load_;
  std::string operations_;
  std::string keys_;
  std::string column_;
  std::string inserts_;
  std::string hash_;
  std::string key_bits_;
  std::string batch_;

  TableBenchSettings settings_;
};

}  // namespace

std::unique_ptr<Measurement> make_table_measurement()
{
  return std::make_unique<TableMeasurement>();
}

}  // namespace slotscape
