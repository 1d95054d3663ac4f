#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"
#include "gpu/base/translation.hpp"

#include <cstdint>

namespace slotscape::clouds {

namespace {

constexpr std::size_t title_bytes = 80;
constexpr std::size_t header_bytes = title_bytes + sizeof(std::uint32_t);
constexpr std::size_t triangle_bytes = 50;

void add_triangle(Geometry& geometry)
{
  auto const end = static_cast<std::uint32_t>(geometry.positions.size());
  geometry.polygons.corners.insert(geometry.polygons.corners.end(), {end - 3, end - 2, end - 1});
  geometry.polygons.ends.push_back(end);
}

Geometry read_binary(Source const& source)
{
  if (source.bytes.size() < header_bytes) {
    source.fail("the file ends inside its binary STL header, at byte {}; get a complete copy", source.bytes.size());
  }
  std::uint64_t const declared = number_at<std::uint32_t>(source.bytes.data() + title_bytes);
  std::uint64_t const there = (source.bytes.size() - header_bytes) / triangle_bytes;
  if (declared > there) { source.fail("the file ends in triangle {} of {}; get a complete copy", there + 1, declared); }
  std::size_t const left = source.bytes.size() - header_bytes - declared * triangle_bytes;
  if (declared == 0 && left > 0) {
    source.fail("its header declares 0 triangles, but {} bytes follow; export the file again", left);
  }
  Geometry geometry;
  std::uint64_t with_attribute = 0;
  geometry.positions.reserve(3 * declared);
  for (std::uint64_t triangle = 0; triangle < declared; ++triangle) {
    std::size_t const begin = header_bytes + triangle * triangle_bytes;
    if (triangle % 65536 == 0) { source.reached(begin); }
    char const* const numbers = source.bytes.data() + begin + 3 * sizeof(float);
    for (int corner = 0; corner < 3; ++corner) {
      char const* const place = numbers + 3 * sizeof(float) * corner;
      geometry.positions.push_back({number_at<float>(place), number_at<float>(place + 4), number_at<float>(place + 8)});
    }
    with_attribute += number_at<std::uint16_t>(source.bytes.data() + begin + triangle_bytes - 2) != 0;
    add_triangle(geometry);
  }
  if (with_attribute > 0) {
    geometry.notes.push_back(tr_plural("Skipped the attributes, which may be colours, of {} triangle",
                                       "Skipped the attributes, which may be colours, of {} triangles", with_attribute,
                                       grouped(with_attribute)));
  }
  if (left > 0) {
    geometry.notes.push_back(tr("Skipped {} after the {} that the header declares",
                                tr_plural("{} byte", "{} bytes", left, grouped(left)),
                                tr_plural("{} triangle", "{} triangles", declared, grouped(declared))));
  }
  return geometry;
}

Geometry read_text(Source const& source)
{
  Geometry geometry;
  Lines lines(source);
  bool ended = false;
  int corners = 0;
  while (auto line = lines.next()) {
    std::string keyword = lower_case(next_word(*line));
    if (keyword == "end") { keyword += lower_case(next_word(*line)); }
    if (keyword == "vertex") {
      auto const place = three_numbers(*line);
      if (!place) { source.fail("line {}: 'vertex' needs three numbers; export the file again", lines.number()); }
      geometry.positions.push_back({(*place)[0], (*place)[1], (*place)[2]});
      ++corners;
    } else if (keyword == "endfacet") {
      if (corners != 3) {
        source.fail("line {}: a facet has {} vertices instead of 3; export the file again", lines.number(), corners);
      }
      add_triangle(geometry);
      corners = 0;
    }
    ended = keyword == "endsolid" || (ended && keyword.empty());
  }
  if (!ended) {
    source.fail("the file ends in line {} without 'endsolid'; it may be truncated: get a complete copy",
                lines.number());
  }
  return geometry;
}

}  // namespace

bool is_binary_stl(std::string_view bytes)
{
  if (bytes.size() < header_bytes) { return false; }
  std::uint64_t const declared = number_at<std::uint32_t>(bytes.data() + title_bytes);
  return declared > 0 && bytes.size() == header_bytes + triangle_bytes * declared;
}

bool is_text_stl(std::string_view bytes)
{
  std::string const start = lower_case(bytes.substr(0, 4096));
  if (is_binary_stl(bytes) || start.find('\0') != std::string::npos) { return false; }
  std::string_view text = start;
  std::string_view const first = next_word(text, " \t\r\n");
  // The title of a binary file may also begin with 'solid'.
  bool const has_facets =
      text.find("facet") != std::string_view::npos || text.find("endsolid") != std::string_view::npos;
  return (first == "solid" && (has_facets || bytes.size() <= header_bytes)) ||
         (first == "facet" && text.find("vertex") != std::string_view::npos);
}

Geometry read_stl(Source const& source)
{
  return is_text_stl(source.bytes) ? read_text(source) : read_binary(source);
}

}  // namespace slotscape::clouds
