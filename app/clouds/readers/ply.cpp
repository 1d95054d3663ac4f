#include "app/clouds/readers/ply_header.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"

#include <algorithm>
#include <array>

namespace slotscape::clouds {

namespace {

using ply::Element;
using ply::Format;
using ply::Property;
using ply::Type;

/// The body is shorter than its header declares.
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

/// The same for an ASCII body: words separated by white space.
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

private:
  std::string_view next()
  {
    constexpr std::string_view between = " \t\v\f\r\n";
    std::size_t const begin = std::min(rest_.find_first_not_of(between), rest_.size());
    line_ += static_cast<std::size_t>(std::count(rest_.begin(), rest_.begin() + static_cast<long>(begin), '\n'));
    rest_.remove_prefix(begin);
    std::string_view const word = rest_.substr(0, rest_.find_first_of(between));
    if (word.empty()) { throw Truncated(); }
    rest_.remove_prefix(word.size());
    return word;
  }

  Source const& source_;
  std::string_view rest_;
  std::size_t line_;
};

constexpr std::array<std::string_view, 6> vertex_names{"x", "y", "z", "nx", "ny", "nz"};
constexpr int no_role = -1;
constexpr int first_attribute = static_cast<int>(vertex_names.size());

/// For each property of the vertices, its index in `vertex_names`, or `first_attribute` and the index of the attribute
/// that it becomes.
std::vector<int> roles_of(Element const& element, std::vector<Attribute>& attributes)
{
  std::vector<int> roles;
  for (Property const& property : element.properties) {
    auto const found = std::ranges::find(vertex_names, property.name);
    if (property.list_count) {
      roles.push_back(no_role);
    } else if (found != vertex_names.end()) {
      roles.push_back(static_cast<int>(found - vertex_names.begin()));
    } else {
      roles.push_back(first_attribute + static_cast<int>(attributes.size()));
      attributes.emplace_back(property.name, property.type);
    }
  }
  return roles;
}

bool is_corner_list(Property const& property)
{
  return property.list_count && (property.name == "vertex_indices" || property.name == "vertex_index");
}

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
    return std::move(geometry_);
  }

private:
  void prepare(Element const& element)
  {
    roles_.assign(element.properties.size(), no_role);
    is_vertex_ = element.name == "vertex" && geometry_.positions.empty();
    is_face_ = element.name == "face";
    if (!is_vertex_) { return; }
    roles_ = roles_of(element, geometry_.attributes);
    auto const has = [&](int role) { return std::ranges::find(roles_, role) != roles_.end(); };
    if (!has(0) || !has(1) || !has(2)) {
      source_.fail("vertices need the properties x, y and z; export the file again");
    }
    has_normals_ = has(3) && has(4) && has(5);
    // A huge count in a tiny file must not allocate much: each number takes at least a byte.
    std::uint64_t const room = (source_.bytes.size() - numbers_.offset()) / element.properties.size();
    geometry_.positions.reserve(std::min(element.count, room));
    if (has_normals_) { geometry_.normals.reserve(std::min(element.count, room)); }
  }

  void read_item(Element const& element, std::uint64_t number)
  {
    if (number % 4096 == 0) { source_.reached(numbers_.offset()); }
    std::array<double, vertex_names.size()> vertex{};
    try {
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        Property const& property = element.properties[i];
        if (property.list_count) {
          read_list(property, number);
        } else if (roles_[i] == no_role) {
          numbers_.skip(property.type, 1);
        } else if (roles_[i] < first_attribute) {
          vertex[static_cast<std::size_t>(roles_[i])] = numbers_.next(property.type);
        } else {
          std::size_t const attribute = static_cast<std::size_t>(roles_[i] - first_attribute);
          geometry_.attributes[attribute].add(numbers_.next(property.type));
        }
      }
    } catch (Truncated const&) {
      source_.fail("the file ends in {} {} of {}; it may be truncated: get a complete copy", element.name, number + 1,
                   element.count);
    }
    if (!is_vertex_) { return; }
    geometry_.positions.push_back({vertex[0], vertex[1], vertex[2]});
    if (has_normals_) { geometry_.normals.push_back(to_vector({vertex[3], vertex[4], vertex[5]})); }
  }

  void read_list(Property const& property, std::uint64_t number)
  {
    double const length = numbers_.next(*property.list_count);
    if (!(length >= 0.0 && length <= static_cast<double>(source_.bytes.size()))) {
      source_.fail("a list in item {} claims to have {} entries; export the file again", number + 1, length);
    }
    auto const count = static_cast<std::uint64_t>(length);
    if (!is_face_ || !is_corner_list(property)) {
      numbers_.skip(property.type, count);
      return;
    }
    Polygons& polygons = geometry_.polygons;
    for (std::uint64_t i = 0; i < count; ++i) {
      double const index = numbers_.next(property.type);
      bool const possible = index >= 0.0 && index < impossible_index;
      polygons.corners.push_back(possible ? static_cast<std::uint32_t>(index) : impossible_index);
    }
    polygons.ends.push_back(polygons.corners.size());
  }

  Source const& source_;
  ply::Header const& header_;
  Numbers numbers_;
  Geometry geometry_;
  std::vector<int> roles_;
  bool is_vertex_ = false;
  bool is_face_ = false;
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
