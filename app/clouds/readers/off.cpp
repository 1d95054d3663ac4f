#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"

namespace slotscape::clouds {

namespace {

class OffReader {
public:
  explicit OffReader(Source const& source) : source_(source), lines_(source) {}

  Geometry read()
  {
    read_header();
    for (std::uint64_t i = 0; i < vertices_; ++i) { read_vertex(i); }
    for (std::uint64_t i = 0; i < faces_; ++i) { read_face(i); }
    return std::move(geometry_);
  }

private:
  /// The next line with any content.
  std::string_view line(std::string_view what, std::uint64_t number, std::uint64_t count)
  {
    while (auto const line = lines_.next()) {
      std::string_view const text = trimmed(line->substr(0, line->find('#')));
      if (!text.empty()) { return text; }
    }
    source_.fail("the file ends before {} {} of {}; get a complete copy", what, number + 1, count);
  }

  void read_header()
  {
    std::string_view text = line("line", 0, 2);
    std::string const kind = lower_case(next_word(text));
    normals_ = kind == "noff" || kind == "cnoff";
    if (!normals_ && kind != "off" && kind != "coff") {
      source_.fail("unknown kind of OFF: {}; export the file as OFF, COFF, NOFF or CNOFF", in_quotes(kind));
    }
    if (lower_case(trimmed(text)) == "binary") {
      source_.fail("binary OFF is not supported; export the file as text or as PLY");
    }
    if (trimmed(text).empty()) { text = line("line", 1, 2); }
    auto const vertices = count_in(next_word(text));
    auto const faces = count_in(next_word(text));
    if (!vertices || !faces) {
      source_.fail("line {}: expected the numbers of vertices and faces; export the file again", lines_.number());
    }
    vertices_ = *vertices;
    faces_ = *faces;
    std::uint64_t const left = source_.bytes.size() - lines_.offset();
    constexpr std::uint64_t least_of_vertex = 5;
    constexpr std::uint64_t least_of_face = 1;
    if (vertices_ > left / least_of_vertex + 1 || faces_ > left / least_of_face + 1) {
      source_.fail("its header declares {} vertices and {} faces, but only {} bytes follow; get a complete copy",
                   vertices_, faces_, left);
    }
    geometry_.positions.reserve(vertices_);
    geometry_.polygons.ends.reserve(faces_);
  }

  void read_vertex(std::uint64_t number)
  {
    std::string_view text = line("vertex", number, vertices_);
    auto const place = three_numbers(text);
    auto const normal = place && normals_ ? three_numbers(text) : place;
    if (!place || !normal) {
      source_.fail("line {}: vertex {} needs {} numbers; export the file again", lines_.number(), number + 1,
                   normals_ ? 6 : 3);
    }
    geometry_.positions.push_back({(*place)[0], (*place)[1], (*place)[2]});
    if (normals_) { geometry_.normals.push_back(to_vector({(*normal)[0], (*normal)[1], (*normal)[2]})); }
  }

  void read_face(std::uint64_t number)
  {
    std::string_view text = line("face", number, faces_);
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
  }

  Source const& source_;
  Lines lines_;
  bool normals_ = false;
  std::uint64_t vertices_ = 0;
  std::uint64_t faces_ = 0;
  Geometry geometry_;
};

}  // namespace

Geometry read_off(Source const& source)
{
  return OffReader(source).read();
}

}  // namespace slotscape::clouds
