#include "app/bench/report.hpp"

#include "app/base/csv.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace slotscape {
namespace {

constexpr std::size_t narrowest_column = 9;

std::string line_of(BenchRow const& row, std::vector<std::string> const& columns)
{
  std::vector<std::string> fields(columns.size());
  std::ranges::transform(columns, fields.begin(),
                         [&](std::string const& column) { return in_csv(field_of(row.at(column))); });
  return fmt::format("{}\n", fmt::join(fields, ","));
}

/// Restores the value of a field from a CSV file; null if it is empty.
Json value_of_field(std::string const& field)
{
  if (field.empty()) { return nullptr; }
  if (auto const whole = parse_number<std::uint64_t>(field)) { return *whole; }
  if (field == "true" || field == "false") { return field == "true"; }
  if (auto const number = parse_number<double>(field); number && std::isfinite(*number)) { return *number; }
  return field;
}

}  // namespace

std::string field_of(Json const& value)
{
  if (value.is_null()) { return ""; }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Json text_or_null(std::string const& text)
{
  return text.empty() ? Json() : Json(text);
}

std::string to_csv(std::vector<BenchRow> const& rows, std::vector<std::string> const& columns)
{
  std::string text = fmt::format("{}\n", fmt::join(columns, ","));
  for (BenchRow const& row : rows) { text += line_of(row, columns); }
  return text;
}

std::vector<std::string> split_csv(std::string_view line)
{
  std::vector<std::string> fields;
  if (!CsvReader(line, ',').next(fields)) { fields.emplace_back(); }
  return fields;
}

double rounded(double number, int digits)
{
  if (number == 0.0 || !std::isfinite(number)) { return number; }
  double const unit = std::pow(10.0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(number)))));
  return std::round(number * unit) / unit;
}

MedianOf median_of(std::vector<double> samples)
{
  if (samples.empty()) { return {}; }
  std::ranges::sort(samples);
  auto const at = [&](double share) {
    double const place = share * static_cast<double>(samples.size() - 1);
    auto const low = static_cast<std::size_t>(place);
    std::size_t const high = std::min(low + 1, samples.size() - 1);
    return std::lerp(samples[low], samples[high], place - std::floor(place));
  };
  double const median = at(0.5);
  return {median, median > 0.0 ? (at(0.75) - at(0.25)) / median : 0.0};
}

BenchReport::BenchReport(std::vector<std::string> columns, std::vector<std::string> identity,
                         std::vector<std::string> shown, BenchFiles files)
    : columns_(std::move(columns)), identity_(std::move(identity)), shown_(std::move(shown)), files_(std::move(files))
{
  if (files_.resume && files_.csv.empty()) {
    throw Error("--resume goes on with the rows of an earlier run: say with --csv where they are");
  }
  claim_outputs({files_.csv, files_.json});
  if (files_.resume) { read_earlier(); }
  write_csv();
}

void BenchReport::write_csv() const
{
  if (!files_.csv.empty()) { write_text_file(files_.csv, to_csv(rows_, columns_)); }
}

void BenchReport::replace(std::vector<BenchRow> rows)
{
  if (rows.empty()) { return; }
  std::set<std::string> replaced;
  for (BenchRow const& row : rows) { replaced.insert(identity_of(row)); }
  std::erase_if(rows_, [&](BenchRow const& row) { return replaced.contains(identity_of(row)); });
  std::ranges::move(rows, std::back_inserter(rows_));
  write_csv();
}

void BenchReport::add(BenchRow row)
{
  print(row);
  if (!files_.csv.empty()) {
    std::ofstream file(files_.csv, std::ios::app);
    file << line_of(row, columns_) << std::flush;
    if (!file) { throw Error(fmt::format("Could not write to {}: is the disk full?", files_.csv.string())); }
  }
  rows_.push_back(std::move(row));
}

void BenchReport::finish() const
{
  if (files_.json.empty()) { return; }
  Json list = Json::array();
  for (BenchRow const& row : rows_) { list.push_back(row); }
  Json document{{"rows", std::move(list)}};
  if (!findings_.empty()) { document["findings"] = findings_; }
  write_text_file(files_.json, format_json(document));
}

std::string BenchReport::identity_of(BenchRow const& row) const
{
  std::string identity;
  for (std::string const& column : identity_) { identity += field_of(row.at(column)) + '\n'; }
  return identity;
}

std::string BenchReport::case_of(BenchRow const& row) const
{
  constexpr std::array<std::string_view, 3> sizes{"rows", "build_rows", "probe_rows"};  // follow the content of a file
  bool const is_of_file = std::ranges::any_of(identity_, [&](std::string const& column) {
    return column.ends_with("_checksum") && !field_of(row.at(column)).empty();
  });
  std::string text;
  for (std::string const& column : identity_) {
    bool const follows_keys =
        column.ends_with("_checksum") || (is_of_file && std::ranges::find(sizes, column) != sizes.end());
    if (!follows_keys) { text += field_of(row.at(column)) + '\n'; }
  }
  return text;
}

std::string BenchReport::checksums_of(BenchRow const& row) const
{
  std::string text;
  for (std::string const& column : identity_) {
    if (column.ends_with("_checksum")) { text += field_of(row.at(column)) + '\n'; }
  }
  return text;
}

std::size_t BenchReport::of_other_keys() const
{
  std::map<std::string, std::set<std::string>> measured_now;  // checksums by case
  for (BenchRow const& row : rows_) {
    if (!has(row)) { measured_now[case_of(row)].insert(checksums_of(row)); }
  }
  auto const is_of_others = [&](BenchRow const& row) {
    auto const now = measured_now.find(case_of(row));
    return has(row) && now != measured_now.end() && !now->second.contains(checksums_of(row));
  };
  return static_cast<std::size_t>(std::ranges::count_if(rows_, is_of_others));
}

void BenchReport::read_earlier()
{
  std::error_code unreadable;
  if (!std::filesystem::exists(files_.csv, unreadable)) { return; }
  std::istringstream lines(read_text_file(files_.csv));
  std::string line;
  std::getline(lines, line);
  if (line.empty()) { return; }
  if (split_csv(line) != columns_) {
    throw Error(fmt::format("{} has other columns than this measurement: choose another file, or leave out --resume",
                            files_.csv.string()));
  }
  while (std::getline(lines, line) && !lines.eof()) {  // a line without an end was cut off, perhaps within a number
    std::vector<std::string> const fields = split_csv(line);
    if (fields.size() != columns_.size()) { continue; }
    BenchRow row;
    for (std::size_t i = 0; i < fields.size(); ++i) { row[columns_[i]] = value_of_field(fields[i]); }
    if (row.contains("median_ms") && row["median_ms"].is_null()) { continue; }  // abandoned: it may succeed this time
    earlier_.insert(identity_of(row));
    rows_.push_back(std::move(row));
  }
}

void BenchReport::print(BenchRow const& row)
{
  if (shown_.empty()) { return; }
  std::vector<std::string> fields;
  for (std::string const& column : shown_) {
    Json const& value = row.at(column);
    fields.push_back(value.is_number_float() ? short_number(value.get<double>()) : field_of(value));
  }
  if (widths_.empty()) {
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      widths_.push_back(std::max({narrowest_column, shown_[i].size(), fields[i].size() + 2}));
    }
    for (std::size_t i = 0; i < shown_.size(); ++i) { fmt::print("{:<{}} ", shown_[i], widths_[i]); }
    fmt::print("\n");
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    widths_[i] = std::max(widths_[i], fields[i].size());
    fmt::print("{:<{}} ", fields[i], widths_[i]);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace slotscape
