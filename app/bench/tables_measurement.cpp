#include "app/base/enum_names.hpp"
#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/plot.hpp"
#include "app/bench/table_benches.hpp"
#include "app/keys/key_words.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/mix.hpp"
#include "app/table_scene/setup.hpp"
#include "gpu/engine/engine.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace slotscape {
namespace {

/// Four shares that are not all 0: of insertions, hits, misses and erasures.
bench::MixShares read_mix(std::string const& text, bench::MixShares const& usual)
{
  std::vector<double> const shares = read_list("--mix", text, std::vector<double>{}, [](std::string const& word) {
    double share = 0.0;
    read_number("--mix", word, 0.0, max_share, share);
    return share;
  });
  if (text.empty()) { return usual; }
  if (shares.size() != 4 || *std::ranges::max_element(shares) <= 0.0) {
    throw Error(
        fmt::format("--mix: '{}' is invalid; give the shares of insertions, hits, misses and erasures, such as "
                    "0.25,0.5,0,0.25",
                    text));
  }
  return {shares[0], shares[1], shares[2], shares[3]};
}

bool is_of_join(std::string_view operation)
{
  return operation == to_text(bench::Timed::build) || operation == to_text(bench::Timed::probe);
}

bench::TimedMask read_operation(std::string const& word)
{
  if (is_of_join(word)) {
    throw Error(fmt::format("--ops: '{}' is a part of a join; measure it by 'slotscape bench join'", word));
  }
  auto const timed = from_text<bench::Timed>(word);
  if (timed) { return bench::mask_of(*timed); }
  std::vector<std::string_view> names = enum_texts<bench::Timed>();
  std::erase_if(names, is_of_join);
  throw Error(fmt::format("--ops: '{}' is unknown; {}", word, suggest(word, names)));
}

bench::TimedMask read_operations(std::string const& text)
{
  bench::TimedMask all = 0;
  for (bench::TimedMask const one : read_list("--ops", text, std::vector<bench::TimedMask>{}, read_operation)) {
    all |= one;
  }
  return all;
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
                    "without values: 'linear_probing values=none'; in shards: 'swiss shards=4'")
        ->type_name("LIST");
    command.add_flag("--variants", settings_.variants, "each choice of each parameter of the families, too");
    command.add_flag("--rivals", settings_.rivals, "hash tables for CPUs by others, too, such as absl::flat_hash_map");
    command.add_option("--slots", slots_, "numbers of slots: 2^20,2^24")->type_name("LIST");
    command.add_option("--load", load_, "load factors: 0.5,0.8,0.9")->type_name("LIST");
    command.add_option("--ops", operations_, "insert,find_hit,find_miss,mixed,erase; all but mixed, unless told")
        ->type_name("LIST");
    command
        .add_option("--keys", keys_,
                    "uniform, sequential, strided, clustered, zipf, one_home, or a key file; with settings: 'zipf "
                    "exponent=1.2 keys=1000000', 'strided stride=8', 'clustered length=64'")
        ->type_name("KEYS");
    key_file_.add_to(command);
    command
        .add_option("--inserts", inserts_,
                    "insertions that fill the table, whatever its load (default: until distinct keys reach the load)")
        ->type_name("N");
    command.add_option("--mix", mix_, "shares of mixed: insertions, hits, misses, erasures; 0.25,0.5,0,0.25")
        ->type_name("LIST");
    command.add_flag("--at-load", settings_.at_load,
                     "insert and erase replace all keys of the filled table, so that its load stays");
    command.add_option("--hash", hash_, range_text(setting_named<TableSettings>("hash").range))->type_name("HASH");
    command.add_option("--key-bits", key_bits_, "32, 64 or 32,64; a key file that needs 64 gets them")
        ->type_name("LIST");
    command.add_option("--shards", shards_, "shards of every table: 1,2,4; by default 1")->type_name("LIST");
    command
        .add_option("--devices", devices_,
                    "where shards are: all on one device, or one each, of those that --device names")
        ->type_name("WHERE");
    command
        .add_option("--keys-start", keys_start_,
                    "where the keys of a batch start, with shards: spread over the devices, or one_device")
        ->type_name("WHERE");
    command.add_option("--batch", batch_, "operations submitted together; all, unless told")->type_name("N");
    command
        .add_option("--max-batches", max_batches_, "of each kind of operation to time; of insertions, the last ones")
        ->type_name("N");
  }

  void interpret() override
  {
    if (families_ != "all") {
      settings_.families = read_list("--families", families_, settings_.families, typed_table_or_rival);
    }
    settings_.slots = read_counts("--slots", slots_, settings_.slots, min_slots, max_slots);
    settings_.loads = read_loads(load_, settings_.loads, max_load_of_chains);
    settings_.operations = read_operations(operations_);
    BenchKeys const keys = keys_of_words(keys_, key_file_.reading());
    settings_.keys = keys.keys;
    settings_.zipf_keys = keys.zipf_keys;
    settings_.mix = read_mix(mix_, settings_.mix);
    if (!mix_.empty() && (settings_.operations & bench::mask_of(bench::Timed::mixed)) == 0) {
      throw Error(
          "--mix says what 'mixed' mixes, which is not measured: add it, as in --ops mixed, or leave --mix out.");
    }
    if (!inserts_.empty() && !load_.empty()) {
      throw Error(
          "--inserts and --load both say how full the table gets: give one of them. With --inserts, the row says which "
          "load factor was reached.");
    }
    if (!inserts_.empty()) { settings_.inserts = read_count("--inserts", inserts_, 1, max_slots); }
    read_hash_option("--hash", hash_, settings_.hash);
    bool const finds_width = key_bits_.empty() && key_bits_for(settings_.keys) == 64;
    settings_.key_bits = finds_width ? std::vector{64} : read_key_bits(key_bits_);
    settings_.shards = read_list("--shards", shards_, settings_.shards, [](std::string const& word) {
      return static_cast<std::uint32_t>(read_count("--shards", word, 1, max_shards));
    });
    read_choice("--keys-start", keys_start_, settings_.keys_start);
    read_choice("--devices", devices_, settings_.devices);
    bool const has_shards = std::ranges::any_of(settings_.shards, [](std::uint32_t shards) { return shards > 1; }) ||
                            std::ranges::any_of(settings_.families, [](std::string const& family) {
                              return family.find("shards=") != family.npos;
                            });
    if (!has_shards && !(keys_start_.empty() && devices_.empty())) {
      throw Error("--devices and --keys-start are for tables in shards: add --shards, such as 1,2, or leave them out.");
    }
    if (settings_.devices == ShardDevices::each && !keys_start_.empty()) {
      throw Error("--devices each has keys start on the first device: leave --keys-start out.");
    }
    if (!max_batches_.empty()) { settings_.max_batches = read_count("--max-batches", max_batches_, 1, max_slots); }
    if (!batch_.empty()) { settings_.batch = read_count("--batch", batch_, 1, bench::max_batch); }
  }

  BenchColumns columns() const override
  {
    return {bench_tables_columns(),
            bench_tables_identity(),
            {"family", "variant", "key_bits", "operation", "slots", "load_factor", "mops", "spread", "accesses_mean",
             "failed", "percent_of_limit", "imbalance"}};
  }

  Findings findings() const override { return key_findings(settings_.keys); }

  double work(Backend backend) const override { return work_of(backend, settings_); }

  bool run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const override
  {
    TableBenchSettings settings = settings_;
    settings.repeats = request.repeats;
    settings.seed = request.seed;
    if (request.max_seconds > 0.0) { settings.max_seconds = request.max_seconds; }
    return run_table_benches(request.backend, settings, report, progress);
  }

  std::string_view plot_help() const override { return "draw rates over load factors: OUT.png or OUT.svg"; }
  void draw(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows) const override
  {
    std::vector<BenchRow> of_these_keys;
    std::string const keys = keys_text(settings_.keys, settings_.zipf_keys);
    std::string const checksum = keys_checksum(settings_.keys);
    std::ranges::copy_if(rows, std::back_inserter(of_these_keys), [&](BenchRow const& row) {
      return field_of(row.at("keys")) == keys && field_of(row.at("keys_checksum")) == checksum;
    });
    draw_table_bench(look, drawing, size, of_these_keys);
  }

private:
  // options, as typed
  std::string families_;
  std::string slots_;
  std::string load_;
  std::string operations_;
  std::string keys_;
  KeyFileOptions key_file_;
  std::string inserts_;
  std::string hash_;
  std::string key_bits_;
  std::string shards_;
  std::string keys_start_;
  std::string devices_;
  std::string batch_;
  std::string max_batches_;
  std::string mix_;

  TableBenchSettings settings_;
};

}  // namespace

std::unique_ptr<Measurement> make_table_measurement()
{
  return std::make_unique<TableMeasurement>();
}

}  // namespace slotscape
