#pragma once

#include "app/base/findings.hpp"
#include "app/bench/report.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"
#include "gpu/bench/table_bench.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace slotscape {

class BenchProgress;

/// The settings of a run.
struct BenchRequest {
  Backend backend = Backend::cpu;
  int repeats = 7;  ///< the median counts; a first, additional one does not
  std::uint64_t seed = 1;
  double max_seconds = 0.0;  ///< limit for a repeat, or for one kind of operation in it; 0: the default
};

/// The columns of a measurement's rows.
struct BenchColumns {
  std::vector<std::string> all;
  std::vector<std::string> identity;  ///< names of the columns that identify a row
  std::vector<std::string> shown;     ///< names of the columns that are printed
};

/// A measurement of `slotscape bench`.
class Measurement {
public:
  virtual ~Measurement() = default;

  virtual std::string_view name() const = 0;  ///< on the command line
  virtual std::string_view help() const = 0;
  /// Adds the measurement's own options; `interpret` reads them and throws Error if one is invalid.
  virtual void add_options(CLI::App& command) = 0;
  virtual void interpret() = 0;

  virtual BenchColumns columns() const = 0;
  /// The work of all rows together, in any unit, for the progress display.
  virtual double work(Backend backend) const = 0;
  /// Adds row by row. Returns false if Ctrl-C ended it; rows are never partial. Throws Error if an answer is wrong.
  virtual bool run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const = 0;

  /// Remarks to print before the rows.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// Describes what `draw` draws for `--plot`; empty: nothing.
  virtual std::string_view plot_help() const { return {}; }
  virtual void draw(Look const&, Drawing&, ImVec2 /*size*/, std::vector<BenchRow> const&) const {}

  /// Findings about the user's data.
  virtual Findings findings() const { return {}; }
};

/// All measurements, in the order of the help. `time_frames` draws frames of the program offscreen, with the given
/// words as its command line, and returns the seconds of each frame; it throws Error if OpenGL is unavailable.
using TimeFrames = std::function<std::vector<double>(std::vector<std::string> const& words, int frames)>;
std::vector<std::unique_ptr<Measurement>> all_measurements(TimeFrames const& time_frames);

/// One case of a measurement, set up on a device.
class CaseBench {
public:
  virtual ~CaseBench() = default;
  /// Runs the case once with random numbers from a seed and checks every answer. Returns the seconds, or another
  /// measured quantity, of each part. Nothing if it was cancelled. Throws Error if an answer is wrong.
  virtual std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) = 0;
  /// The columns of a part's row other than its identity and time. `median`: of the values that `run` returned.
  virtual BenchRow facts(std::size_t part, double median) const = 0;
  /// Findings about a part's figures.
  virtual Findings findings(std::size_t /*part*/) const { return {}; }
};

/// A case that is still to be run.
struct BenchCase {              // NOLINT(bugprone-exception-escape): moving a Json does not throw
  std::string what;             ///< for the progress display
  BenchRow identity;            ///< the columns that its rows share
  std::vector<BenchRow> parts;  ///< one row each, with the columns that identify it
  double work = 1.0;
  std::function<std::string()> obstacle = {};  ///< why it cannot be measured; empty if it can
  std::function<std::unique_ptr<CaseBench>()> make;
};

/// A measurement that runs cases: rows have the columns of a case and its part, the median, `spread`, the facts, and
/// `findings`. A case is abandoned if a repeat takes too long: its rows say so and have no figures.
class CaseMeasurement : public Measurement {
public:
  double work(Backend backend) const final;
  bool run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const final;

protected:
  virtual std::vector<BenchCase> cases(Backend backend) const = 0;
  /// The name of the column of medians from `CaseBench::run`, and the factor that converts them to its unit.
  struct Measured {
    std::string column = "median_ms";
    double factor = 1e3;
  };
  virtual Measured measured() const { return {}; }
  /// `identity`: the columns of cases and parts, which follow `backend` and `device`.
  BenchColumns columns_of(std::vector<std::string> identity, std::vector<std::string> const& facts,
                          std::vector<std::string> const& not_shown = {}) const;

private:
  bool run_case(BenchCase const& subject, BenchRequest const& request, BenchReport& report,
                BenchProgress& progress) const;
  void add_row(BenchRow row, Findings const& of_row, BenchReport& report) const;
};

/// A number for a row; null for an infinite one, which stands for no number.
Json number_or_null(double number);
/// The columns that begin every case.
BenchRow on_device(Backend backend);
std::string device_name(Backend backend);
/// Throws Error unless all answers are right; the message says which were wrong and how many are right.
void require_right(std::string_view what, std::uint64_t right, std::uint64_t all);

}  // namespace slotscape
