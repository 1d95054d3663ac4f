#pragma once

#include "app/bench/measurement.hpp"
#include "app/bench/papers/printed_numbers.hpp"

#include <functional>
#include <string>
#include <vector>

namespace slotscape {

/// One quantity of an experiment: measured here, and compared with the printed number.
struct Compared {
  PrintedNumber const* printed = nullptr;
  std::string family;     ///< family or method used here
  double keys = 0.0;      ///< number of keys here; 0: not applicable
  double load = -1.0;     ///< load factor here; below 0: none
  std::string note = {};  ///< how our experiment differs from the paper's
};

/// An experiment of a paper. `make` is called when the experiment is due, and the function that it returns is called
/// once per repeat, with a new seed. That function returns a value for each quantity, in the unit of the printed one.
/// It checks every answer, and returns nothing if it was cancelled.
struct Experiment {
  using Run = std::function<std::optional<std::vector<double>>(std::uint64_t seed, Progress const& progress)>;

  std::string what;
  std::vector<Compared> compared;
  double work = 1.0;
  std::function<Run()> make;
  std::function<std::string()> obstacle = {};
};

/// Repeats the experiments of a paper and compares the results with its printed numbers.
class PaperMeasurement : public CaseMeasurement {
public:
  explicit PaperMeasurement(PrintedPaper const& paper);

  std::string_view name() const final { return paper_.name; }
  std::string_view help() const final { return help_; }
  void add_options(CLI::App& command) final;
  void interpret() final;
  BenchColumns columns() const final;
  std::vector<std::string> remarks() const final;
  std::string_view plot_help() const final
  {
    return "draw what is measured beside what is printed: OUT.png or OUT.svg";
  }
  void draw(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows) const final;

protected:
  virtual std::vector<Experiment> experiments(Backend backend) const = 0;
  std::vector<BenchCase> cases(Backend backend) const final;
  Measured measured() const final { return {"ours", 1.0}; }

  PrintedPaper const& paper() const { return paper_; }
  /// The paper's number of keys, scaled: by the factor on the command line; without one, by 1 on a GPU, and by less
  /// than 1 on a CPU where the keys are many.
  std::uint64_t scaled(Backend backend, double keys) const;

private:
  double scale(Backend backend) const;

  PrintedPaper const& paper_;
  std::string help_;
  std::string typed_scale_;
  double scale_ = 0.0;  ///< 0: not given
};

}  // namespace slotscape
