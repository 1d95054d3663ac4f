#pragma once

#include "app/base/json.hpp"
#include "app/bench/report.hpp"
#include "app/tuning/answer.hpp"
#include "app/tuning/plots.hpp"

#include <string>
#include <vector>

namespace slotscape::tuning {

/// Takes the checksums of the workload's key files, which rows have. It goes through all keys.
void note_checksums(Results& results);

/// --- rows: one for each operation of each candidate, and one of the mix, whose operation is "workload". The columns
/// are those of `slotscape bench tables` and some more.
std::vector<std::string> columns();
/// Those that tell rows apart.
std::vector<std::string> identity();
std::vector<BenchRow> rows_of(Results const& results, Measured const& measured);
/// What rows of an earlier sweep say about this workload. Rows of other backends or keys are passed over.
std::vector<Measured> measured_in(std::vector<BenchRow> const& rows, Results const& results);
/// How many tables rows have that are passed over.
std::size_t tables_of_others(std::vector<BenchRow> const& rows, Results const& results);

/// Everything, for scripts: workload, device, candidates, frontier, answer, churn, failures, what was skipped and why.
Json to_json(Results const& results);

/// --- a page to hand on.
struct Picture {
  std::string title;
  std::string svg;  ///< the whole file
};
/// The plots as vector pictures. Needs the font of a live interface.
std::vector<Picture> pictures_of(Look const& look, Results const& results);

/// One page with the pictures inside.
std::string html_report(Results const& results, std::vector<Picture> const& pictures);
/// The same in Markdown; `pictures`: the names of files beside it, by title.
std::string markdown_report(Results const& results, std::vector<std::pair<std::string, std::string>> const& pictures);

}  // namespace slotscape::tuning
