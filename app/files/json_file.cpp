#include "app/files/json_file.hpp"

#include "gpu/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace slotscape {

namespace {

constexpr std::size_t line_limit = 120;

/// "line 3, column 7" of a byte (counted from 1, as the parser does).
std::string place_of(std::string const& text, std::size_t byte)
{
  std::size_t const end = std::min(byte == 0 ? 0 : byte - 1, text.size());
  std::string_view const before = std::string_view(text).substr(0, end);
  auto const line = 1 + std::count(before.begin(), before.end(), '\n');
  std::size_t const newline = before.rfind('\n');
  std::size_t const column = newline == std::string_view::npos ? end + 1 : end - newline;
  return fmt::format("line {}, column {}", line, column);
}

/// The parser's own words without its name and place.
std::string reason_of(std::string const& what)
{
  std::size_t const syntax = what.find("syntax error");
  if (syntax != std::string::npos) { return what.substr(syntax); }
  std::size_t const bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

/// Follows the parser into objects, to refuse a field that is there twice.
class FieldsOnce {
public:
  explicit FieldsOnce(std::string name) : name_(std::move(name)) {}

  bool operator()(int, Json::parse_event_t event, Json& parsed)
  {
    if (event == Json::parse_event_t::object_start) { seen_.emplace_back(); }
    if (event == Json::parse_event_t::object_end) { seen_.pop_back(); }
    if (event == Json::parse_event_t::key && !seen_.back().insert(parsed.get<std::string>()).second) {
      throw Error(fmt::format("{}: an object has the field '{}' twice; keep one", name_, parsed.get<std::string>()));
    }
    return true;
  }

private:
  std::string name_;
  std::vector<std::set<std::string>> seen_;
};

bool is_list_of_values(Json const& value)
{
  return value.is_array() &&
         std::none_of(value.begin(), value.end(), [](Json const& element) { return element.is_structured(); });
}

template <class Each>
void for_each_entry(Json const& value, Each each)
{
  for (auto entry = value.begin(); entry != value.end(); ++entry) {
    each(value.is_object() ? Json(entry.key()).dump() + ": " : std::string{}, *entry);
  }
}

std::string on_one_line(Json const& value)
{
  if (!value.is_structured() || value.empty()) { return value.dump(); }
  std::string text;
  for_each_entry(value, [&](std::string const& label, Json const& element) {
    text += (text.empty() ? "" : ", ") + label + on_one_line(element);
  });
  return value.is_object() ? "{ " + text + " }" : "[" + text + "]";
}

std::string indented(Json const& value, std::size_t depth)
{
  std::string const line = on_one_line(value);
  bool const fits = value.is_object() && depth > 0 && line.size() + 2 * depth <= line_limit;
  if (fits || !value.is_structured() || value.empty() || is_list_of_values(value)) { return line; }
  std::string text;
  for_each_entry(value, [&](std::string const& label, Json const& element) {
    text += (text.empty() ? "\n" : ",\n") + std::string(2 * depth + 2, ' ') + label + indented(element, depth + 1);
  });
  return (value.is_object() ? "{" : "[") + text + "\n" + std::string(2 * depth, ' ') + (value.is_object() ? "}" : "]");
}

void check_finite(Json const& value, std::string const& path)
{
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    throw Error(fmt::format("{} is {}, which JSON cannot hold", path, value.get<double>()));
  }
  if (value.is_object()) {
    for (auto const& [name, element] : value.items()) {
      check_finite(element, path.empty() ? name : path + "." + name);
    }
  }
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) { check_finite(value[i], fmt::format("{}[{}]", path, i)); }
  }
}

}  // namespace

Json parse_json(std::string const& text, std::string const& name)
{
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(fmt::format("{}: line 1, column 1: the file is empty; it must hold a JSON object", name));
  }
  try {
    return Json::parse(text, FieldsOnce(name));
  } catch (Json::parse_error const& error) {
    throw Error(fmt::format("{}: {}: broken JSON: {}", name, place_of(text, error.byte), reason_of(error.what())));
  } catch (Json::exception const& error) {
    throw Error(fmt::format("{}: broken JSON: {}", name, reason_of(error.what())));
  }
}

std::string format_json(Json const& document)
{
  check_finite(document, "");
  return indented(document, 0) + "\n";
}

}  // namespace slotscape
