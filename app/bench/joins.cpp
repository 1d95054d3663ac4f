#include "app/bench/make_measurements.hpp"
#include "app/bench/row_options.hpp"
#include "app/bench/table_benches.hpp"
#include "app/bench/table_findings.hpp"
#include "app/simulation/families.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/probe_sequence.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

using bench::JoinCase;
using bench::KeySkew;
using joins::JoinKind;

double read_share(std::string const& word)
{
  double share = 0.0;
  read_number("--hit", word, 0.0, 1.0, share);
  return share;
}

/// The number of different keys on the build side.
std::uint64_t different_keys(JoinCase const& subject)
{
  if (subject.keys.distribution != KeyDistribution::file) {
    return std::max<std::uint64_t>(1, subject.build_rows / subject.rows_per_key);
  }
  std::vector<Key> const& all = *subject.keys.file_keys;
  std::uint64_t const rows = std::min<std::uint64_t>(subject.build_rows, all.size());
  std::vector<Key> keys(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rows));
  std::ranges::sort(keys);
  return static_cast<std::uint64_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

/// A table of a family for the build side of a join.
TableSettings table_for(std::string const& words, JoinCase const& subject, double load, std::uint64_t different)
{
  TableSettings table = table_of_words(words);
  FamilyInfo const& family = family_info(table.family);
  table.key_bits = subject.settings.key_bits;
  if (family.keys_alone && !joins::gives_pairs(subject.kind)) { set_values(table, false); }
  auto const wanted = static_cast<std::uint64_t>(std::ceil(static_cast<double>(different) / load));
  table.slots = suitable_slots(slot_counts_of(family, table), std::max(min_slots, wanted));
  return table;
}

/// Why a table of a family cannot hold the build side.
std::string obstacle_of_table(Backend backend, JoinCase const& subject, double load, std::uint64_t different)
{
  TableSettings const& table = *subject.table;
  if (different < subject.build_rows && !table.keys_only && joins::gives_pairs(subject.kind)) {
    return "several rows of the build side share a key, and this table keeps one row per key: choose --methods hash, a "
           "multi-value table";
  }
  bench::TableCase const alone{table, std::min(load, static_cast<double>(different) / static_cast<double>(table.slots)),
                               subject.keys};
  return slotscape::obstacle(backend, alone);
}

class JoinCaseBench final : public CaseBench {
public:
  JoinCaseBench(Backend backend, JoinCase const& subject)
      : bench_(bench::make_join_bench(backend, subject)), subject_(subject)
  {
  }
  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    auto const run = bench_->run(seed, progress);
    if (!run) { return std::nullopt; }
    if (run->failed != 0) {
      throw Error(fmt::format("{} rows of the build side did not fit: choose a lower --load", grouped(run->failed)));
    }
    results_ = run->results;
    return std::vector{run->build_seconds, run->probe_seconds, run->build_seconds + run->probe_seconds};
  }
  BenchRow facts(std::size_t part, double seconds) const override
  {
    std::array const rows{subject_.build_rows, subject_.probe_rows, subject_.build_rows + subject_.probe_rows};
    return {{"mrows", millions_a_second(static_cast<double>(rows.at(part)), seconds)},
            {"results", results_},
            {"bytes", bench_->memory_bytes()},
            {"table_bytes", bench_->table_bytes()}};
  }

private:
  std::unique_ptr<bench::JoinBench> bench_;
  JoinCase subject_;
  std::uint64_t results_ = 0;  ///< number of results of the last repeat
};

/// Two columns of keys, joined.
class JoinMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "join"; }
  std::string_view help() const override { return "two columns of keys, joined: inner, left, semi and anti"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--kinds", typed_kinds_, "inner,left,semi,anti: all")->type_name("LIST");
    command.add_option("--build", typed_build_, "rows of the build side: 2^20 or, on a GPU, 10^8; of a key file, all")
        ->type_name("LIST");
    command.add_option("--probe", typed_probe_, "rows of the probe side; as many as the build side has")
        ->type_name("LIST");
    command.add_option("--rows-per-key", typed_rows_per_key_, "rows of the build side that share a key: 1,4")
        ->type_name("LIST");
    command
        .add_option(
            "--families", typed_families_,
            "tables of families, in place of the methods that are not told: from a key to its row or, in semi and anti "
            "joins, a set")
        ->type_name("LIST");
    command.add_option("--load", typed_loads_, "load factors of these tables, and of hash's table of keys: 0.5")
        ->type_name("LIST");
    command.add_option("--probe-keys", typed_probe_file_, "a key file of probe rows; the build side is one, too")
        ->type_name("FILE");
    command.add_option("--probe-column", typed_probe_column_, "the column with the keys of that file")
        ->type_name("NAME");
    command.add_option("--hit", typed_hits_, "shares of the probe rows whose key the build side has: 0.5")
        ->type_name("LIST");
    options_.add_to(command);
  }

  void interpret() override
  {
    options_.interpret();
    auto const& names = joins::join_kind_names;
    std::vector<std::string> const known(names.begin(), names.end());
    kinds_.clear();
    for (std::string const& kind : read_names("--kinds", typed_kinds_, known, known)) {
      kinds_.push_back(static_cast<JoinKind>(std::ranges::find(names, kind) - names.begin()));
    }
    if (options_.has_file() && !typed_rows_per_key_.empty()) {
      throw Error("--rows-per-key: a key file decides that itself; leave the option out");
    }
    build_ = read_counts("--build", typed_build_, {}, 1, joins::max_rows);
    probe_ = read_counts("--probe", typed_probe_, {}, 1, joins::max_rows);
    std::vector<std::uint64_t> const usual =
        options_.has_file() ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{1, 4};
    rows_per_key_ = read_counts("--rows-per-key", typed_rows_per_key_, usual, 1, joins::max_rows);
    hits_ = read_list("--hit", typed_hits_, std::vector{0.5}, read_share);
    loads_ = read_loads(typed_loads_, {0.5});
    families_ = read_list("--families", typed_families_, std::vector<std::string>{},
                          [](std::string const& words) { return words_of_table(table_of_words(typed_table(words))); });
    if (!families_.empty() && !options_.tells_methods()) { options_.methods.clear(); }
    interpret_probe();
  }

  BenchColumns columns() const override
  {
    return columns_of({"method", "kind", "key_bits", "build_rows", "probe_rows", "rows_per_key", "hit", "skew", "keys",
                       "part", "load", "probe_keys", "keys_checksum", "probe_checksum"},
                      {"mrows", "results", "bytes", "table_bytes"}, {"keys", "keys_checksum", "probe_checksum"});
  }

  Findings findings() const override
  {
    auto const any = [&](JoinKind kind) { return std::ranges::find(kinds_, kind) != kinds_.end(); };
    LookAlikes look_alikes;
    return findings_of_join(options_.keys, probe_keys_, any(JoinKind::left) || any(JoinKind::anti), look_alikes);
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<BenchCase> cases;
    for (std::uint64_t const build : options_.rows(build_, backend)) {
      for (std::uint64_t const probe : probe_rows(build)) { add_cases(backend, build, probe, cases); }
    }
    return cases;
  }

private:
  bool probes_file() const { return probe_keys_.distribution == KeyDistribution::file; }

  void interpret_probe()
  {
    if (typed_probe_file_.empty()) {
      if (!typed_probe_column_.empty()) { throw Error("--probe-column needs its file: add --probe-keys FILE"); }
      return;
    }
    if (!options_.has_file()) { throw Error("--probe-keys: the build side must come from a file, too; add --keys"); }
    if (!typed_hits_.empty()) { throw Error("--hit: the key file of the probe side decides that; leave it out"); }
    probe_keys_ = with_key_file({}, typed_probe_file_,
                                {.column = typed_probe_column_, .as_text = notes_of(options_.keys).reading.as_text});
    check_comparable(options_.keys, probe_keys_);
    options_.skews = {KeySkew{}};
    options_.widen_for(probe_keys_);
    probe_checksum_ = keys_checksum(probe_keys_);
  }

  std::vector<std::uint64_t> probe_rows(std::uint64_t build) const
  {
    if (!probe_.empty()) { return probe_; }
    return {probes_file() ? probe_keys_.file_keys->size() : build};
  }

  void add_cases(Backend backend, std::uint64_t build, std::uint64_t probe, std::vector<BenchCase>& cases) const
  {
    JoinCase subject{.build_rows = build, .probe_rows = probe, .keys = options_.keys, .probe = probe_keys_};
    for (JoinKind const kind : kinds_) {
      for (std::uint64_t const rows_per_key : rows_per_key_) {
        for (double const hit : hits_) {
          for (KeySkew const& skew : options_.skews) {
            subject.kind = kind;
            subject.rows_per_key = rows_per_key;
            subject.hit_share = hit;
            subject.skew = skew;
            add_methods(backend, subject, cases);
          }
        }
      }
    }
  }

  void add_methods(Backend backend, JoinCase subject, std::vector<BenchCase>& cases) const
  {
    std::uint64_t const different = families_.empty() ? 0 : different_keys(subject);
    for (int const bits : options_.key_bits) {
      for (std::string const& method : options_.methods) {
        subject.rival = options_.rival(method);
        if (method != by_hash) {
          subject.settings = options_.settings(method, bits);
          add_case(backend, subject, method, std::nullopt, cases);
          continue;
        }
        for (double const load : loads_) {
          subject.settings = options_.settings(method, bits, load);
          add_case(backend, subject, method, load, cases);
        }
      }
      subject.rival.clear();
      subject.settings = {.key_bits = bits};
      for (std::string const& family : families_) {
        for (double const load : loads_) {
          JoinCase of_table = subject;
          of_table.table = table_for(family, subject, load, different);
          BenchCase& row = add_case(backend, of_table, family, load, cases);
          row.obstacle = [=] { return obstacle_of_table(backend, of_table, load, different); };
        }
      }
    }
  }

  BenchCase& add_case(Backend backend, JoinCase const& subject, std::string const& method, std::optional<double> load,
                      std::vector<BenchCase>& cases) const
  {
    std::string_view const kind = joins::join_kind_names[static_cast<std::size_t>(subject.kind)];
    int const bits = subject.settings.key_bits;
    BenchCase& row = cases.emplace_back();
    auto const skew = probes_file() ? std::nullopt : std::optional(subject.skew);
    std::string const drawn = (options_.has_file() ? "" : fmt::format(", {} a key", subject.rows_per_key)) +
                              (probes_file() ? "" : fmt::format(", hit {}", subject.hit_share));
    row.what =
        fmt::format("{} join, {} rows with {}{}, {}{}", kind, grouped(subject.build_rows), grouped(subject.probe_rows),
                    drawn, RowOptions::words(method, bits, skew), load ? fmt::format(", α {:g}", *load) : "");
    row.identity = on_device(backend);
    row.identity.update(options_.columns(method, bits, skew));
    row.identity.update(BenchRow{{"kind", kind},
                                 {"build_rows", subject.build_rows},
                                 {"probe_rows", subject.probe_rows},
                                 {"rows_per_key", options_.has_file() ? Json() : Json(subject.rows_per_key)},
                                 {"hit", probes_file() ? Json() : Json(rounded(subject.hit_share))},
                                 {"load", load ? Json(rounded(*load)) : Json()},
                                 {"probe_keys", probes_file() ? Json(keys_text(probe_keys_)) : Json()},
                                 {"probe_checksum", text_or_null(probe_checksum_)}});
    for (std::string_view const part : {"build", "probe", "both"}) { row.parts.push_back({{"part", part}}); }
    row.work = static_cast<double>(subject.build_rows + subject.probe_rows);
    row.obstacle = [=] { return RowOptions::obstacle(subject.rival, backend); };
    row.make = [=] { return std::make_unique<JoinCaseBench>(backend, subject); };
    return row;
  }

  // options, as typed
  std::string typed_kinds_;
  std::string typed_build_;
  std::string typed_probe_;
  std::string typed_rows_per_key_;
  std::string typed_hits_;
  std::string typed_families_;
  std::string typed_loads_;
  std::string typed_probe_file_;
  std::string typed_probe_column_;

  RowOptions options_{{std::string(by_hash), std::string(by_sort)}};
  std::vector<JoinKind> kinds_;
  std::vector<std::uint64_t> build_;  ///< empty: the default sizes
  std::vector<std::uint64_t> probe_;  ///< empty: the size of the build side
  std::vector<std::uint64_t> rows_per_key_;
  std::vector<double> hits_;
  std::vector<std::string> families_;
  std::vector<double> loads_;
  KeySettings probe_keys_;
  std::string probe_checksum_;
};

}  // namespace

std::unique_ptr<Measurement> make_join_measurement()
{
  return std::make_unique<JoinMeasurement>();
}

}  // namespace slotscape
