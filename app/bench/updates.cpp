#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "app/bench/table_benches.hpp"
#include "app/bench/table_rows.hpp"
#include "app/simulation/families.hpp"
#include "gpu/engine/engine.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace slotscape {
namespace {

/// Adds the second half of the keys to a table that holds the first; then gives every key of another table a new value.
class UpdateBench final : public CaseBench {
public:
  UpdateBench(Backend backend, bench::TableCase subject) : updated_(bench::make_table_bench(backend, subject))
  {
    subject.inserts = updated_->keys();
    subject.batch = (subject.inserts + 1) / 2;
    subject.max_batches = 1;
    subject.filled_at_once = false;
    halves_ = bench::make_table_bench(backend, subject);
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    auto const round = halves_->run(seed, bench::mask_of(bench::Timed::insert), progress);
    auto const update = round ? updated_->update(seed, progress) : std::nullopt;
    if (!update) { return std::nullopt; }
    runs_ = {*(*round)[static_cast<std::size_t>(bench::Timed::insert)], *update};
    return std::vector{runs_[0].seconds, runs_[1].seconds};
  }

  BenchRow facts(std::size_t part, double seconds) const override
  {
    std::uint64_t const count = runs_[part].count;
    bool const ran = count != 0;
    TableFacts const facts = facts_of(*updated_);
    return {{"count", count},
            {"mops", ran ? Json(rounded(1e-6 * static_cast<double>(count) / std::max(seconds, 1e-12))) : Json()},
            {"failed", runs_[part].failed},
            {"load_factor", rounded(facts.load_factor())},
            {"live_keys", facts.live_keys}};
  }

  Findings findings(std::size_t part) const override
  {
    if (runs_[part].count != 0) { return {}; }
    return {"Some keys did not fit, so none got a new value."};
  }

private:
  std::unique_ptr<bench::TableBench> updated_;
  std::unique_ptr<bench::TableBench> halves_;
  std::array<bench::TimedRun, 2> runs_;
};

/// Insertions into tables that are not empty.
class UpdateMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "updates"; }
  std::string_view help() const override { return "insertions into half-full tables, and of keys that are there"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--families", typed_families_, "families, separated by commas, or all")->type_name("LIST");
    command.add_flag("--variants", settings_.variants, "each choice of each parameter of the families, too");
    command.add_flag("--rivals", settings_.rivals, "hash tables for CPUs by others, too");
    command.add_option("--slots", typed_slots_, "numbers of slots: 2^20,2^24")->type_name("LIST");
    command.add_option("--load", typed_loads_, "load factors in the end: 0.5,0.8,0.9")->type_name("LIST");
    command.add_option("--key-bits", typed_key_bits_, "32, 64 or 32,64")->type_name("LIST");
  }

  void interpret() override
  {
    settings_.max_seconds = 0.0;  // the limit of a repeat applies instead
    if (typed_families_ != "all") {
      settings_.families = read_list("--families", typed_families_, settings_.families, typed_table_or_rival);
    }
    settings_.slots = read_counts("--slots", typed_slots_, settings_.slots, min_slots, max_slots);
    settings_.loads = read_loads(typed_loads_, settings_.loads);
    settings_.key_bits = read_key_bits(typed_key_bits_);
  }

  BenchColumns columns() const override
  {
    return columns_of({"family", "variant", "slots", "asked_load", "key_bits", "operation"},
                      {"count", "mops", "failed", "load_factor", "live_keys"});
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<BenchCase> cases;
    for (bench::TableCase const& subject : table_cases(backend, settings_)) {
      BenchCase& row = cases.emplace_back();
      std::string const variant = variant_of(subject.table);
      row.what = fmt::format("{}, {}, α {:.2f}, {}-bit", words_of_table(subject.table), slots_text(subject.table.slots),
                             subject.load_factor, subject.table.key_bits);
      row.identity = on_device(backend);
      row.identity.update(BenchRow{{"family", subject.table.family},
                                   {"variant", variant},
                                   {"slots", subject.table.slots},
                                   {"asked_load", rounded(subject.load_factor)},
                                   {"key_bits", subject.table.key_bits}});
      for (char const* const part : {"second_half", "update"}) { row.parts.push_back({{"operation", part}}); }
      row.work = static_cast<double>(subject.table.slots);
      row.obstacle = [=] {
        std::string const why = obstacle(backend, subject);
        bench::TableCase twice = subject;  // two tables exist at once
        twice.table.slots *= 2;
        return why.empty() ? too_large(backend, twice) : why;
      };
      row.make = [=] { return std::make_unique<UpdateBench>(backend, subject); };
    }
    return cases;
  }

private:
  // options, as typed
  std::string typed_families_;
  std::string typed_slots_;
  std::string typed_loads_;
  std::string typed_key_bits_;

  TableBenchSettings settings_;
};

}  // namespace

std::unique_ptr<Measurement> make_update_measurement()
{
  return std::make_unique<UpdateMeasurement>();
}

}  // namespace slotscape
