#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace slotscape::clouds {
namespace {

/// Decompresses LZF (Lehmann's liblzf); nullopt unless the result has exactly `size` bytes.
std::optional<std::string> unpacked_lzf(std::string_view packed, std::size_t size)
{
  constexpr std::size_t longest_copy = 264;  // the longest copy that three bytes encode
  if (size / longest_copy > packed.size()) { return std::nullopt; }
  std::string content;
  std::size_t at = 0;
  auto const more = [&](std::size_t count) { return count <= packed.size() - at; };
  auto const byte = [&] { return static_cast<std::size_t>(static_cast<unsigned char>(packed[at++])); };
  while (at < packed.size()) {
    std::size_t const control = byte();
    if (control < 32) {
      std::size_t const plain = control + 1;
      if (!more(plain) || plain > size - content.size()) { return std::nullopt; }
      content += packed.substr(at, plain);
      at += plain;
      continue;
    }
    std::size_t length = control >> 5;
    if (!more(length == 7 ? 2 : 1)) { return std::nullopt; }
    if (length == 7) { length += byte(); }
    std::size_t const back = ((control & 31) << 8) + byte() + 1;
    length += 2;
    if (back > content.size() || length > size - content.size()) { return std::nullopt; }
    for (std::size_t i = 0; i < length; ++i) { content += content[content.size() - back]; }
  }
  return content.size() == size ? std::optional(std::move(content)) : std::nullopt;
}

struct Field {
  std::string name;
  std::size_t size = 4;    ///< bytes of one number
  char type = 'F';         ///< F: floating point, I: signed, U: unsigned
  std::size_t count = 1;   ///< numbers in each point
  std::size_t offset = 0;  ///< in bytes, within a point
  std::size_t column = 0;  ///< in numbers, within a point

  std::size_t bytes() const { return size * count; }
};

std::string plain_name_of(Field const& field)
{
  return lower_case(field.name);
}

constexpr std::array<std::string_view, 6> names_read{"x", "y", "z", "normal_x", "normal_y", "normal_z"};

struct Header {
  std::vector<Field> fields;
  std::uint64_t points = 0;
  std::string data;
  std::size_t bytes = 0;  ///< offset of the body
  std::size_t lines = 0;
  std::size_t point_bytes = 0;
  std::size_t columns = 0;
  std::string viewpoint;  ///< position and quaternion of the sensor
  bool is_image = false;  ///< an organised cloud, row by row as the sensor saw it
};

char capital(std::string_view word)
{
  return word.empty() ? ' ' : static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
}

class HeaderReader {
public:
  explicit HeaderReader(Source const& source) : source_(source), lines_(source) {}

  Header read()
  {
    while (auto const line = lines_.next()) {
      std::string_view rest = line->substr(0, line->find('#'));
      read_line(next_word(rest), rest);
      if (!header_.data.empty()) { return finished(); }
    }
    source_.fail("the file ends inside its header, before the DATA line; get a complete copy");
  }

private:
  void read_line(std::string_view keyword, std::string_view rest)
  {
    if (keyword == "FIELDS" || keyword == "COLUMNS") {
      header_.fields.clear();
      for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        header_.fields.push_back({.name = std::string(word)});
      }
    } else if (keyword == "SIZE") {
      for (Field& field : header_.fields) { field.size = number(keyword, rest, 8); }
    } else if (keyword == "TYPE") {
      for (Field& field : header_.fields) { field.type = capital(next_word(rest)); }
    } else if (keyword == "COUNT") {
      for (Field& field : header_.fields) { field.count = number(keyword, rest, 1u << 20); }
    } else if (keyword == "WIDTH") {
      width_ = number(keyword, rest, largest);
    } else if (keyword == "HEIGHT") {
      height_ = number(keyword, rest, largest);
    } else if (keyword == "POINTS") {
      points_ = number(keyword, rest, largest);
    } else if (keyword == "VIEWPOINT") {
      header_.viewpoint = trimmed(rest);
    } else if (keyword == "DATA") {
      header_.data = lower_case(trimmed(rest));
      if (header_.data.empty()) { wrong(keyword); }
    }
  }

  [[noreturn]] void wrong(std::string_view keyword) const
  {
    source_.fail("line {}: the PCD header has an invalid value for {}; export the file again", lines_.number(),
                 keyword);
  }

  std::uint64_t number(std::string_view keyword, std::string_view& rest, std::uint64_t most) const
  {
    auto const count = count_in(next_word(rest));
    if (!count || *count > most) { wrong(keyword); }
    return *count;
  }

  Header finished()
  {
    for (Field& field : header_.fields) {
      field.offset = header_.point_bytes;
      field.column = header_.columns;
      header_.point_bytes += field.bytes();
      header_.columns += field.count;
    }
    header_.is_image = height_.value_or(1) > 1;
    header_.points = points_.value_or(width_.value_or(0) * height_.value_or(1));
    header_.bytes = lines_.offset();
    header_.lines = lines_.number();
    if (width_ && height_ && *width_ * *height_ != header_.points) {
      source_.fail("its header declares {} points, but {} x {} as width and height; export the file again",
                   header_.points, *width_, *height_);
    }
    return std::move(header_);
  }

  static constexpr std::uint64_t largest = (std::uint64_t{1} << 32) - 1;  ///< so that products of two do not overflow
  Source const& source_;
  Lines lines_;
  Header header_;
  std::optional<std::uint64_t> width_;
  std::optional<std::uint64_t> height_;
  std::optional<std::uint64_t> points_;
};

double value_at(char const* bytes, Field const& field)
{
  bool const is_signed = field.type == 'I';
  switch (field.size) {
    case 1: return is_signed ? number_at<std::int8_t>(bytes) : number_at<std::uint8_t>(bytes);
    case 2: return is_signed ? number_at<std::int16_t>(bytes) : number_at<std::uint16_t>(bytes);
    case 4:
      if (field.type == 'F') { return number_at<float>(bytes); }
      return is_signed ? number_at<std::int32_t>(bytes) : number_at<std::uint32_t>(bytes);
    default: break;
  }
  if (field.type == 'F') { return number_at<double>(bytes); }
  return is_signed ? static_cast<double>(number_at<std::int64_t>(bytes))
                   : static_cast<double>(number_at<std::uint64_t>(bytes));
}

bool is_known(Field const& field)
{
  return std::has_single_bit(field.size) && field.size <= 8 &&
         (field.type == 'F' ? field.size >= 4 : field.type == 'I' || field.type == 'U');
}

/// PLY has no 64-bit integers.
NumberType number_type_of(Field const& field)
{
  if (field.type == 'F') { return field.size == 4 ? NumberType::float32 : NumberType::float64; }
  bool const is_signed = field.type == 'I';
  switch (field.size) {
    case 1: return is_signed ? NumberType::int8 : NumberType::uint8;
    case 2: return is_signed ? NumberType::int16 : NumberType::uint16;
    case 4: return is_signed ? NumberType::int32 : NumberType::uint32;
    default: return NumberType::float64;
  }
}

/// A field other than x, y, z and the normal.
struct FurtherField {
  Field field;
  std::size_t attribute;  ///< index of its first attribute
  bool color;             ///< red, green and blue are packed into one number, which may be declared as a float
};

std::uint32_t packed_color(Field const& field, double value)
{
  if (field.type == 'F') { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }
  constexpr double largest = std::numeric_limits<std::uint32_t>::max();
  return std::abs(value) <= largest ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) : 0;
}

class PcdReader {
public:
  explicit PcdReader(Source const& source) : source_(source), header_(HeaderReader(source).read()) { find_fields(); }

  Geometry read()
  {
    if (header_.data == "ascii") {
      read_ascii();
    } else if (header_.data == "binary") {
      std::string_view const body = source_.bytes.substr(header_.bytes);
      check_body(body.size());
      read_binary(body, false);
    } else if (header_.data == "binary_compressed") {
      read_binary(unpacked(), true);
    } else {
      source_.fail("unknown DATA format {}; export it as ascii, binary or binary_compressed", in_quotes(header_.data));
    }
    note_viewpoint();
    return std::move(geometry_);
  }

private:
  /// As in the Point Cloud Library, points are not transformed. For unorganised clouds, the default viewpoint means
  /// that there is none.
  void note_viewpoint()
  {
    note_scanner();

    std::string_view rest = header_.viewpoint;
    std::array<double, 7> const usual{0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    for (double const number : usual) {
      std::string_view const word = next_word(rest);
      if (word.empty() || number_in(word).value_or(number) == number) { continue; }
      geometry_.notes.push_back(
          tr("The file's viewpoint, {}, was not applied: points are as stored", in_quotes(header_.viewpoint)));
      return;
    }
  }

  void note_scanner()
  {
    std::string_view rest = header_.viewpoint;
    std::array<double, 3> place{};
    for (double& part : place) {
      auto const number = number_in(next_word(rest));
      if (!number) { return; }
      part = *number;
    }
    Position const scanner{place[0], place[1], place[2]};
    if (usable(scanner) && (header_.is_image || scanner != Position{})) { geometry_.scanner = scanner; }
  }

  void find_fields()
  {
    find_further_fields();
    for (std::size_t i = 0; i < names_read.size(); ++i) {
      auto const found = std::ranges::find(header_.fields, names_read[i], plain_name_of);
      if (found == header_.fields.end() || found->count == 0) {
        if (i < 3) { source_.fail("field '{}' is missing; export the file with x, y and z", names_read[i]); }
        return;
      }
      if (!is_known(*found)) {
        source_.fail("field '{}' has the unknown type {} of {} bytes; export the file again", found->name,
                     in_quotes({&found->type, 1}), found->size);
      }
      fields_.push_back(*found);
    }
  }

  /// Fields with one number become attributes.
  void find_further_fields()
  {
    std::vector<Attribute>& attributes = geometry_.attributes;
    std::vector<std::string> skipped;
    for (Field const& field : header_.fields) {
      std::string const plain = plain_name_of(field);
      bool const read = std::ranges::find(names_read, plain) != names_read.end();
      if (read || field.name == "_" || field.count == 0) { continue; }
      if (field.count != 1 || !is_known(field)) {
        skipped.push_back(in_quotes(field.name));
        continue;
      }
      bool const color = (plain == "rgb" || plain == "rgba") && field.size == 4;
      further_.push_back({field, attributes.size(), color});
      if (!color) {
        attributes.emplace_back(field.name, number_type_of(field));
        continue;
      }
      for (char const* part : {"red", "green", "blue"}) { attributes.emplace_back(part, NumberType::uint8); }
    }
    if (skipped.empty()) { return; }
    geometry_.notes.push_back(
        tr("Skipped {}: only fields with one number of a known type are read", listed(skipped, tr("and"))));
  }

  void add_further(FurtherField const& further, double value)
  {
    if (!further.color) { return geometry_.attributes[further.attribute].add(value); }
    std::uint32_t const color = packed_color(further.field, value);
    for (std::size_t part = 0; part < 3; ++part) {
      geometry_.attributes[further.attribute + part].add(color >> (16 - 8 * part) & 0xff);
    }
  }

  bool has_normals() const { return fields_.size() == names_read.size(); }

  void add(std::array<double, names_read.size()> const& point)
  {
    geometry_.positions.push_back({point[0], point[1], point[2]});
    if (has_normals()) { geometry_.normals.push_back(to_vector({point[3], point[4], point[5]})); }
  }

  void check_body(std::size_t bytes) const
  {
    if (header_.points > bytes / header_.point_bytes) {
      source_.fail(
          "its header declares {} points of {} bytes, but only {} bytes follow; it may be truncated: get a complete "
          "copy",
          header_.points, header_.point_bytes, bytes);
    }
  }

  void read_ascii()
  {
    Lines lines(source_, header_.bytes);
    while (geometry_.positions.size() < header_.points) {
      auto const line = lines.next();
      if (!line) {
        source_.fail("the file ends before point {} of {}; it may be truncated: get a complete copy",
                     geometry_.positions.size() + 1, header_.points);
      }
      if (!trimmed(*line).empty()) { read_line(*line, header_.lines + lines.number()); }
    }
    std::uint64_t left = 0;
    while (auto const line = lines.next()) { left += !trimmed(*line).empty(); }
    if (left == 0) { return; }
    geometry_.notes.push_back(tr("Skipped {} after the {} that the header declares",
                                 tr_plural("{} line", "{} lines", left, grouped(left)),
                                 tr_plural("{} point", "{} points", header_.points, grouped(header_.points))));
  }

  void read_line(std::string_view line, std::size_t number)
  {
    std::string_view const shown = trimmed(line);
    words_.clear();
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) { words_.push_back(word); }
    if (words_.size() > header_.columns) {
      source_.fail("line {}: {} has {} numbers, but the header declares {}; export the file again", number,
                   in_quotes(shown), words_.size(), header_.columns);
    }
    auto const value_of = [&](Field const& field) {
      return field.column < words_.size() ? number_in(words_[field.column]) : std::nullopt;
    };
    std::array<double, names_read.size()> point{};
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      auto const value = value_of(fields_[i]);
      if (!value) {
        source_.fail("line {}: {} lacks a number for x, y, z or the normal; export the file again", number,
                     in_quotes(shown));
      }
      point[i] = *value;
    }
    add(point);
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    for (FurtherField const& further : further_) { add_further(further, value_of(further.field).value_or(missing)); }
  }

  std::string unpacked() const
  {
    std::string_view const body = source_.bytes.substr(header_.bytes);
    constexpr std::size_t sizes_bytes = 2 * sizeof(std::uint32_t);
    if (body.size() < sizes_bytes) { source_.fail("the file ends after its header; get a complete copy"); }
    std::uint64_t const packed = number_at<std::uint32_t>(body.data());
    std::uint64_t const plain = number_at<std::uint32_t>(body.data() + sizeof(std::uint32_t));
    if (packed > body.size() - sizes_bytes) {
      source_.fail("{} compressed bytes are declared, but only {} follow; it may be truncated: get a complete copy",
                   packed, body.size() - sizes_bytes);
    }
    check_body(plain);
    auto content = unpacked_lzf(body.substr(sizes_bytes, packed), plain);
    if (!content) { source_.fail("its compressed points are damaged; get another copy, or export it as binary"); }
    return std::move(*content);
  }

  /// Values are stored point by point, or one field after another with the values of all points.
  void read_binary(std::string_view body, bool by_field)
  {
    geometry_.positions.reserve(header_.points);
    for (std::uint64_t number = 0; number < header_.points; ++number) {
      if (number % 65536 == 0) {
        source_.reached(std::min<std::uint64_t>(header_.bytes + number * header_.point_bytes, source_.bytes.size()));
      }
      auto const value_of = [&](Field const& field) {
        std::size_t const at = by_field ? field.offset * header_.points + number * field.bytes()
                                        : number * header_.point_bytes + field.offset;
        return value_at(body.data() + at, field);
      };
      std::array<double, names_read.size()> point{};
      for (std::size_t i = 0; i < fields_.size(); ++i) { point[i] = value_of(fields_[i]); }
      add(point);
      for (FurtherField const& further : further_) { add_further(further, value_of(further.field)); }
    }
  }

  Source const& source_;
  Header header_;
  Geometry geometry_;
  std::vector<Field> fields_;  ///< x, y, z, and the normal if there is one
  std::vector<FurtherField> further_;
  std::vector<std::string_view> words_;  ///< words of the current line
};

}  // namespace

Geometry read_pcd(Source const& source)
{
  return PcdReader(source).read();
}

}  // namespace slotscape::clouds
