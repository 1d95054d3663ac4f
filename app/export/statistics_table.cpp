#include "app/export/statistics_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

struct Row {
  std::string name;                 ///< "table/load_factor"
  std::vector<std::string> values;  ///< one for each column
};

/// Adds quotes if the text would otherwise not be a single field.
std::string field_of(std::string const& text)
{
  if (text.find_first_of("\t\r\n\"") == std::string::npos) { return text; }
  std::string quoted = "\"";
  for (char const letter : text) { quoted += letter == '"' ? "\"\"" : std::string(1, letter); }
  return quoted + "\"";
}

std::string text_of(Json const& value)
{
  if (value.is_null()) { return {}; }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Row& row_of(std::vector<Row>& rows, std::string const& name, std::size_t columns)
{
  auto const found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? rows.emplace_back(Row{name, std::vector<std::string>(columns)}) : *found;
}

/// Adds the values of an object to the rows.
void add(Json const& object, std::string const& prefix, std::size_t column, std::size_t columns, std::vector<Row>& rows)
{
  for (auto const& [name, value] : object.items()) {
    std::string const path = prefix.empty() ? name : fmt::format("{}/{}", prefix, name);
    if (value.is_object()) {
      add(value, path, column, columns, rows);
    } else if (!value.is_array()) {
      row_of(rows, path, columns).values[column] = text_of(value);
    }
  }
}

}  // namespace

std::string table_of_statistics(Json const& statistics)
{
  bool const compared = statistics.contains("tables") && statistics["tables"].is_array();
  std::size_t const columns = compared ? statistics["tables"].size() : 1;
  std::vector<Row> rows;
  for (std::size_t column = 0; column < columns; ++column) {
    add(compared ? statistics["tables"][column] : statistics, "", column, columns, rows);
  }
  std::string table = "name";
  for (std::size_t column = 0; column < columns; ++column) {
    table += compared ? fmt::format("\ttable {}", column + 1) : std::string("\tvalue");
  }
  for (Row const& row : rows) {
    table += fmt::format("\n{}", field_of(row.name));
    for (std::string const& value : row.values) { table += fmt::format("\t{}", field_of(value)); }
  }
  if (auto const findings = statistics.find("findings"); findings != statistics.end()) {
    for (Json const& finding : *findings) { table += fmt::format("\nnote\t{}", field_of(text_of(finding))); }
  }
  return table + "\n";
}

}  // namespace slotscape
