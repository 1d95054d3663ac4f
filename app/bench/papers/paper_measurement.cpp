#include "app/bench/papers/paper_measurement.hpp"

#include "app/base/option_text.hpp"
#include "app/bench/papers/paper_plot.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double scale_on_cpu = 1.0 / 64.0;
constexpr double smallest_scale = 1e-5;

Json if_told(double number, double told_from)
{
  return number >= told_from ? Json(rounded(number)) : Json(nullptr);
}

class PaperBench final : public CaseBench {
public:
  PaperBench(PrintedPaper const& paper, Experiment const& experiment)
      : paper_(paper), compared_(experiment.compared), run_(experiment.make())
  {
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    return run_(seed, progress);
  }

  BenchRow facts(std::size_t part, double median) const override
  {
    Compared const& here = compared_[part];
    PrintedNumber const& printed = *here.printed;
    bool const knows_keys = printed.keys > 0.0 && here.keys > 0.0;
    double const scale = knows_keys ? here.keys / printed.keys : 1.0;
    double const times = printed.unit == "ms"               ? printed.value * scale / median
                         : printed.better == Better::higher ? median / printed.value
                                                            : HUGE_VAL;
    return {{"unit", printed.unit},
            {"printed", printed.value},
            {"as_printed", printed.as_printed},
            {"printed_keys", if_told(printed.keys, 1.0)},
            {"scale", knows_keys ? Json(rounded(scale)) : Json(nullptr)},
            {"ratio", number_or_null(rounded(median / printed.value))},
            {"times_as_fast", std::isfinite(median) ? number_or_null(rounded(times)) : Json(nullptr)},
            {"printed_device", paper_.device},
            {"source", printed.source},
            {"note", here.note}};
  }

private:
  PrintedPaper const& paper_;
  std::vector<Compared> compared_;
  Experiment::Run run_;
};

}  // namespace

PaperMeasurement::PaperMeasurement(PrintedPaper const& paper)
    : paper_(paper), help_(fmt::format("the experiments of {}, beside its numbers", paper.citation))
{
}

void PaperMeasurement::add_options(CLI::App& command)
{
  command.add_option("--scale", typed_scale_, "size of the experiments relative to the paper's: 1, and 1/64 on a CPU")
      ->type_name("X");
}

void PaperMeasurement::interpret()
{
  read_number("--scale", typed_scale_, smallest_scale, 1.0, scale_);
}

BenchColumns PaperMeasurement::columns() const
{
  return columns_of({"experiment", "quantity", "family", "keys", "load_factor"},
                    {"unit", "printed", "as_printed", "printed_keys", "scale", "ratio", "times_as_fast",
                     "printed_device", "source", "note"},
                    {"as_printed", "printed_keys", "printed_device", "source", "note", "ratio"});
}

std::vector<std::string> PaperMeasurement::remarks() const
{
  std::vector<std::string> remarks{fmt::format("printed: {}, on {}", paper_.citation, paper_.device)};
  for (std::string_view const what : paper_.not_repeated) {
    remarks.push_back(fmt::format("printed, but not repeated here: {}", what));
  }
  for (std::string_view const what : paper_.pictures) {
    remarks.push_back(fmt::format("not available, a picture without numbers: {}", what));
  }
  return remarks;
}

void PaperMeasurement::draw(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows) const
{
  draw_paper(look, drawing, size, fmt::format("{}, on {}", paper_.citation, paper_.device), rows);
}

std::vector<BenchCase> PaperMeasurement::cases(Backend backend) const
{
  std::vector<BenchCase> cases;
  for (Experiment const& experiment : experiments(backend)) {
    BenchCase& subject = cases.emplace_back();
    subject.what = experiment.what;
    subject.identity = on_device(backend);
    for (Compared const& one : experiment.compared) {
      subject.parts.push_back({{"experiment", one.printed->experiment},
                               {"quantity", one.printed->quantity},
                               {"family", one.family},
                               {"keys", if_told(one.keys, 1.0)},
                               {"load_factor", if_told(one.load, 0.0)}});
    }
    subject.work = experiment.work;
    subject.obstacle = experiment.obstacle;
    subject.make = [this, experiment] { return std::make_unique<PaperBench>(paper_, experiment); };
  }
  return cases;
}

double PaperMeasurement::scale(Backend backend) const
{
  if (scale_ > 0.0) { return scale_; }
  return backend == Backend::cuda ? 1.0 : scale_on_cpu;
}

std::uint64_t PaperMeasurement::scaled(Backend backend, double keys) const
{
  constexpr double fewest = 4096.0;
  constexpr double small = 1048576.0;  // the minimum, unless a scale is given
  double const least = std::min(scale_ > 0.0 ? fewest : small, keys);
  return static_cast<std::uint64_t>(std::llround(std::max(least, keys * scale(backend))));
}

}  // namespace slotscape
