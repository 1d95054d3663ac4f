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

/// How a measurement is to run.
struct BenchRequest {
  Backend backend = Backend::cpu;
  int repeats = 7;  ///< whose median counts, after one that does not
  std::uint64_t seed = 1;
  double max_seconds = 0.0;  ///< that a repeat may take, or one kind of operation in it; 0: as usual
};

/// The columns of a measurement's rows.
struct BenchColumns {
  std::vector<std::string> all;
  std::vector<std::string> identity;  ///< that tell rows apart
  std::vector<std::string> shown;     ///< that are printed
};

/// One of the measurements of `slotscape bench`.
class Measurement {
public:
  virtual ~Measurement() = default;

  virtual std::string_view name() const = 0;  ///< on the command line
  virtual std::string_view help() const = 0;
  /// Those of its own, which `interpret` reads; it throws Error at an invalid one.
  virtual void add_options(CLI::App& command) = 0;
  virtual void interpret() = 0;

  virtual BenchColumns columns() const = 0;
  /// For the progress: of all rows together, in any unit.
  virtual double work(Backend backend) const = 0;
  /// Adds row by row. Returns false if Ctrl-C ended it: rows are whole. Throws Error at a wrong answer.
  virtual bool run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const = 0;

  /// What is to be said before the rows.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// What `--plot` draws, if it draws anything: see `draw`.
  virtual std::string_view plot_help() const { return {}; }
  virtual void draw(Look const&, Drawing&, ImVec2 /*size*/, std::vector<BenchRow> const&) const {}

  /// What is to be said of the user's data.
  virtual Findings findings() const { return {}; }
};

/// All of them, in the order of the help. `time_frames` draws frames of the program offscreen, as words on its command
/// line ask for, and returns the seconds of each; it throws Error where there is no OpenGL.
using TimeFrames = std::function<std::vector<double>(std::vector<std::string> const& words, int frames)>;
std::vector<std::unique_ptr<Measurement>> all_measurements(TimeFrames const& time_frames);

/// One case of a measurement in the memory of a device.
class CaseBench {
public:
  virtual ~CaseBench() = default;
  /// Runs it once with the random numbers of a seed and checks every answer: the seconds, or whatever is measured, of
  /// each of its parts. Nothing if it was cancelled. Throws Error at a wrong answer.
  virtual std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) = 0;
  /// The columns of a part's row that are neither its identity nor its time. `median`: of what `run` returned.
  virtual BenchRow facts(std::size_t part, double median) const = 0;
  /// What is to be said of a part's figures.
  virtual Findings findings(std::size_t /*part*/) const { return {}; }
};

/// A case before its turn comes.
struct BenchCase {              // NOLINT(bugprone-exception-escape): moving a Json does not throw
  std::string what;             ///< for the progress
  BenchRow identity;            ///< the columns that its rows share
  std::vector<BenchRow> parts;  ///< a row each, with the columns that tell them apart
  double work = 1.0;
  std::function<std::string()> obstacle = {};  ///< why it cannot be measured; empty if it can
  std::function<std::unique_ptr<CaseBench>()> make;
};

/// A measurement that goes through cases: rows have the columns of a case and its part, the median, `spread`, the
/// facts, and `findings`. A case of which a repeat takes too long is given up: its rows say so, and have no figures.
class CaseMeasurement : public Measurement {
public:
  double work(Backend backend) const final;
  bool run(BenchRequest const& request, BenchReport& report, BenchProgress& progress) const final;

protected:
  virtual std::vector<BenchCase> cases(Backend backend) const = 0;
  /// How the medians of what `CaseBench::run` returns are named, and the factor that brings them into that unit.
  struct Measured {
    std::string column = "median_ms";
    double factor = 1e3;
  };
  virtual Measured measured() const { return {}; }
  /// `identity`: of cases and parts, after `backend` and `device`.
  BenchColumns columns_of(std::vector<std::string> identity, std::vector<std::string> const& facts,
                          std::vector<std::string> const& not_shown = {}) const;

private:
  bool run_case(BenchCase const& subject, BenchRequest const& request, BenchReport& report,
                BenchProgress& progress) const;
  void add_row(BenchRow row, Findings const& of_row, BenchReport& report) const;
};

/// What a row has where there is no number: infinite ones stand for none.
Json number_or_null(double number);
/// The columns that every case begins with.
BenchRow on_device(Backend backend);
std::string device_name(Backend backend);
/// Throws Error that names what gave wrong answers, and how many are right.
void require_right(std::string_view what, std::uint64_t right, std::uint64_t all);

}  // namespace slotscape
