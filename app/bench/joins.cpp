#include "app/base/text.hpp"
#include "app/bench/key_words.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "gpu/bench/join_bench.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

using bench::GroupCase;
using bench::JoinCase;
using bench::KeySkew;
using joins::JoinKind;

constexpr std::string_view by_hash = "hash";
constexpr std::string_view by_sort = "sort";

std::string text_of(KeySkew const& skew)
{
  return skew.half ? "half" : fmt::format("{}", skew.exponent);
}

KeySkew read_skew(std::string const& word)
{
  KeySkew skew;
  skew.half = word == "half";
  if (!skew.half) { read_number("--skew", word, 0.0, 4.0, skew.exponent); }
  return skew;
}

double read_share(std::string const& word)
{
  double share = 0.0;
  read_number("--hit", word, 0.0, 1.0, share);
  return share;
}

/// What both measurements are told about methods and keys.
class RowOptions {
public:
  explicit RowOptions(std::vector<std::string> ours) : ours_(std::move(ours)) {}

  void add_to(CLI::App& command)
  {
    command
        .add_option("--methods", typed_methods_,
                    fmt::format("{} and, on a CPU, tables by others: {}; ours, unless told", fmt::join(ours_, ","),
                                fmt::join(rivals(), ",")))
        ->type_name("LIST");
    command.add_flag("--rivals", with_rivals_, "hash tables for CPUs by others, too");
    command
        .add_option("--skew", typed_skews_,
                    "how unequal keys are: exponents of Zipf's law, 0 for none, or half: one key has every other row; "
                    "0,1.2")
        ->type_name("LIST");
    command.add_option("--key-bits", typed_key_bits_, "32, 64 or 32,64; a key file that needs 64 gets them")
        ->type_name("LIST");
    command.add_option("--keys", typed_file_, "a key file, in place of random keys")->type_name("FILE");
    reading_.add_to(command);
  }

  void interpret()
  {
    std::vector<std::string> known = ours_;
    std::vector<std::string> const others = rivals();
    known.insert(known.end(), others.begin(), others.end());
    methods = read_names("--methods", typed_methods_, with_rivals_ ? known : ours_, known);
    skews = read_list("--skew", typed_skews_, std::vector{KeySkew{}, KeySkew{.exponent = 1.2}}, read_skew);
    if (!typed_file_.empty()) {
      keys = keys_of_words(typed_file_, reading_.reading()).keys;
      if (keys.distribution != KeyDistribution::file) {
        throw Error(fmt::format("--keys: '{}' is no key file; without the option, keys are random", typed_file_));
      }
    }
    bool const finds_width = typed_key_bits_.empty() && key_bits_for(keys) == 64;
    key_bits = finds_width ? std::vector{64} : read_key_bits(typed_key_bits_);
    for (int const bits : key_bits) { check_keys_fit(keys, bits); }
  }

  bool has_file() const { return keys.distribution == KeyDistribution::file; }
  /// Rows of the file; of random keys, as many as typed or usual.
  std::vector<std::uint64_t> rows(std::vector<std::uint64_t> const& typed, Backend backend) const
  {
    if (!typed.empty()) { return typed; }
    if (has_file()) { return {keys.file_keys->size()}; }
    return {backend == Backend::cuda ? 100'000'000 : std::uint64_t{1} << 20};
  }
  /// What tells cases apart, in words and in columns.
  std::string words(std::string const& method, int bits, KeySkew const& skew) const
  {
    return fmt::format("{}, {}-bit, skew {}", method, bits, text_of(skew));
  }
  BenchRow columns(std::string const& method, int bits, KeySkew const& skew) const
  {
    return {{"method", method}, {"key_bits", bits}, {"skew", text_of(skew)}, {"keys", keys_text(keys)}};
  }
  /// The settings of our own methods, and the name of a rival.
  joins::Settings settings(std::string const& method, int bits) const
  {
    joins::Settings settings{.key_bits = bits};
    if (method == by_sort) { settings.construction = multivalue::Construction::sort; }
    return settings;
  }
  std::string rival(std::string const& method) const
  {
    return std::ranges::find(ours_, method) != ours_.end() ? "" : method;
  }
  /// Why a method cannot be measured.
  static std::string obstacle(std::string const& rival, Backend backend)
  {
    auto const known = std::ranges::find(bench::row_rivals(), rival, &bench::Rival::name);
    if (known == bench::row_rivals().end()) { return ""; }
    if (backend != Backend::cpu) { return "it runs on the CPU only"; }
    return known->built_in ? ""
                           : fmt::format("it is not part of this program, which was built without {}", known->package);
  }

  std::vector<std::string> methods;
  std::vector<KeySkew> skews;
  std::vector<int> key_bits;
  KeySettings keys;

private:
  static std::vector<std::string> rivals()
  {
    std::vector<std::string> names;
    for (bench::Rival const& rival : bench::row_rivals()) { names.emplace_back(rival.name); }
    return names;
  }

  std::vector<std::string> ours_;
  bool with_rivals_ = false;
  std::string typed_methods_;
  std::string typed_skews_;
  std::string typed_key_bits_;
  std::string typed_file_;
  KeyFileOptions reading_;
};

Json millions_a_second(double rows, double seconds)
{
  return number_or_null(rounded(1e-6 * rows / seconds));
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
    results_ = run->results;
    return std::vector{run->build_seconds, run->probe_seconds, run->build_seconds + run->probe_seconds};
  }
  BenchRow facts(std::size_t part, double seconds) const override
  {
    std::array const rows{subject_.build_rows, subject_.probe_rows, subject_.build_rows + subject_.probe_rows};
    return {{"mrows", millions_a_second(static_cast<double>(rows.at(part)), seconds)},
            {"results", results_},
            {"bytes", bench_->memory_bytes()}};
  }

private:
  std::unique_ptr<bench::JoinBench> bench_;
  JoinCase subject_;
  std::uint64_t results_ = 0;  ///< of the last repeat
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
  }

  BenchColumns columns() const override
  {
    return columns_of({"method", "kind", "key_bits", "build_rows", "probe_rows", "rows_per_key", "hit", "skew", "keys",
                       "part"},
                      {"mrows", "results", "bytes"}, {"keys"});
  }

  Findings findings() const override { return key_findings(options_.keys); }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<BenchCase> cases;
    for (std::uint64_t const build : options_.rows(build_, backend)) {
      for (std::uint64_t const probe : probe_.empty() ? std::vector{build} : probe_) {
        add_cases(backend, build, probe, cases);
      }
    }
    return cases;
  }

private:
  void add_cases(Backend backend, std::uint64_t build, std::uint64_t probe, std::vector<BenchCase>& cases) const
  {
    JoinCase subject{.build_rows = build, .probe_rows = probe, .keys = options_.keys};
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
    std::string_view const kind = joins::join_kind_names[static_cast<std::size_t>(subject.kind)];
    for (int const bits : options_.key_bits) {
      for (std::string const& method : options_.methods) {
        subject.settings = options_.settings(method, bits);
        subject.rival = options_.rival(method);
        BenchCase& row = cases.emplace_back();
        row.what = fmt::format("{} join, {} rows with {}, {} a key, hit {}, {}", kind, grouped(subject.build_rows),
                               grouped(subject.probe_rows), subject.rows_per_key, subject.hit_share,
                               options_.words(method, bits, subject.skew));
        row.identity = on_device(backend);
        row.identity.update(options_.columns(method, bits, subject.skew));
        row.identity.update(BenchRow{{"kind", kind},
                                     {"build_rows", subject.build_rows},
                                     {"probe_rows", subject.probe_rows},
                                     {"rows_per_key", options_.has_file() ? Json() : Json(subject.rows_per_key)},
                                     {"hit", rounded(subject.hit_share)}});
        for (std::string_view const part : {"build", "probe", "both"}) { row.parts.push_back({{"part", part}}); }
        row.work = static_cast<double>(subject.build_rows + subject.probe_rows);
        row.obstacle = [=] { return RowOptions::obstacle(subject.rival, backend); };
        row.make = [=] { return std::make_unique<JoinCaseBench>(backend, subject); };
      }
    }
  }

  // as typed
  std::string typed_kinds_;
  std::string typed_build_;
  std::string typed_probe_;
  std::string typed_rows_per_key_;
  std::string typed_hits_;

  RowOptions options_{{std::string(by_hash), std::string(by_sort)}};
  std::vector<JoinKind> kinds_;
  std::vector<std::uint64_t> build_;  ///< empty: the usual ones
  std::vector<std::uint64_t> probe_;  ///< empty: as many as the build side has
  std::vector<std::uint64_t> rows_per_key_;
  std::vector<double> hits_;
};

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
  std::uint64_t found_ = 0;  ///< groups of the last repeat
};

/// Counts and sums by key.
class GroupMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "groupby"; }
  std::string_view help() const override { return "a column of keys and one of values: counts and sums by key"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--rows", typed_rows_, "rows: 2^20 or, on a GPU, 10^8; of a key file, all")->type_name("LIST");
    command.add_option("--groups", typed_groups_, "different keys that rows are drawn from: 1000,2^20")
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
    return columns_of({"rows", "groups", "skew", "key_bits", "keys", "method"}, {"mrows", "results", "bytes"},
                      {"keys"});
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
        std::string const groups = options_.has_file() ? "" : fmt::format(" of {} groups", grouped(subject.groups));
        row.what = fmt::format("group-by, {} rows{}, {}", grouped(subject.rows), groups,
                               options_.words(method, bits, subject.skew));
        row.identity = on_device(backend);
        row.identity.update(options_.columns(method, bits, subject.skew));
        row.identity.update(
            BenchRow{{"rows", subject.rows}, {"groups", options_.has_file() ? Json() : Json(subject.groups)}});
        row.parts.push_back({{"method", method}});
        row.work = static_cast<double>(subject.rows);
        row.obstacle = [=] { return RowOptions::obstacle(subject.rival, backend); };
        row.make = [=] { return std::make_unique<GroupCaseBench>(backend, subject); };
      }
    }
  }

  // as typed
  std::string typed_rows_;
  std::string typed_groups_;

  RowOptions options_{{std::string(by_hash)}};
  std::vector<std::uint64_t> rows_;  ///< empty: the usual ones
  std::vector<std::uint64_t> groups_;
};

}  // namespace

std::unique_ptr<Measurement> make_join_measurement()
{
  return std::make_unique<JoinMeasurement>();
}

std::unique_ptr<Measurement> make_group_measurement()
{
  return std::make_unique<GroupMeasurement>();
}

}  // namespace slotscape
