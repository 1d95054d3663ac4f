#include "app/base/encoding.hpp"
#include "app/base/json.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {
namespace {

constexpr std::size_t line_limit = 120;

bool is_list_of_values(Json const& value)
{
  return value.is_array() &&
         std::none_of(value.begin(), value.end(), [](Json const& element) { return element.is_structured(); });
}

/// Formats a document. A value that may fit on one line is first written there, and rewritten if it exceeds the line.
class JsonWriter {
public:
  void write(Json const& value, std::size_t depth)
  {
    bool const may_fit = value.is_object() && depth > 0 && 2 * depth < line_limit;
    if (may_fit && fits_on_line(value, line_limit - 2 * depth)) { return; }
    if (!value.is_structured() || value.empty() || is_list_of_values(value)) {
      write_on_one_line(value, unlimited);
      return;
    }
    text_ += value.is_object() ? '{' : '[';
    char const* divider = "\n";
    for (auto entry = value.begin(); entry != value.end(); ++entry) {
      text_ += std::exchange(divider, ",\n");
      text_.append(2 * depth + 2, ' ');
      if (value.is_object()) { write_label(entry.key()); }
      write(*entry, depth + 1);
    }
    text_ += '\n';
    text_.append(2 * depth, ' ');
    text_ += value.is_object() ? '}' : ']';
  }
  /// Returns false if the text would exceed `max_size`; part of the value may have been written by then.
  bool write_on_one_line(Json const& value, std::size_t max_size)
  {
    if (!value.is_structured() || value.empty()) { return write_single(value, max_size); }
    text_ += value.is_object() ? "{ " : "[";
    char const* divider = "";
    for (auto entry = value.begin(); entry != value.end(); ++entry) {
      text_ += std::exchange(divider, ", ");
      if (value.is_object()) { write_label(entry.key()); }
      if (!write_on_one_line(*entry, max_size)) { return false; }
    }
    text_ += value.is_object() ? " }" : "]";
    return text_.size() <= max_size;
  }
  std::string take() { return std::move(text_); }

  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

private:
  /// Writes the value if it fits on the line, otherwise nothing.
  bool fits_on_line(Json const& value, std::size_t length)
  {
    std::size_t const begin = text_.size();
    if (write_on_one_line(value, begin + length)) { return true; }
    text_.resize(begin);
    return false;
  }
  bool write_single(Json const& value, std::size_t max_size)
  {
    if (value.is_string()) {
      auto const& text = value.get_ref<std::string const&>();
      if (text.size() > max_size - std::min(max_size, text_.size())) { return false; }
      write_text(text);
    } else if (value.is_number_unsigned()) {
      fmt::format_to(std::back_inserter(text_), "{}", value.get<std::uint64_t>());
    } else {
      text_ += value.dump();
    }
    return text_.size() <= max_size;
  }
  void write_label(std::string const& label)
  {
    write_text(label);
    text_ += ": ";
  }
  /// Writes a text in quotes, with JSON's escapes.
  void write_text(std::string const& text)
  {
    auto const is_plain = [](char letter) { return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\'; };
    if (!std::ranges::all_of(text, is_plain)) {
      text_ += Json(valid_text(text)).dump();
      return;
    }
    text_ += '"';
    text_ += text;
    text_ += '"';
  }

  std::string text_;
};

/// A number that JSON cannot represent, and its path: ".table.load_factor", "[3].x".
struct NotFinite {
  std::string path;
  double number;
};

/// The first infinite or NaN number. Its path is built on the way back, because most numbers are finite.
std::optional<NotFinite> find_not_finite(Json const& value)
{
  if (value.is_number_float()) {
    auto const number = value.get<double>();
    return std::isfinite(number) ? std::nullopt : std::optional(NotFinite{{}, number});
  }
  if (!value.is_structured()) { return std::nullopt; }
  std::size_t index = 0;
  for (auto entry = value.begin(); entry != value.end(); ++entry, ++index) {
    auto found = find_not_finite(*entry);
    if (!found) { continue; }
    std::string const step = value.is_object() ? "." + entry.key() : fmt::format("[{}]", index);
    found->path.insert(0, step);
    return found;
  }
  return std::nullopt;
}

}  // namespace

std::string format_json(Json const& document)
{
  if (auto const found = find_not_finite(document)) {
    std::string_view const path = found->path;
    throw Error(fmt::format("{} is {}, which JSON cannot represent", path.substr(path.starts_with('.') ? 1 : 0),
                            found->number));
  }
  JsonWriter writer;
  writer.write(document, 0);
  return writer.take() + "\n";
}

}  // namespace slotscape
