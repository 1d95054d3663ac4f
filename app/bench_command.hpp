#pragma once

#include "app/bench/table_benches.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace slotscape {

/// `slotscape bench ...`: measurements without a window, printed and written to files.
class BenchCommand {
public:
  /// Adds the command and its options to a command line that is about to be parsed.
  explicit BenchCommand(CLI::App& app);
  BenchCommand(BenchCommand const&) = delete;
  BenchCommand& operator=(BenchCommand const&) = delete;

  CLI::App& command() const { return *command_; }
  /// The given one of its commands; null if none was.
  CLI::App* given() const;
  /// Reads the options; the command line need not live any longer. Throws Error at an invalid one.
  void interpret();
  /// Measures. Returns the exit status: 0, or `interrupted_status` if Ctrl-C has cut it short.
  int run(BackendChoice backend, std::optional<std::uint64_t> seed) const;

private:
  /// Options as typed.
  struct Typed {
    std::string families;
    bool variants = false;
    std::string slots;
    std::string load;
    std::string operations;
    std::string keys;
    std::string hash;
    std::string key_bits;
    std::string batch;
    std::string repeats;
    std::string sizes;
    std::string csv;
    std::string json;
    std::string plot;
    bool resume = false;
  };

  void add_tables();
  void add_limits();
  void add_outputs(CLI::App& command);
  TableBenchSettings table_settings() const;
  int run_tables(Backend backend, std::optional<std::uint64_t> seed) const;
  int run_limits(Backend backend) const;

  Typed typed_;
  CLI::App* command_;
  CLI::App* tables_ = nullptr;
  CLI::App* limits_ = nullptr;

  // as interpreted
  bool measures_tables_ = false;
  TableBenchSettings table_settings_;
  std::vector<std::uint64_t> sizes_;  ///< of memory; empty: the usual ones
  BenchFiles files_;
  std::filesystem::path plot_;
};

}  // namespace slotscape
