#include "app/clouds/readers/las_coordinates.hpp"

#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::clouds {
namespace {

/// A coordinate system, and whether its x and y are longitude and latitude.
struct FoundSystem {
  CoordinateSystem system;
  bool geographic = false;
};

// --- GeoTIFF keys (OGC 19-008r4)

constexpr std::uint16_t model_type = 1024;
constexpr std::uint16_t geographic_type = 2;
constexpr std::uint16_t geographic_code = 2048;
constexpr std::uint16_t angular_unit = 2054;
constexpr std::uint16_t projected_code = 3072;
constexpr std::uint16_t linear_unit = 3076;
constexpr std::uint16_t vertical_code = 4096;
constexpr std::uint16_t vertical_unit = 4099;

std::optional<std::uint16_t> value_of_key(std::string_view keys, std::uint16_t wanted)
{
  constexpr std::size_t entry = 8;
  for (std::size_t at = entry; at + entry <= keys.size(); at += entry) {
    bool const stored_elsewhere = number_at<std::uint16_t>(keys.data() + at + 2) != 0;
    bool const found = number_at<std::uint16_t>(keys.data() + at) == wanted;
    if (found && !stored_elsewhere) { return number_at<std::uint16_t>(keys.data() + at + 6); }
  }
  return std::nullopt;
}

std::string code_of_key(std::string_view keys, std::uint16_t key)
{
  constexpr std::uint16_t defined_by_user = 32767;
  auto const code = value_of_key(keys, key).value_or(0);
  return code == 0 || code == defined_by_user ? "" : fmt::format("EPSG:{}", code);
}

std::string length_of_key(std::string_view keys, std::uint16_t key)
{
  switch (value_of_key(keys, key).value_or(0)) {
    case 9001: return "m";
    case 9002: return "ft";
    case 9003: return "US survey ft";
    default: return {};
  }
}

std::string angle_of_key(std::string_view keys)
{
  constexpr std::uint16_t degree = 9102;
  constexpr std::uint16_t degree_by_supplier = 9122;
  std::uint16_t const unit = value_of_key(keys, angular_unit).value_or(degree);
  return unit == degree || unit == degree_by_supplier ? "degrees" : "";
}

/// A projected system without a code may still name the geographic system that it is based on.
FoundSystem system_of_keys(std::string_view keys)
{
  FoundSystem found;
  bool const projected = value_of_key(keys, projected_code) || value_of_key(keys, linear_unit);
  auto const type = value_of_key(keys, model_type);
  found.geographic = type ? *type == geographic_type : !projected && value_of_key(keys, geographic_code);
  found.system.horizontal = code_of_key(keys, found.geographic ? geographic_code : projected_code);
  found.system.unit = found.geographic ? angle_of_key(keys) : length_of_key(keys, linear_unit);
  found.system.vertical = code_of_key(keys, vertical_code);
  found.system.unit_of_z = length_of_key(keys, vertical_unit);
  return found;
}

// --- well-known text

/// KEYWORD["value", 1.5, CHILD["value"]].
struct WktNode {
  std::string_view keyword;
  std::vector<std::string_view> values;  ///< texts without their quotes
  std::vector<WktNode> children;

  bool is(std::initializer_list<std::string_view> keywords) const
  {
    return std::ranges::find(keywords, keyword) != keywords.end();
  }
  WktNode const* child(std::initializer_list<std::string_view> keywords) const
  {
    auto const found = std::ranges::find_if(children, [&](WktNode const& node) { return node.is(keywords); });
    return found == children.end() ? nullptr : &*found;
  }
  /// The first of this node and all its descendants that has one of these keywords.
  WktNode const* find(std::initializer_list<std::string_view> keywords) const
  {
    if (is(keywords)) { return this; }
    for (WktNode const& node : children) {
      if (WktNode const* const found = node.find(keywords)) { return found; }
    }
    return nullptr;
  }
};

class WktReader {
public:
  explicit WktReader(std::string_view text) : text_(text) {}

  /// Nothing if a bracket or a quote is not closed.
  std::optional<WktNode> node(int depth = 0)
  {
    constexpr int deepest = 32;
    WktNode node{.keyword = word(), .values = {}, .children = {}};
    if (depth > deepest || at_ >= text_.size()) { return std::nullopt; }
    for (++at_; skip(" \t\r\n,");) {
      if (is_any_of("])")) {
        ++at_;
        return node;
      }
      if (text_[at_] == '"') {
        std::size_t const end = text_.find('"', at_ + 1);
        if (end == text_.npos) { return std::nullopt; }
        node.values.push_back(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        continue;
      }
      std::size_t const begin = at_;
      std::string_view const value = word();
      if (at_ >= text_.size()) { return std::nullopt; }
      if (!is_any_of("[(")) {
        node.values.push_back(value);
        continue;
      }
      at_ = begin;
      auto child = this->node(depth + 1);
      if (!child) { return std::nullopt; }
      node.children.push_back(*std::move(child));
    }
    return std::nullopt;
  }

private:
  bool is_any_of(std::string_view letters) const { return letters.find(text_[at_]) != letters.npos; }
  /// Returns whether any text is left.
  bool skip(std::string_view letters)
  {
    at_ = std::min(text_.find_first_not_of(letters, at_), text_.size());
    return at_ < text_.size();
  }
  /// Reads up to a bracket or a comma, and strips surrounding blanks.
  std::string_view word()
  {
    skip(" \t\r\n");
    std::size_t const begin = at_;
    at_ = std::min(text_.find_first_of(",[]()\"", at_), text_.size());
    std::string_view const found = text_.substr(begin, at_ - begin);
    return found.substr(0, found.find_last_not_of(" \t\r\n") + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// "EPSG:25832" or, if the system has no code, its name.
std::string name_of(WktNode const& system)
{
  WktNode const* const code = system.child({"AUTHORITY", "ID"});
  if (code != nullptr && code->values.size() >= 2 && code->values[0] == "EPSG") {
    return fmt::format("EPSG:{}", code->values[1]);
  }
  return system.values.empty() ? "" : std::string(system.values[0]);
}

/// Identifies a unit by its factor to metres or radians; unknown units keep their names.
std::string name_of_unit(WktNode const& unit, bool angular)
{
  struct Known {
    double factor;
    std::string_view name;
  };
  constexpr std::array<Known, 3> lengths{{{1.0, "m"}, {0.3048, "ft"}, {1200.0 / 3937.0, "US survey ft"}}};
  constexpr std::array<Known, 1> angles{{{0.017453292519943295, "degrees"}}};
  constexpr double closest = 1e-6;  // the two kinds of feet differ by 2e-6
  auto const factor = unit.values.size() < 2 ? std::nullopt : parse_number<double>(unit.values[1]);
  std::span<Known const> const known = angular ? std::span<Known const>(angles) : std::span<Known const>(lengths);
  auto const found = std::ranges::find_if(known, [&](Known const& one) {
    return factor && std::abs(*factor / one.factor - 1.0) < closest;
  });
  if (found != known.end()) { return std::string(found->name); }
  return unit.values.empty() ? "" : std::string(unit.values[0]);
}

/// The unit of a system, or of its first axis if the system names none.
std::string unit_in(WktNode const& node, bool angular)
{
  WktNode const* unit = node.child({"UNIT", "LENGTHUNIT", "ANGLEUNIT"});
  if (unit == nullptr && node.child({"AXIS"}) != nullptr) { return unit_in(*node.child({"AXIS"}), angular); }
  return unit == nullptr ? "" : name_of_unit(*unit, angular);
}

/// The unit of the height above the ellipsoid, which is the third axis of some systems.
std::string unit_of_third_axis(WktNode const& system)
{
  constexpr std::size_t heights = 2;
  std::vector<WktNode const*> axes;
  for (WktNode const& node : system.children) {
    if (node.is({"AXIS"})) { axes.push_back(&node); }
  }
  return axes.size() <= heights ? "" : unit_in(*axes[heights], false);
}

FoundSystem system_of_text(std::string_view text)
{
  FoundSystem found;
  auto const root = WktReader(text).node();
  if (!root) { return found; }
  WktNode const* across = root->find({"PROJCS", "PROJCRS", "PROJECTEDCRS"});
  found.geographic = across == nullptr;
  if (across == nullptr) { across = root->find({"GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"}); }
  if (across == nullptr) { return {}; }
  found.system.horizontal = name_of(*across);
  found.system.unit = unit_in(*across, found.geographic);
  WktNode const* const heights = root->find({"VERT_CS", "VERTCRS", "VERTICALCRS"});
  if (heights != nullptr) { found.system.vertical = name_of(*heights); }
  found.system.unit_of_z = heights != nullptr ? unit_in(*heights, false) : unit_of_third_axis(*across);
  return found;
}

// --- facts known from codes

std::uint32_t code_in(std::string_view system)
{
  return system.starts_with("EPSG:") ? parse_number<std::uint32_t>(system.substr(5)).value_or(0) : 0;
}

/// The UTM systems on the ellipsoids in use today; all are in metres.
bool is_of_utm(std::uint32_t code)
{
  auto const within = [code](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
  return within(32601, 32660) || within(32701, 32760) || within(25828, 25838) || within(26901, 26923);
}

/// The unit of height systems that is given only in the registry: NAVD88, NGVD29, MSL, EGM96, EGM2008, and European
/// ones.
std::string unit_of_heights(std::uint32_t code)
{
  constexpr std::array<std::uint32_t, 3> survey_feet{5702, 6360, 8052};
  constexpr std::array<std::uint32_t, 2> feet{8050, 8228};
  constexpr std::array<std::uint32_t, 15> metres{3855, 5621, 5701, 5703, 5709, 5714, 5720, 5728,
                                                 5730, 5773, 5783, 5799, 7837, 7968, 9389};
  auto const is_one_of = [&](auto const& codes) { return std::ranges::find(codes, code) != codes.end(); };
  if (is_one_of(survey_feet)) { return "US survey ft"; }
  if (is_one_of(feet)) { return "ft"; }
  return is_one_of(metres) ? "m" : "";
}

/// Longitude, latitude and height above the ellipsoid, in metres: WGS 84, ETRS89, NAD83(2011), GDA2020.
bool has_ellipsoidal_heights(std::uint32_t code)
{
  return code == 4979 || code == 4937 || code == 6319 || code == 7843;
}

CoordinateSystem completed(FoundSystem found)
{
  CoordinateSystem system = std::move(found.system);
  std::uint32_t const code = code_in(system.horizontal);
  if (system.unit.empty() && is_of_utm(code)) { system.unit = "m"; }
  if (!system.unit_of_z.empty()) { return system; }
  if (!system.vertical.empty()) {
    system.unit_of_z = unit_of_heights(code_in(system.vertical));
  } else if (found.geographic) {
    system.unit_of_z = has_ellipsoidal_heights(code) ? "m" : "";
  } else {
    system.unit_of_z = system.unit;
  }
  return system;
}

// --- records before and after the points (LAS 1.4 R15, 2.5 and 2.7)

struct RecordLayout {
  std::size_t header;
  bool wide;  ///< 64 bits for the length
};

/// Calls f(id, content) for those of `count` records that describe the coordinate system.
template <class F>
void for_projection_records(std::string_view bytes, std::uint64_t at, std::uint32_t count, RecordLayout const& layout,
                            F const& f)
{
  for (std::uint32_t record = 0; record < count && at < bytes.size() && bytes.size() - at >= layout.header; ++record) {
    char const* const header = bytes.data() + at;
    std::string_view const user = bytes.substr(at + 2, 16);
    auto const id = number_at<std::uint16_t>(header + 18);
    std::uint64_t const length =
        layout.wide ? number_at<std::uint64_t>(header + 20) : std::uint64_t{number_at<std::uint16_t>(header + 20)};
    at += layout.header;
    if (length > bytes.size() - at) { return; }
    if (user.starts_with("LASF_Projection")) { f(id, bytes.substr(at, length)); }
    at += length;
  }
}

template <class F>
void for_projection_records(std::string_view bytes, F const& f)
{
  constexpr std::size_t header_of_1_2 = 227;
  constexpr std::size_t header_of_1_4 = 375;
  if (!bytes.starts_with("LASF") || bytes.size() < header_of_1_2) { return; }
  for_projection_records(bytes, number_at<std::uint16_t>(bytes.data() + 94),
                         number_at<std::uint32_t>(bytes.data() + 100), {54, false}, f);
  if (bytes[25] < 4 || bytes.size() < header_of_1_4) { return; }
  for_projection_records(bytes, number_at<std::uint64_t>(bytes.data() + 235),
                         number_at<std::uint32_t>(bytes.data() + 243), {60, true}, f);
}

void fill(std::string& into, std::string const& from)
{
  if (into.empty()) { into = from; }
}

}  // namespace

CoordinateSystem las_coordinate_system(std::string_view bytes)
{
  constexpr std::uint16_t geo_keys = 34735;
  constexpr std::uint16_t well_known_text = 2112;
  FoundSystem of_keys;
  FoundSystem found;
  for_projection_records(bytes, [&](std::uint16_t id, std::string_view content) {
    if (id == well_known_text && found.system == CoordinateSystem{}) { found = system_of_text(content); }
    if (id == geo_keys) { of_keys = system_of_keys(content); }
  });
  if (found.system == CoordinateSystem{}) { return completed(std::move(of_keys)); }
  fill(found.system.unit, of_keys.system.unit);
  fill(found.system.vertical, of_keys.system.vertical);
  fill(found.system.unit_of_z, of_keys.system.unit_of_z);
  return completed(std::move(found));
}

}  // namespace slotscape::clouds
