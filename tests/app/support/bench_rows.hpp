#pragma once

#include "app/bench/report.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace slotscape::test {

/// A row by its columns.
using Fields = std::map<std::string, std::string>;

inline std::vector<Fields> rows_in(std::filesystem::path const& csv)
{
  std::istringstream text(content_of(csv));
  std::vector<std::string> columns;
  std::vector<Fields> rows;
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> const fields = split_csv(line);
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i == 0) { rows.emplace_back(); }
      rows.back()[columns[i]] = fields.at(i);
    }
  }
  return rows;
}

/// Runs `slotscape bench WORDS` on the CPU, with one repeat, and returns its rows.
inline std::vector<Fields> bench_rows(Words words, std::filesystem::path const& csv)
{
  words.insert(words.begin(), "bench");
  words.insert(words.end(), {"--repeats", "1", "--csv", csv.c_str()});
  parse(words).value().bench->run(BackendChoice::cpu, 1);
  return rows_in(csv);
}

inline std::vector<Fields> bench_rows(Words const& words)
{
  TemporaryFolder const folder;
  return bench_rows(words, folder / "rows.csv");
}

/// What the rows have in a column.
inline std::vector<std::string> column_of(std::vector<Fields> const& rows, std::string const& column)
{
  std::vector<std::string> values;
  values.reserve(rows.size());
  for (Fields const& row : rows) { values.push_back(row.at(column)); }
  return values;
}

}  // namespace slotscape::test
