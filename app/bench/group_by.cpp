#include "app/bench/make_measurements.hpp"
#include "app/bench/row_options.hpp"

namespace slotscape {
namespace {

using bench::GroupCase;
using bench::KeySkew;

class GroupCaseBench final : public CaseBench {
public:
  GroupCaseBench(Backend backend, GroupCase const& subject)
      : bench_(bench::make_group_bench(backend, subject)), rows_(subject.rows)
  {
  }
  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    auto const run = bench_->run(seed, progress);
    if (!run) { return std::nullopt; }
    found_ = run->groups;
    return std::vector{run->seconds};
  }
  BenchRow facts(std::size_t, double seconds) const override
  {
    return {{"mrows", millions_a_second(static_cast<double>(rows_), seconds)},
            {"results", found_},
            {"bytes", bench_->memory_bytes()}};
  }

private:
  std::unique_ptr<bench::GroupBench> bench_;
  std::uint64_t rows_;
  std::uint64_t found_ = 0;  ///< groups found in the last repeat
};

/// Counts and sums by key.
class GroupMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "groupby"; }
  std::string_view help() const override { return "a column of keys and one of values: counts and sums by key"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--rows", typed_rows_, "rows: 2^20 or, on a GPU, 10^8; of a key file, all")->type_name("LIST");
    command.add_option("--groups", typed_groups_, "distinct keys that rows are drawn from: 1000,2^20")
        ->type_name("LIST");
    options_.add_to(command);
  }

  void interpret() override
  {
    options_.interpret();
    rows_ = read_counts("--rows", typed_rows_, {}, 1, joins::max_rows);
    groups_ = read_counts("--groups", typed_groups_, {1000, 1u << 20}, 1, joins::max_rows);
    if (!options_.has_file()) { return; }
    if (!typed_groups_.empty()) { throw Error("--groups: a key file decides that itself; leave the option out"); }
    groups_ = {1};
    options_.skews = {KeySkew{}};
  }

  BenchColumns columns() const override
  {
    return columns_of({"rows", "groups", "skew", "key_bits", "keys", "method", "keys_checksum"},
                      {"mrows", "results", "bytes"}, {"keys", "keys_checksum"});
  }

  Findings findings() const override { return key_findings(options_.keys); }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<BenchCase> cases;
    for (std::uint64_t const rows : options_.rows(rows_, backend)) {
      for (std::uint64_t const groups : groups_) {
        for (KeySkew const& skew : options_.skews) {
          add_methods(backend, {.rows = rows, .groups = groups, .skew = skew, .keys = options_.keys}, cases);
        }
      }
    }
    return cases;
  }

private:
  void add_methods(Backend backend, GroupCase subject, std::vector<BenchCase>& cases) const
  {
    for (int const bits : options_.key_bits) {
      for (std::string const& method : options_.methods) {
        subject.settings = options_.settings(method, bits);
        subject.rival = options_.rival(method);
        BenchCase& row = cases.emplace_back();
        auto const skew = options_.has_file() ? std::nullopt : std::optional(subject.skew);
        std::string const groups = options_.has_file() ? "" : fmt::format(" of {} groups", grouped(subject.groups));
        row.what = fmt::format("group-by, {} rows{}, {}", grouped(subject.rows), groups,
                               RowOptions::words(method, bits, skew));
        row.identity = on_device(backend);
        row.identity.update(options_.columns(method, bits, skew));
        row.identity.update(
            BenchRow{{"rows", subject.rows}, {"groups", options_.has_file() ? Json() : Json(subject.groups)}});
        row.parts.push_back({{"method", method}});
        row.work = static_cast<double>(subject.rows);
        row.obstacle = [=] { return RowOptions::obstacle(subject.rival, backend); };
        row.make = [=] { return std::make_unique<GroupCaseBench>(backend, subject); };
      }
    }
  }

  // options, as typed
  std::string typed_rows_;
  std::string typed_groups_;

  RowOptions options_{{std::string(by_hash)}};
  std::vector<std::uint64_t> rows_;  ///< empty: the default numbers
  std::vector<std::uint64_t> groups_;
};

}  // namespace

std::unique_ptr<Measurement> make_group_measurement()
{
  return std::make_unique<GroupMeasurement>();
}

}  // namespace slotscape
