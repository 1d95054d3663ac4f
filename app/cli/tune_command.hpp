#pragma once

#include "app/bench/report.hpp"
#include "app/keys/key_words.hpp"
#include "app/scene/setting_options.hpp"
#include "app/tuning/sweep.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// `slotscape tune WORKLOAD.json ...`: searches for the best table without a window, prints the answer and writes
/// files.
class TuneCommand {
public:
  /// Adds the command and its options to a command line that is about to be parsed.
  explicit TuneCommand(CLI::App& app);
  TuneCommand(TuneCommand const&) = delete;
  TuneCommand& operator=(TuneCommand const&) = delete;

  CLI::App& command() const { return *command_; }
  Reach reach = Reach::folder;  ///< of the workload file
  /// Reads the options and the workload; the parser may be destroyed afterwards. Throws Error if one is invalid.
  void interpret();
  /// Measures. Returns the exit status: 0, or `interrupted_status` if Ctrl-C interrupted it. devices: the device
  /// numbers given; on several devices, sharded tables are tried, too.
  int run(BackendChoice backend, std::optional<std::uint64_t> seed, std::vector<int> const& devices) const;

private:
  /// Options as typed.
  struct Typed {
    std::string workload;
    std::string keys;
    std::string key_bits;
    std::string most_bytes;
    std::string budget;
    std::string csv;
    std::string json;
    std::string plot;
    std::string report;
    bool resume = false;
  };

  /// Options of a join, as typed.
  struct TypedJoin {
    std::string probe;
    std::string probe_column;
    std::string build_rows;
    std::string probe_rows;
    std::string rows_per_key;
    friend bool operator==(TypedJoin const&, TypedJoin const&) = default;
  };

  void add_join_options();
  void interpret_join();
  void interpret_division();
  /// The workload for this number of devices.
  tuning::Workload workload_on(std::size_t devices) const;
  void check_files() const;
  void write_files(tuning::Results const& results) const;
  void write_report(tuning::Results const& results) const;

  Typed typed_;
  TypedJoin typed_join_;
  SettingOptions<tuning::JoinSides> join_options_;
  SettingOptions<tuning::Division> division_options_;
  KeyFileOptions key_file_;
  CLI::App* command_;

  // options, as interpreted
  tuning::Workload workload_;
  tuning::SweepSettings settings_;
};

}  // namespace slotscape
