#include "app/clouds/readers/las_coordinates.hpp"

#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <optional>

namespace slotscape::clouds {
namespace {

/// Records between the header and the points (LAS 1.4 R15, 2.5).
constexpr std::size_t header_size_at = 94;
constexpr std::size_t record_count_at = 100;
constexpr std::size_t record_header = 54;
constexpr std::uint16_t geo_keys = 34735;
constexpr std::uint16_t well_known_text = 2112;

/// The code in a GeoTIFF key directory: of a projected system, or else of a geographic one.
std::string system_of_keys(std::string_view keys)
{
  constexpr std::uint16_t projected = 3072;
  constexpr std::uint16_t geographic = 2048;
  constexpr std::uint16_t defined_by_user = 32767;
  constexpr std::size_t entry = 8;
  std::string found;
  for (std::size_t at = entry; at + entry <= keys.size(); at += entry) {
    auto const id = number_at<std::uint16_t>(keys.data() + at);
    auto const stored_elsewhere = number_at<std::uint16_t>(keys.data() + at + 2);
    auto const code = number_at<std::uint16_t>(keys.data() + at + 6);
    if (stored_elsewhere != 0 || code == 0 || code == defined_by_user) { continue; }
    if (id == projected) { return fmt::format("EPSG:{}", code); }
    if (id == geographic) { found = fmt::format("EPSG:{}", code); }
  }
  return found;
}

/// The unit in a GeoTIFF key directory: of a projected system.
std::string unit_of_keys(std::string_view keys)
{
  constexpr std::uint16_t linear_unit = 3076;
  constexpr std::size_t entry = 8;
  for (std::size_t at = entry; at + entry <= keys.size(); at += entry) {
    if (number_at<std::uint16_t>(keys.data() + at) != linear_unit) { continue; }
    switch (number_at<std::uint16_t>(keys.data() + at + 6)) {
      case 9001: return "m";
      case 9002: return "ft";
      case 9003: return "US survey ft";
      default: return {};
    }
  }
  return {};
}

/// The systems of UTM on the ellipsoids in use today: all are in metres.
std::string unit_of_system(std::string_view system)
{
  if (!system.starts_with("EPSG:")) { return {}; }
  auto const code = parse_number<std::uint32_t>(system.substr(5)).value_or(0);
  auto const within = [code](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
  bool const utm = within(32601, 32660) || within(32701, 32760) || within(25828, 25838) || within(26901, 26923);
  if (utm) { return "m"; }
  return code == 4326 || code == 4258 || code == 4269 ? "degrees" : "";
}

/// From the bracket at `open` to the one that closes it.
std::string_view within_brackets(std::string_view text, std::size_t open)
{
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '"') { quoted = !quoted; }
    if (quoted) { continue; }
    if (text[i] == '[') { ++depth; }
    if (text[i] == ']' && --depth == 0) { return text.substr(open, i - open + 1); }
  }
  return {};
}

/// The digits after "EPSG".
std::string code_in(std::string_view text)
{
  std::size_t at = text.find("EPSG");
  if (at == text.npos) { return {}; }
  std::string digits;
  for (at += 4; at < text.size() && text[at] != ']'; ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) != 0) { digits += text[at]; }
  }
  return digits;
}

/// The code of a system is the last of those within its brackets: the others are of its parts.
std::string system_of_text(std::string_view text)
{
  for (std::string_view const kind : {"PROJCS[", "PROJCRS[", "GEOGCS[", "GEOGCRS[", "GEODCRS["}) {
    std::size_t const at = text.find(kind);
    if (at == text.npos) { continue; }
    std::string_view const system = within_brackets(text, at + kind.size() - 1);
    std::size_t last = system.npos;
    for (std::string_view const name : {"AUTHORITY[", "ID["}) {
      std::size_t const found = system.rfind(name);
      if (found != system.npos && (last == system.npos || found > last)) { last = found; }
    }
    // Behind the code, only the system's own bracket closes.
    bool const own =
        last != system.npos &&
        within_brackets(system, system.find('[', last)).size() + 1 + system.find('[', last) >= system.size();
    if (own) {
      if (std::string const code = code_in(system.substr(last)); !code.empty()) { return "EPSG:" + code; }
    }
    std::size_t const quote = system.find('"');
    std::size_t const end = quote == system.npos ? system.npos : system.find('"', quote + 1);
    if (end != system.npos) { return std::string(system.substr(quote + 1, end - quote - 1)); }
  }
  return {};
}

/// The unit of a system is the last one within its brackets: those before it are of its parts.
std::string unit_of_text(std::string_view text)
{
  for (std::string_view const kind : {"PROJCS[", "PROJCRS[", "GEOGCS[", "GEOGCRS[", "GEODCRS["}) {
    std::size_t const at = text.find(kind);
    if (at == text.npos) { continue; }
    std::string_view const system = within_brackets(text, at + kind.size() - 1);
    std::size_t const unit = system.rfind("UNIT[\"");
    if (unit == system.npos) { return {}; }
    std::string_view const name = system.substr(unit + 6, system.find('"', unit + 6) - unit - 6);
    std::string const word = lower_case(std::string(name));
    if (word == "metre" || word == "meter" || word == "m") { return "m"; }
    if (word == "foot" || word == "ft" || word == "international foot") { return "ft"; }
    if (word.find("survey foot") != word.npos || word == "foot_us") { return "US survey ft"; }
    return word.starts_with("degree") ? "degrees" : "";
  }
  return {};
}

/// f(id, content) for the records that say something of the coordinate system.
template <class F>
void for_projection_records(std::string_view bytes, F const& f)
{
  if (!bytes.starts_with("LASF") || bytes.size() < record_count_at + 4) { return; }
  std::size_t at = number_at<std::uint16_t>(bytes.data() + header_size_at);
  auto const records = number_at<std::uint32_t>(bytes.data() + record_count_at);
  for (std::uint32_t record = 0; record < records && at + record_header <= bytes.size(); ++record) {
    std::string_view const user = bytes.substr(at + 2, 16);
    auto const id = number_at<std::uint16_t>(bytes.data() + at + 18);
    auto const length = number_at<std::uint16_t>(bytes.data() + at + 20);
    at += record_header;
    if (length > bytes.size() - at) { return; }
    if (user.starts_with("LASF_Projection")) { f(id, bytes.substr(at, length)); }
    at += length;
  }
}

}  // namespace

std::string las_coordinate_system(std::string_view bytes)
{
  std::string of_keys;
  std::string of_text;
  for_projection_records(bytes, [&](std::uint16_t id, std::string_view content) {
    if (id == well_known_text && of_text.empty()) { of_text = system_of_text(content); }
    if (id == geo_keys) { of_keys = system_of_keys(content); }
  });
  return of_text.empty() ? of_keys : of_text;
}

std::string las_unit(std::string_view bytes)
{
  std::string of_keys;
  std::string of_text;
  for_projection_records(bytes, [&](std::uint16_t id, std::string_view content) {
    if (id == well_known_text && of_text.empty()) { of_text = unit_of_text(content); }
    if (id == geo_keys) { of_keys = unit_of_keys(content); }
  });
  if (!of_text.empty()) { return of_text; }
  return of_keys.empty() ? unit_of_system(las_coordinate_system(bytes)) : of_keys;
}

}  // namespace slotscape::clouds
