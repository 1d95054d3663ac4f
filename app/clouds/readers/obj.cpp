#include "app/clouds/readers/color_parts.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape::clouds {

namespace {

/// Joins lines that end in a backslash with the next one.
class LogicalLines {
public:
  explicit LogicalLines(Source const& source) : lines_(source) {}

  std::optional<std::string_view> next()
  {
    std::optional<std::string_view> line = lines_.next();
    if (!line || !line->ends_with('\\')) { return line; }
    joined_.clear();
    while (line && line->ends_with('\\')) {
      joined_ += line->substr(0, line->size() - 1);
      joined_ += ' ';
      line = lines_.next();
    }
    if (line) { joined_ += *line; }
    return joined_;
  }
  std::size_t number() const { return lines_.number(); }

private:
  Lines lines_;
  std::string joined_;
};

/// Converts an index that counts from 1, or backwards from the latest one if it is negative.
std::uint32_t index_in(std::string_view word, std::size_t so_far)
{
  std::optional<std::int64_t> const number = parse_number<std::int64_t>(word);
  if (!number || *number == 0) { return impossible_index; }
  std::int64_t const index = *number > 0 ? *number - 1 : static_cast<std::int64_t>(so_far) + *number;
  return index < 0 || index >= impossible_index ? impossible_index : static_cast<std::uint32_t>(index);
}

struct Corner {
  std::uint32_t vertex;
  std::optional<std::uint32_t> normal;
};

/// Parses one of 7, 7/8, 7/8/9, 7//9.
Corner corner_in(std::string_view word, Geometry const& geometry)
{
  std::size_t const slash = word.find('/');
  Corner corner{index_in(word.substr(0, slash), geometry.positions.size()), {}};
  if (slash == std::string_view::npos) { return corner; }
  std::size_t const second = word.find('/', slash + 1);
  if (second == std::string_view::npos) { return corner; }
  std::string_view const normal = word.substr(second + 1);
  if (!normal.empty()) { corner.normal = index_in(normal, geometry.normals.size()); }
  return corner;
}

class ObjReader {
public:
  explicit ObjReader(Source const& source) : source_(source), lines_(source) {}

  Geometry read()
  {
    while (auto const line = lines_.next()) {
      std::string_view rest = line->substr(0, line->find('#'));
      std::string_view const keyword = next_word(rest);
      if (keyword == "v") {
        read_vertex(rest);
      } else if (keyword == "vn") {
        auto const [x, y, z] = three(keyword, rest);
        geometry_.normals.push_back(to_vector({x, y, z}));
      } else if (keyword == "f" || keyword == "fo") {
        read_face(rest);
      } else {
        note(keyword);
      }
    }
    finish();
    return std::move(geometry_);
  }

private:
  /// x y z, optionally w; then red, green and blue, as many programs write them.
  void read_vertex(std::string_view rest)
  {
    auto const [x, y, z] = three("v", rest);
    geometry_.positions.push_back({x, y, z});
    std::array<double, 5> further{};
    std::size_t count = 0;
    for (std::string_view word = next_word(rest); !word.empty() && count < further.size(); word = next_word(rest)) {
      auto const number = number_in(word);
      if (!number) { break; }
      further[count++] = *number;
    }
    if (count >= 3) { colors_.add(std::span(further).first(std::min<std::size_t>(count, 4))); }
  }

  void note(std::string_view keyword)
  {
    if (keyword == "usemtl") { has_materials_ = true; }
    polylines_ += keyword == "l";
    free_forms_ += keyword == "curv" || keyword == "curv2" || keyword == "surf";
  }

  std::array<double, 3> three(std::string_view keyword, std::string_view& rest) const
  {
    std::string_view const shown = trimmed(rest);
    auto const numbers = three_numbers(rest);
    if (!numbers) {
      source_.fail("line {}: '{}' needs three numbers, not {}; export the file again", lines_.number(), keyword,
                   in_quotes(shown));
    }
    return *numbers;
  }

  void read_face(std::string_view rest)
  {
    Polygons& polygons = geometry_.polygons;
    std::uint64_t const begin = polygons.corners.size();
    while (true) {
      std::string_view const word = next_word(rest);
      if (word.empty()) { break; }
      Corner const corner = corner_in(word, geometry_);
      if (corner.vertex == impossible_index) {
        source_.fail("line {}: face corner {} refers to a vertex that does not exist; export the file again",
                     lines_.number(), in_quotes(word));
      }
      polygons.corners.push_back(corner.vertex);
      polygons.normals.push_back(corner.normal.value_or(impossible_index));
      all_have_normals_ = all_have_normals_ && corner.normal.has_value();
    }
    if (polygons.corners.size() < begin + 3) {
      source_.fail("line {}: a face needs at least three corners; export the file again", lines_.number());
    }
    polygons.ends.push_back(polygons.corners.size());
  }

  /// Normals are usable only if every corner of a mesh, or every point of a cloud, has one.
  void finish()
  {
    Polygons& polygons = geometry_.polygons;
    bool const mesh = polygons.count() > 0;
    bool const complete = mesh ? all_have_normals_ : geometry_.normals.size() == geometry_.positions.size();
    take_colors();
    note_skipped();
    if (complete) { return; }
    if (!geometry_.normals.empty()) {
      geometry_.notes.push_back(mesh ? tr("Ignored the file's normals: not all corners of its faces have one")
                                     : tr("Ignored the file's normals: not all of its points have one"));
    }
    polygons.normals.clear();
    geometry_.normals.clear();
  }

  void take_colors()
  {
    if (colors_.count() == 0) { return; }
    if (colors_.count() == geometry_.positions.size() && colors_.are_plausible()) {
      geometry_.attributes = colors_.attributes();
    } else {
      geometry_.notes.push_back(tr("Skipped the colours: {} of {} vertices have red, green and blue",
                                   grouped(colors_.count()), grouped(geometry_.positions.size())));
    }
  }

  void note_skipped()
  {
    if (polylines_ > 0) {
      geometry_.notes.push_back(
          tr_plural("Skipped {} polyline", "Skipped {} polylines", polylines_, grouped(polylines_)));
    }
    if (free_forms_ > 0) {
      geometry_.notes.push_back(tr_plural("Skipped {} free-form element", "Skipped {} free-form elements", free_forms_,
                                          grouped(free_forms_)));
    }
    if (has_materials_ && geometry_.attributes.empty()) {
      geometry_.notes.emplace_back(tr("Skipped materials and textures: the model has no colours"));
    }
  }

  Source const& source_;
  LogicalLines lines_;
  Geometry geometry_;
  bool all_have_normals_ = true;
  ColorParts colors_;
  std::uint64_t polylines_ = 0;
  std::uint64_t free_forms_ = 0;
  bool has_materials_ = false;
};

}  // namespace

Geometry read_obj(Source const& source)
{
  return ObjReader(source).read();
}

}  // namespace slotscape::clouds
