#include "app/scenario/json_node.hpp"

#include "app/files/nearest.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace slotscape {

namespace {

std::string shortened(Json const& value)
{
  if (value.is_structured()) { return value.is_object() ? "an object" : "a list"; }
  std::string const text = value.dump();
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

/// The value of a number without a fraction (also of 1e6, which JSON takes for a float), or nothing.
std::optional<std::uint64_t> as_whole(Json const& value)
{
  constexpr double exact_limit = 9007199254740992.0;  // 2^53: doubles beyond it have lost their last digits
  if (value.is_number_unsigned()) { return value.get<std::uint64_t>(); }
  if (!value.is_number_float()) { return std::nullopt; }
  double const number = value.get<double>();
  bool const whole = number >= 0.0 && number <= exact_limit && std::floor(number) == number;
  return whole ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
}

}  // namespace

JsonNode::JsonNode(Json const& value, std::string document, std::string path)
    : value_(&value), document_(std::move(document)), path_(std::move(path))
{
}

void JsonNode::expect_fields(std::span<std::string_view const> names) const
{
  if (!value_->is_object()) { fail_with_value("it must be an object: { ... }"); }
  for (auto const& [field, value] : value_->items()) {
    if (std::find(names.begin(), names.end(), field) == names.end()) {
      JsonNode(value, document_, path_.empty() ? field : path_ + "." + field)
          .fail("there is no such field; " + suggest(field, names));
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
  return JsonNode(*found, document_, path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field));
}

JsonNode JsonNode::at(std::string_view field) const
{
  std::optional<JsonNode> const found = find(field);
  if (!found) { fail(fmt::format("the field '{}' is missing", field)); }
  return *found;
}

std::vector<JsonNode> JsonNode::elements() const
{
  if (!value_->is_array()) { fail_with_value("it must be a list: [ ... ]"); }
  std::vector<JsonNode> elements;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    elements.emplace_back((*value_)[i], document_, fmt::format("{}[{}]", path_, i));
  }
  return elements;
}

std::string JsonNode::text() const
{
  if (!value_->is_string()) { fail_with_value("it must be a text in double quotes"); }
  return value_->get<std::string>();
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
  fail_with_value(bounded ? fmt::format("it must be a number from {} to {}", low, high)
                          : fmt::format("it must be a number of at least {}", low));
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
    fail_with_value(fmt::format("it must be a whole number from {} to {}", low, high));
  }
  return *number;
}

std::uint64_t JsonNode::power_of_two(std::uint64_t low, std::uint64_t high) const
{
  std::optional<std::uint64_t> const number = as_whole(*value_);
  if (number && std::has_single_bit(*number) && *number >= low && *number <= high) { return *number; }
  bool const nameable = number && *number >= low && *number < high;
  std::string const near = nameable ? fmt::format(": {} or {}", std::bit_floor(*number), std::bit_ceil(*number)) : "";
  fail_with_value(fmt::format("it must be a power of two from {} to {}{}", low, high, near));
}

std::uint32_t JsonNode::choice(std::span<std::uint32_t const> choices, std::string_view why) const
{
  std::optional<std::uint64_t> const number = as_whole(*value_);
  auto const found = std::find(choices.begin(), choices.end(), number.value_or(0));
  if (number && found != choices.end()) { return *found; }
  std::string texts;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    texts += i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
    texts += std::to_string(choices[i]);
  }
  fail_with_value(fmt::format("it must be {}{}{}", texts, why.empty() ? "" : ": ", why));
}

std::size_t JsonNode::one_of(std::span<std::string_view const> names, std::string_view what) const
{
  std::string const word = text();
  auto const found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) { fail_with_value(fmt::format("it is no {}; {}", what, suggest(word, names))); }
  return static_cast<std::size_t>(found - names.begin());
}

void JsonNode::fail(std::string_view what) const
{
  std::string const place = path_.empty() ? document_ : fmt::format("{}: {}", document_, path_);
  throw Error(fmt::format("{}: {}", place, what));
}

void JsonNode::fail_with_value(std::string_view right) const
{
  fail(fmt::format("{} is wrong: {}", shortened(*value_), right));
}

}  // namespace slotscape
