#include "app/base/text.hpp"
#include "app/clouds/readers/ply_header.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace slotscape::clouds {

namespace {

using ply::Element;
using ply::Format;
using ply::Property;
using ply::Type;

/// Thrown if the body is shorter than its header declares.
struct Truncated {};

/// Reads the numbers of a binary body in order.
class BinaryNumbers {
public:
  BinaryNumbers(Source const& source, ply::Header const& header)
      : bytes_(source.bytes),
        at_(header.bytes),
        order_(header.format == Format::little_endian ? std::endian::little : std::endian::big)
  {
  }

  double next(Type type)
  {
    char const* const here = take(bytes_of(type));
    switch (type) {
      case Type::int8: return number_at<std::int8_t>(here, order_);
      case Type::uint8: return number_at<std::uint8_t>(here, order_);
      case Type::int16: return number_at<std::int16_t>(here, order_);
      case Type::uint16: return number_at<std::uint16_t>(here, order_);
      case Type::int32: return number_at<std::int32_t>(here, order_);
      case Type::uint32: return number_at<std::uint32_t>(here, order_);
      case Type::float32: return number_at<float>(here, order_);
      case Type::float64: return number_at<double>(here, order_);
    }
    return 0.0;
  }
  void skip(Type type, std::uint64_t count)
  {
    if (count > bytes_.size() / bytes_of(type)) { throw Truncated(); }
    take(count * bytes_of(type));
  }
  std::size_t offset() const { return at_; }
  void begin_item() {}
  void end_item() {}
  /// Tolerates a few bytes of padding at the end.
  void check_end(Source const& source) const
  {
    constexpr std::size_t max_padding = 16;
    std::size_t const left = bytes_.size() - at_;
    if (left <= max_padding) { return; }
    source.fail(
        "{} bytes are left over after its last element: the header does not match the body; export the file again",
        left);
  }

private:
  char const* take(std::size_t count)
  {
    if (count > bytes_.size() - at_) { throw Truncated(); }
    at_ += count;
    return bytes_.data() + at_ - count;
  }

  std::string_view bytes_;
  std::size_t at_;
  std::endian order_;
};

/// Reads the numbers of an ASCII body: words separated by white space.
class AsciiNumbers {
public:
  AsciiNumbers(Source const& source, ply::Header const& header)
      : source_(source), rest_(source.bytes.substr(header.bytes)), line_(header.lines + 1)
  {
  }

  double next(Type)
  {
    std::string_view const word = next();
    auto const number = number_in(word);
    if (!number) { source_.fail("line {}: {} is not a number; export the file again", line_, in_quotes(word)); }
    return *number;
  }
  void skip(Type, std::uint64_t count)
  {
    for (std::uint64_t i = 0; i < count; ++i) { next(); }
  }
  std::size_t offset() const { return source_.bytes.size() - rest_.size(); }
  /// Each item has a line of its own. Even in files with additional line breaks, no item ends on a line where another
  /// begins.
  void begin_item() { item_line_ = 0; }
  void end_item()
  {
    if (item_line_ == line_ || trimmed(rest_.substr(0, rest_.find('\n'))).empty()) { return; }
    source_.fail(
        "lines {} and {} do not have as many numbers as the header says; get a complete copy, or export the file again",
        item_line_, line_);
  }
  void check_end(Source const& source)
  {
    std::string_view const word = trimmed(rest_.substr(std::min(rest_.find_first_not_of(" \t\v\f\r\n"), rest_.size())));
    if (word.empty()) { return; }
    next();
    source.fail(
        "line {} has numbers left over after the last element: the header does not match the rows; export the file "
        "again",
        line_);
  }

private:
  std::string_view next()
  {
    constexpr std::string_view between = " \t\v\f\r\n";
    std::size_t const begin = std::min(rest_.find_first_not_of(between), rest_.size());
    line_ +=
        static_cast<std::size_t>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    rest_.remove_prefix(begin);
    if (item_line_ == 0) { item_line_ = line_; }
    std::string_view const word = rest_.substr(0, rest_.find_first_of(between));
    if (word.empty()) { throw Truncated(); }
    rest_.remove_prefix(word.size());
    return word;
  }

  Source const& source_;
  std::string_view rest_;
  std::size_t line_;
  std::size_t item_line_ = 0;  ///< line of the item's first number
};

constexpr std::array<std::string_view, 6> vertex_names{"x", "y", "z", "nx", "ny", "nz"};
constexpr int no_role = -1;
constexpr int first_attribute = static_cast<int>(vertex_names.size());

/// The role of an element in a cloud.
enum class ElementKind : std::uint8_t { vertices, faces, strips, other };

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names)
{
  std::string const plain = lower_case(name);
  return std::ranges::find(names, plain) != names.end();
}

bool has_coordinates(Element const& element)
{
  return std::ranges::all_of(std::array{"x", "y", "z"}, [&](std::string_view axis) {
    return std::ranges::any_of(element.properties, [&](Property const& property) {
      return !property.list_count && lower_case(property.name) == axis;
    });
  });
}

/// How likely a list is to hold the corners of faces; 0: it does not.
int rank_of_corners(Property const& property)
{
  bool const whole = property.type != Type::float32 && property.type != Type::float64;
  if (!property.list_count || !whole) { return 0; }
  std::string const name = lower_case(property.name);
  if (is_any_of(name, {"vertex_indices", "vertex_index"})) { return 3; }
  bool const of_texture = name.find("tex") != std::string::npos || name.find("uv") != std::string::npos ||
                          name.find("normal") != std::string::npos || name.find("mat") != std::string::npos;
  if (of_texture) { return 0; }
  if (name.find("vert") != std::string::npos) { return 2; }
  return name.find("ind") != std::string::npos || name.find("corner") != std::string::npos ? 1 : 0;
}

/// The property with the corners of an element's faces; the number of properties if there is none.
std::size_t corners_of(Element const& element)
{
  auto const best = std::ranges::max_element(element.properties, {}, rank_of_corners);
  bool const found = best != element.properties.end() && rank_of_corners(*best) > 0;
  return found ? static_cast<std::size_t>(best - element.properties.begin()) : element.properties.size();
}

ElementKind kind_of(Element const& element, bool has_vertices)
{
  bool const named = element.name == "vertex";
  if (!has_vertices && (named || has_coordinates(element))) { return ElementKind::vertices; }
  if (corners_of(element) == element.properties.size()) { return ElementKind::other; }
  if (is_any_of(element.name, {"face", "faces", "facet", "facets", "polygon", "polygons", "triangle", "triangles",
                               "tri", "tris", "quad", "quads", "cell", "cells"})) {
    return ElementKind::faces;
  }
  bool const strips =
      is_any_of(element.name, {"tristrips", "tristrip", "tri_strips", "tri_strip", "trianglestrips", "trianglestrip",
                               "triangle_strips", "triangle_strip", "strips", "strip"});
  return strips ? ElementKind::strips : ElementKind::other;
}

/// For each property of the vertices or faces, its index in `vertex_names`, or `first_attribute` plus the index of the
/// attribute that it becomes.
std::vector<int> roles_of_properties(Element const& element, bool of_vertices, std::vector<Attribute>& attributes)
{
  std::vector<int> roles;
  for (Property const& property : element.properties) {
    auto const found = std::ranges::find(vertex_names, lower_case(property.name));
    if (property.list_count) {
      roles.push_back(no_role);
    } else if (of_vertices && found != vertex_names.end()) {
      roles.push_back(static_cast<int>(found - vertex_names.begin()));
    } else {
      roles.push_back(first_attribute + static_cast<int>(attributes.size()));
      attributes.emplace_back(property.name, property.type);
    }
  }
  return roles;
}

/// Adds the triangles of a strip (each new corner makes a triangle with the two before it, every second one reversed)
/// until -1, where the next strip begins. Repeated corners link strips and make no triangle.
class StripReader {
public:
  explicit StripReader(Polygons& polygons) : polygons_(polygons) {}

  void add(double number)
  {
    if (number == -1.0) {
      count_ = 0;
      return;
    }
    bool const possible = number >= 0.0 && number < impossible_index;
    std::uint32_t const corner = possible ? static_cast<std::uint32_t>(number) : impossible_index;
    if (count_ >= 2 && corner != last_ && corner != before_ && last_ != before_) {
      bool const turned = count_ % 2 == 1;
      polygons_.corners.insert(polygons_.corners.end(), {turned ? last_ : before_, turned ? before_ : last_, corner});
      polygons_.ends.push_back(polygons_.corners.size());
    }
    before_ = last_;
    last_ = corner;
    ++count_;
  }

private:
  Polygons& polygons_;
  std::uint64_t count_ = 0;
  std::uint32_t before_ = impossible_index;
  std::uint32_t last_ = impossible_index;
};

template <class Numbers>
class PlyReader {
public:
  PlyReader(Source const& source, ply::Header const& header)
      : source_(source), header_(header), numbers_(source, header)
  {
  }

  Geometry read()
  {
    for (Element const& element : header_.elements) {
      if (element.properties.empty()) { continue; }
      prepare(element);
      for (std::uint64_t i = 0; i < element.count; ++i) { read_item(element, i); }
    }
    numbers_.check_end(source_);
    keep_whole_face_attributes();
    return std::move(geometry_);
  }

private:
  void prepare(Element const& element)
  {
    bool const is_named = std::ranges::any_of(header_.elements, [](Element const& e) { return e.name == "vertex"; });
    bool const has_vertices = has_vertices_ || (is_named && element.name != "vertex");
    kind_ = kind_of(element, has_vertices);
    roles_.assign(element.properties.size(), no_role);
    corners_ =
        kind_ == ElementKind::faces || kind_ == ElementKind::strips ? corners_of(element) : element.properties.size();
    note_skipped(element);
    if (kind_ == ElementKind::faces) { roles_ = roles_of_properties(element, false, geometry_.face_attributes); }
    if (kind_ == ElementKind::vertices) { prepare_vertices(element); }
  }

  void prepare_vertices(Element const& element)
  {
    has_vertices_ = true;
    roles_ = roles_of_properties(element, true, geometry_.attributes);
    auto const has = [&](int role) { return std::ranges::find(roles_, role) != roles_.end(); };
    if (!has(0) || !has(1) || !has(2)) {
      source_.fail("vertices need the properties x, y and z; export the file again");
    }
    for (std::size_t i = 0; i < vertex_names.size(); ++i) {
      if (std::ranges::count(roles_, static_cast<int>(i)) < 2) { continue; }
      source_.fail("vertices have the property {} twice; export the file again", in_quotes(vertex_names[i]));
    }
    has_normals_ = has(3) && has(4) && has(5);
    // A huge count in a tiny file must not allocate much memory: each number takes at least a byte.
    std::uint64_t const room = (source_.bytes.size() - numbers_.offset()) / element.properties.size();
    geometry_.positions.reserve(std::min(element.count, room));
    if (has_normals_) { geometry_.normals.reserve(std::min(element.count, room)); }
  }

  void note_skipped(Element const& element)
  {
    if (element.count == 0) { return; }
    if (kind_ == ElementKind::other) {
      geometry_.notes.push_back(tr("Skipped the element {}: {}", in_quotes(element.name),
                                   tr_plural("{} item", "{} items", element.count, grouped(element.count))));
      return;
    }
    std::vector<std::string> skipped;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      bool const list = element.properties[i].list_count.has_value();
      if (i != corners_ && (list || kind_ == ElementKind::strips)) {
        skipped.push_back(in_quotes(element.properties[i].name));
      }
    }
    if (skipped.empty()) { return; }
    geometry_.notes.push_back(tr("Skipped {} of the element {}", listed(skipped, tr("and")), in_quotes(element.name)));
  }

  void read_item(Element const& element, std::uint64_t number)
  {
    if (number % 4096 == 0) { source_.reached(numbers_.offset()); }
    std::array<double, vertex_names.size()> vertex{};
    numbers_.begin_item();
    try {
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        if (element.properties[i].list_count) {
          read_list(element.properties[i], i == corners_, number);
        } else {
          read_number(element.properties[i].type, roles_[i], vertex);
        }
      }
    } catch (Truncated const&) {
      source_.fail("the file ends in {} {} of {}; it may be truncated: get a complete copy", element.name, number + 1,
                   element.count);
    }
    numbers_.end_item();
    if (kind_ != ElementKind::vertices) { return; }
    geometry_.positions.push_back({vertex[0], vertex[1], vertex[2]});
    if (has_normals_) { geometry_.normals.push_back(to_vector({vertex[3], vertex[4], vertex[5]})); }
  }

  void read_number(Type type, int role, std::array<double, vertex_names.size()>& vertex)
  {
    if (role == no_role) { return numbers_.skip(type, 1); }
    double const number = numbers_.next(type);
    if (role < first_attribute) {
      vertex[static_cast<std::size_t>(role)] = number;
      return;
    }
    auto& attributes = kind_ == ElementKind::vertices ? geometry_.attributes : geometry_.face_attributes;
    attributes[static_cast<std::size_t>(role - first_attribute)].add(number);
  }

  void read_list(Property const& property, bool of_corners, std::uint64_t number)
  {
    double const length = numbers_.next(*property.list_count);
    if (!(length >= 0.0 && length <= static_cast<double>(source_.bytes.size()))) {
      source_.fail("a list in item {} claims to have {} entries; export the file again", number + 1, length);
    }
    auto const count = static_cast<std::uint64_t>(length);
    if (!of_corners) { return numbers_.skip(property.type, count); }
    Polygons& polygons = geometry_.polygons;
    if (kind_ == ElementKind::strips) {
      StripReader strip(polygons);
      for (std::uint64_t i = 0; i < count; ++i) { strip.add(numbers_.next(property.type)); }
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      double const index = numbers_.next(property.type);
      bool const possible = index >= 0.0 && index < impossible_index;
      polygons.corners.push_back(possible ? static_cast<std::uint32_t>(index) : impossible_index);
    }
    polygons.ends.push_back(polygons.corners.size());
  }

  /// Strips, and faces of other elements, have no attributes.
  void keep_whole_face_attributes()
  {
    std::uint64_t const incomplete = std::erase_if(geometry_.face_attributes, [&](Attribute const& attribute) {
      return attribute.count() != geometry_.polygons.count();
    });
    if (incomplete > 0) {
      geometry_.notes.emplace_back(tr("Skipped the attributes of the faces: not all faces have them"));
    }
  }

  Source const& source_;
  ply::Header const& header_;
  Numbers numbers_;
  Geometry geometry_;
  std::vector<int> roles_;
  ElementKind kind_ = ElementKind::other;
  std::size_t corners_ = 0;  ///< the property with the corners of faces
  bool has_vertices_ = false;
  bool has_normals_ = false;
};

}  // namespace

Geometry read_ply(Source const& source)
{
  ply::Header const header = ply::read_header(source);
  return header.format == Format::ascii ? PlyReader<AsciiNumbers>(source, header).read()
                                        : PlyReader<BinaryNumbers>(source, header).read();
}

}  // namespace slotscape::clouds
