#pragma once

#include "app/bench/measurement.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// `slotscape bench ...`: measurements without a window, printed and written to files.
class BenchCommand {
public:
  /// Adds the command and its options to a command line that is about to be parsed.
  BenchCommand(CLI::App& app, TimeFrames const& time_frames);
  BenchCommand(BenchCommand const&) = delete;
  BenchCommand& operator=(BenchCommand const&) = delete;

  CLI::App& command() const { return *command_; }
  /// The bench command that was given; null if none was.
  CLI::App* given() const;
  /// Reads the options; the parser may be destroyed afterwards. Throws Error if one is invalid.
  void interpret();
  /// Measures. Returns the exit status: 0, or `interrupted_status` if Ctrl-C interrupted it.
  int run(BackendChoice backend, std::optional<std::uint64_t> seed) const;

private:
  /// Options as typed.
  struct Typed {
    std::string repeats;
    std::string threads;
    std::string max_seconds;
    std::string csv;
    std::string json;
    std::string plot;
    bool resume = false;
  };

  void add_common_options(CLI::App& command, std::string_view plot_help);
  void draw(BenchReport const& report) const;

  Typed typed_;
  CLI::App* command_;
  std::vector<std::unique_ptr<Measurement>> measurements_;
  std::vector<CLI::App*> commands_;  ///< one for each measurement

  // options, as interpreted
  Measurement* chosen_ = nullptr;
  int repeats_ = 7;
  int threads_ = 0;           ///< CPU threads; 0: all
  double max_seconds_ = 0.0;  ///< as in `BenchRequest`
  BenchFiles files_;
  std::filesystem::path plot_;
};

}  // namespace slotscape
