#pragma once

#include "app/base/json.hpp"
#include "app/bench/report.hpp"
#include "app/tuning/answer.hpp"
#include "app/tuning/plots.hpp"

#include <string>
#include <vector>

namespace slotscape::tuning {

/// Computes the checksums of the workload's key files for the rows. Reads all keys.
void note_checksums(Results& results);

/// --- rows: one for each operation of each candidate, and one for the mix, whose operation is "workload". The columns
/// are those of `slotscape bench tables` and some more.
std::vector<std::string> columns();
/// The columns that distinguish rows.
std::vector<std::string> identity();
std::vector<BenchRow> rows_of(Results const& results, Measured const& measured);
/// The measurements in rows of an earlier sweep that apply to this workload. Rows of other backends or keys are
/// skipped.
std::vector<Measured> measured_in(std::vector<BenchRow> const& rows, Results const& results);
/// The number of tables whose rows are skipped.
std::size_t tables_of_others(std::vector<BenchRow> const& rows, Results const& results);

/// All results, for scripts: workload, device, candidates, frontier, answer, churn, failures, and skipped tables with
/// reasons.
Json to_json(Results const& results);

/// --- a page to share.
struct Picture {
  std::string title;
  std::string svg;  ///< the content of the file
};
/// The plots as vector pictures. Needs the font of a live interface.
std::vector<Picture> pictures_of(Look const& look, Results const& results);

/// One page with embedded pictures.
std::string html_report(Results const& results, std::vector<Picture> const& pictures);
/// The page in Markdown; `pictures`: names of accompanying files, by title.
std::string markdown_report(Results const& results, std::vector<std::pair<std::string, std::string>> const& pictures);

}  // namespace slotscape::tuning
