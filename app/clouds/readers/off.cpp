#include "app/clouds/readers/off_header.hpp"

#include "app/base/text.hpp"
#include "app/clouds/readers/color_parts.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape::clouds {

namespace {

/// Reads all numbers at the front of a text.
void read_numbers(std::string_view text, std::vector<double>& numbers)
{
  numbers.clear();
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    auto const number = number_in(word);
    if (!number) { return; }
    numbers.push_back(*number);
  }
}

bool is_direction(std::span<double const> v)
{
  return std::abs(length(Position{v[0], v[1], v[2]}) - 1.0) < 0.02;
}

/// Additional numbers of vertices, after their coordinates and declared normals.
class FurtherNumbers {
public:
  explicit FurtherNumbers(off::Kind const& kind) : kind_(kind) {}

  void add(std::span<double const> numbers)
  {
    std::size_t const texture = kind_.texture ? std::min<std::size_t>(numbers.size(), 2) : 0;
    std::span<double const> const parts = numbers.first(numbers.size() - texture);
    if (rows_++ == 0) { count_ = parts.size(); }
    equal_ = equal_ && parts.size() == count_;
    if (!equal_ || count_ < 3 || count_ > 4) { return; }
    colors_.add(parts);
    directions_ = directions_ && is_direction(parts);
    normals_.push_back(to_vector({parts[0], parts[1], parts[2]}));
  }

  void move_to(Geometry& geometry) &&
  {
    bool const three_or_four = equal_ && (count_ == 3 || count_ == 4);
    bool const undeclared = !kind_.colors;
    if (three_or_four && undeclared && count_ == 3 && directions_ && !kind_.normals && rows_ > 0) {
      geometry.normals = std::move(normals_);
    } else if (three_or_four && colors_.are_plausible()) {
      geometry.attributes = colors_.attributes();
    } else if (count_ > 0 || !equal_) {
      geometry.notes.emplace_back(
          kind_.colors
              ? tr("Skipped the colours of the vertices: red, green and blue are needed for each")
              : tr("Skipped the values after the coordinates of the vertices: they are neither colours nor normals"));
    }
    if (kind_.texture) { geometry.notes.emplace_back(tr("Skipped the texture coordinates")); }
  }

private:
  off::Kind kind_;
  ColorParts colors_;
  std::vector<Vector> normals_;
  std::size_t rows_ = 0;
  std::size_t count_ = 0;
  bool equal_ = true;
  bool directions_ = true;
};

class OffReader {
public:
  explicit OffReader(Source const& source)
      : source_(source), lines_(source), header_(off::read_header(source, lines_)), further_(header_.kind)
  {
  }

  Geometry read()
  {
    geometry_.positions.reserve(header_.vertices);
    geometry_.polygons.ends.reserve(header_.faces);
    for (std::uint64_t i = 0; i < header_.vertices; ++i) { read_vertex(i); }
    for (std::uint64_t i = 0; i < header_.faces; ++i) { read_face(i); }
    std::move(further_).move_to(geometry_);
    take_colors_of_faces();
    std::uint64_t left = 0;
    while (!off::next_content(lines_).empty()) { ++left; }
    if (left > 0) {
      geometry_.notes.push_back(tr("Skipped {} after the {} that the header declares",
                                   tr_plural("{} line", "{} lines", left, grouped(left)),
                                   tr_plural("{} face", "{} faces", header_.faces, grouped(header_.faces))));
    }
    return std::move(geometry_);
  }

private:
  std::string_view line(char const* what, std::uint64_t number, std::uint64_t count)
  {
    std::string_view const text = off::next_content(lines_);
    if (!text.empty()) { return text; }
    source_.fail("the file ends before {} {} of {}; get a complete copy", tr(what), number + 1, count);
  }

  void read_vertex(std::uint64_t number)
  {
    off::Kind const& kind = header_.kind;
    std::size_t const coordinates = kind.homogeneous ? 4 : 3;
    std::size_t const needed = coordinates + (kind.normals ? 3 : 0);
    read_numbers(line(translatable("vertex"), number, header_.vertices), numbers_);
    if (numbers_.size() < needed) {
      source_.fail("line {}: vertex {} needs {} numbers; export the file again", lines_.number(), number + 1, needed);
    }
    double const weight = kind.homogeneous ? numbers_[3] : 1.0;
    geometry_.positions.push_back({numbers_[0] / weight, numbers_[1] / weight, numbers_[2] / weight});
    if (kind.normals) {
      double const* const normal = numbers_.data() + coordinates;
      geometry_.normals.push_back(to_vector({normal[0], normal[1], normal[2]}));
    }
    further_.add(std::span<double const>(numbers_).subspan(needed));
  }

  void read_face(std::uint64_t number)
  {
    std::string_view text = line(translatable("face"), number, header_.faces);
    auto const corners = count_in(next_word(text));
    Polygons& polygons = geometry_.polygons;
    for (std::uint64_t i = 0; i < corners.value_or(0); ++i) {
      std::string_view const word = next_word(text);
      auto const index = count_in(word);
      if (word.empty() || !index) {
        source_.fail("line {}: face {} declares {} corners, but has {}; export the file again", lines_.number(),
                     number + 1, *corners, i);
      }
      polygons.corners.push_back(*index < impossible_index ? static_cast<std::uint32_t>(*index) : impossible_index);
    }
    if (!corners) {
      source_.fail("line {}: expected the number of corners of face {}; export the file again", lines_.number(),
                   number + 1);
    }
    polygons.ends.push_back(polygons.corners.size());
    read_numbers(text, numbers_);
    has_colors_ = has_colors_ || !numbers_.empty();
    if (numbers_.size() == 3 || numbers_.size() == 4) { face_colors_.add(numbers_); }
  }

  void take_colors_of_faces()
  {
    if (has_colors_ && face_colors_.count() == header_.faces && face_colors_.are_plausible()) {
      geometry_.face_attributes = face_colors_.attributes();
    } else if (has_colors_) {
      geometry_.notes.emplace_back(tr("Skipped the colours of the faces: red, green and blue are needed for each"));
    }
  }

  Source const& source_;
  Lines lines_;
  off::Header header_;
  FurtherNumbers further_;
  ColorParts face_colors_;
  bool has_colors_ = false;
  std::vector<double> numbers_;  ///< further numbers in the current line
  Geometry geometry_;
};

}  // namespace

Geometry read_off(Source const& source)
{
  return OffReader(source).read();
}

}  // namespace slotscape::clouds
