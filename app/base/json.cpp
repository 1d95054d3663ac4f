#include "app/base/json.hpp"

#include "app/base/encoding.hpp"
#include "app/base/field_error.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

/// The position of a byte (counted from 1, as by the parser): "line 3, column 7".
std::string place_of(std::string const& text, std::size_t byte)
{
  std::size_t const end = std::min(byte == 0 ? 0 : byte - 1, text.size());
  std::string_view const before = std::string_view(text).substr(0, end);
  auto const line = 1 + std::count(before.begin(), before.end(), '\n');
  std::size_t const newline = before.rfind('\n');
  std::size_t const column = newline == std::string_view::npos ? end + 1 : end - newline;
  return tr("line {}, column {}", line, column);
}

/// Part of a parser's message, and the explanation for the author of the file. The first match applies.
struct Reason {
  std::string_view part;
  char const* told;
};
constexpr std::array reasons{
    Reason{"/'; expected", translatable("JSON has no comments")},
    Reason{"''; expected", translatable("strings and names need double quotation marks")},
    Reason{"missing closing quote", translatable("a quotation mark is missing at the end of a string")},
    Reason{"unexpected end of input", translatable("the file ends too early: a bracket or brace is not closed")},
    Reason{"must be escaped", translatable("a string contains a line break or a tab: write \\n or \\t")},
    Reason{"invalid string", translatable("a string contains an invalid escape or invalid bytes: write \\\\ for a "
                                          "backslash, and save the file as UTF-8")},
    Reason{"invalid number", translatable("this is not a JSON number; write one such as 3, -0.5 or 1e6")},
    Reason{"number overflow", translatable("the number is too large")},
    Reason{"parsing object separator", translatable("a ':' is missing after the name of a field")},
    Reason{"parsing object key",
           translatable(
               "the name of a field in quotation marks is missing; there must be no comma after the last field")},
    Reason{"; expected '}'", translatable("a ',' or '}' is missing")},
    Reason{"; expected ']'", translatable("a ',' or ']' is missing")},
    Reason{"; expected end of input", translatable("something follows after the end of the JSON")},
    Reason{"parsing value", translatable("a value is missing: a string in quotation marks, a number, true, false, "
                                         "null, a list or an object; there must be no comma after the last one")}};

/// Explains a parser error; if none of the reasons matches, returns the parser's message without prefix and position.
std::string reason_of(std::string const& what)
{
  auto const known =
      std::ranges::find_if(reasons, [&](Reason const& reason) { return what.find(reason.part) != std::string::npos; });
  if (known != reasons.end()) { return translated(known->told); }
  std::size_t const syntax = what.find("syntax error");
  if (syntax != std::string::npos) { return what.substr(syntax); }
  std::size_t const bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

/// Follows the parser into objects to reject duplicate fields, and nesting so deep that it must be malicious: readers
/// recurse into each part.
class FieldsOnce {
public:
  /// `text` is the document; `at` points to the position that the parser has reached.
  FieldsOnce(std::string name, std::string const& text, char const* const& at)
      : name_(std::move(name)), text_(text), at_(at)
  {
  }

  bool operator()(int depth, Json::parse_event_t event, Json& parsed)
  {
    constexpr int deepest = 200;
    if (depth > deepest) {
      throw Error(
          tr("{}: its lists and objects are nested more than {} levels deep; reduce the nesting", name_, deepest));
    }
    if (event == Json::parse_event_t::object_start) { seen_.emplace_back(); }
    if (event == Json::parse_event_t::object_end) { seen_.pop_back(); }
    if (event == Json::parse_event_t::key && !seen_.back().insert(parsed.get<std::string>()).second) {
      throw Error(
          printable(tr("{}: {}: the object has the field '{}' twice; remove one", name_,
                       place_of(text_, static_cast<std::size_t>(at_ - text_.data())), parsed.get<std::string>())));
    }
    return true;
  }

private:
  std::string name_;
  std::string const& text_;
  char const* const& at_;
  std::vector<std::set<std::string>> seen_;
};

/// Iterates over a text and publishes its position, because the parser does not pass the position to its callback.
struct Followed {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = char const*;
  using reference = char const&;

  reference operator*() const { return *at; }
  Followed& operator++()
  {
    *latest = ++at;
    return *this;
  }
  bool operator==(Followed const& other) const { return at == other.at; }

  char const* at = nullptr;
  char const** latest = nullptr;
};

std::string shortened(Json const& value)
{
  if (value.is_structured()) { return value.is_object() ? tr("an object") : tr("a list"); }
  std::string text = value.is_string() ? Json(valid_text(value.get_ref<std::string const&>())).dump() : value.dump();
  if (text.size() <= 60) { return text; }
  text.resize(57);
  while (!is_utf8(text)) { text.pop_back(); }  // the cut was within a character
  return text + "...";
}

/// The value of a number without a fraction (including 1e6, which JSON parses as a float), or nullopt.
std::optional<std::uint64_t> as_whole(Json const& value)
{
  constexpr double exact_limit = 9007199254740992.0;  // 2^53: from here on, doubles may stand for other integers
  if (value.is_number_unsigned()) { return value.get<std::uint64_t>(); }
  if (value.is_number_integer()) {  // also "-0", and numbers in documents made by the program
    auto const number = value.get<std::int64_t>();
    return number < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(number));
  }
  if (!value.is_number_float()) { return std::nullopt; }
  double const number = value.get<double>();
  bool const whole = number >= 0.0 && number < exact_limit && std::floor(number) == number;
  return whole ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
}

/// The value that would be at this rank if the values were sorted.
double at_rank(std::vector<double>& values, std::size_t rank)
{
  auto const place = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double median(std::vector<double>& values)
{
  std::size_t const half = values.size() / 2;
  double const upper = at_rank(values, half);
  return values.size() % 2 == 1 ? upper : 0.5 * (at_rank(values, half - 1) + upper);
}

/// The smallest value that `share` of the values do not exceed (nearest rank).
double percentile(std::vector<double>& values, double share)
{
  auto const rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return at_rank(values, std::clamp<std::size_t>(rank, 1, values.size()) - 1);
}

}  // namespace

Json parse_json(std::string const& content, std::string const& name)
{
  std::string const text = decoded(content);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(tr("{}: line 1, column 1: the file is empty; it must contain a JSON object", name));
  }
  try {
    char const* at = text.data();
    return Json::parse(Followed{text.data(), &at}, Followed{text.data() + text.size(), &at},
                       FieldsOnce(name, text, at));
  } catch (Json::parse_error const& error) {
    throw Error(printable(
        valid_text(tr("{}: {}: invalid JSON: {}", name, place_of(text, error.byte), reason_of(error.what())))));
  } catch (Json::exception const& error) {
    throw Error(printable(valid_text(tr("{}: invalid JSON: {}", name, reason_of(error.what())))));
  }
}

JsonNode::JsonNode(Json const& value, std::string document, std::filesystem::path folder)
    : JsonNode(value, std::make_shared<JsonSource>(JsonSource{std::move(document), std::move(folder)}))
{
}

JsonNode::JsonNode(Json const& value, std::shared_ptr<JsonSource> source, std::string path)
    : value_(&value), source_(std::move(source)), path_(std::move(path))
{
}

void JsonNode::expect_fields(std::span<std::string_view const> names) const
{
  if (!value_->is_object()) { fail_with_value("it must be an object: { ... }"); }
  for (auto const& [field, value] : value_->items()) {
    if (std::find(names.begin(), names.end(), field) == names.end()) {
      JsonNode(value, source_, path_.empty() ? field : path_ + "." + field)
          .fail(tr("unknown field; {}", suggest(field, names)));
    }
  }
}

void JsonNode::expect_fields(std::initializer_list<std::string_view> names) const
{
  expect_fields(std::span(names.begin(), names.size()));
}

std::optional<JsonNode> JsonNode::find(std::string_view field) const
{
  auto const found = value_->find(std::string(field));
  if (found == value_->end()) { return std::nullopt; }
  return JsonNode(*found, source_, path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field));
}

JsonNode JsonNode::at(std::string_view field) const
{
  std::optional<JsonNode> const found = find(field);
  if (!found) { fail(tr("the field '{}' is missing", field)); }
  return *found;
}

std::vector<JsonNode> JsonNode::elements() const
{
  if (!value_->is_array()) { fail_with_value("it must be a list: [ ... ]"); }
  std::vector<JsonNode> elements;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    elements.emplace_back((*value_)[i], source_, fmt::format("{}[{}]", path_, i));
  }
  return elements;
}

std::string JsonNode::text() const
{
  if (!value_->is_string()) { fail_with_value("it must be a string in double quotes"); }
  return value_->get<std::string>();
}

std::filesystem::path JsonNode::file() const
{
  std::string const name = text();
  if (name.empty()) { fail(tr("it must name a file")); }
  auto file = std::filesystem::absolute(source_->folder / path_of_text(name)).lexically_normal();
  require_reach(file);
  return file;
}

void JsonNode::require_reach(std::filesystem::path const& file) const
{
  if (source_->reach == Reach::anywhere) { return; }
  bool const inside = is_in(file, source_->folder);
  if (inside && !is_device_or_pipe(file)) { return; }
  std::string const what = inside ? tr("{}: {}: {} is neither a file nor a folder. If you trust this document, open it "
                                       "with --any-files; otherwise, copy that file into the folder",
                                       source_->name, path_, path_text(file))
                                  : tr("{}: {}: {} is outside the folder of this document. If you trust the document, "
                                       "open it with --any-files; otherwise, copy that file into the folder",
                                       source_->name, path_, path_text(file));
  throw OutsideFile(printable(what), path_, file);
}

bool JsonNode::flag() const
{
  if (!value_->is_boolean()) { fail_with_value("it must be true or false"); }
  return value_->get<bool>();
}

double JsonNode::number(double low, double high) const
{
  bool const fits = value_->is_number() && value_->get<double>() >= low && value_->get<double>() <= high;
  if (fits) { return value_->get<double>(); }
  bool const bounded = high < std::numeric_limits<double>::max();
  fail_with_value(bounded ? tr("it must be a number from {} to {}", low, high)
                          : tr("it must be a number that is at least {}", low));
}

double JsonNode::positive_number() const
{
  if (!value_->is_number() || !(value_->get<double>() > 0.0)) { fail_with_value("it must be a number above 0"); }
  return value_->get<double>();
}

std::uint64_t JsonNode::whole_number(std::uint64_t low, std::uint64_t high) const
{
  std::optional<std::uint64_t> const number = as_whole(*value_);
  if (!number || *number < low || *number > high) {
    double const size = value_->is_number_float() ? value_->get<double>() : 0.0;
    bool const is_inexact =
        size >= 0x1p53 && size < 0x1p64 && size <= static_cast<double>(high) && std::floor(size) == size;
    if (is_inexact) {
      fail_with_value(
          tr("write a number this large without a decimal point or an exponent, so that no digits are lost"));
    }
    fail_with_value(low == high ? tr("it must be {}", low) : tr("it must be a whole number from {} to {}", low, high));
  }
  return *number;
}

std::optional<std::int64_t> JsonNode::negative() const
{
  constexpr double exact_limit = -9007199254740992.0;  // -2^53, as in `as_whole`
  if (value_->is_number_float()) {
    double const number = value_->get<double>();
    bool const whole = number < 0.0 && number > exact_limit && std::floor(number) == number;
    return whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
  }
  bool const is_one = value_->is_number_integer() && !value_->is_number_unsigned() && value_->get<std::int64_t>() < 0;
  return is_one ? std::optional(value_->get<std::int64_t>()) : std::nullopt;
}

std::uint64_t JsonNode::power_of_two(std::uint64_t low, std::uint64_t high) const
{
  std::optional<std::uint64_t> const number = as_whole(*value_);
  if (number && std::has_single_bit(*number) && *number >= low && *number <= high) { return *number; }
  bool const nameable = number && *number >= low && *number < high;
  std::uint64_t near = nameable ? std::bit_floor(*number) : 0;
  std::uint64_t far = nameable ? std::bit_ceil(*number) : 0;
  if (nameable && far - *number <= *number - near) { std::swap(near, far); }
  fail_with_value(nameable ? tr("it must be a power of two from {} to {}, for example {} or {}", low, high, near, far)
                           : tr("it must be a power of two from {} to {}", low, high));
}

std::uint32_t JsonNode::choice(std::span<std::uint32_t const> choices, std::string_view why) const
{
  std::optional<std::uint64_t> const number = as_whole(*value_);
  auto const found = std::find(choices.begin(), choices.end(), number.value_or(0));
  if (number && found != choices.end()) { return *found; }
  std::string texts;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i != 0) { texts += i + 1 == choices.size() ? fmt::format(" {} ", tr_in("between two names", "or")) : ", "; }
    texts += std::to_string(choices[i]);
  }
  fail_with_value(why.empty() ? tr("it must be {}", texts) : tr("it must be {}: {}", texts, translated(why)));
}

std::size_t JsonNode::one_of(std::span<std::string_view const> names, std::string_view what) const
{
  std::string const word = text();
  auto const found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) { fail_with_value(tr("it is not a known {}; {}", translated(what), suggest(word, names))); }
  return static_cast<std::size_t>(found - names.begin());
}

void JsonNode::fail(std::string_view what) const
{
  std::string const place = path_.empty() ? source_->name : fmt::format("{}: {}", source_->name, path_);
  throw FieldError(printable(fmt::format("{}: {}", place, translated(what))), path_);
}

void JsonNode::fail_with_value(std::string_view right) const
{
  fail(tr("{} is invalid: {}", shortened(*value_), translated(right)));
}

Json times_json(std::vector<double> seconds)
{
  Json json;
  json["count"] = seconds.size();
  json["median_ms"] = seconds.empty() ? Json() : Json(1e3 * median(seconds));
  json["p99_ms"] = seconds.empty() ? Json() : Json(1e3 * percentile(seconds, 0.99));
  return json;
}

}  // namespace slotscape
