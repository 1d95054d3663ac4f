#include "app/clouds/readers/las_coordinates.hpp"

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

}  // namespace

std::string las_coordinate_system(std::string_view bytes)
{
  if (!bytes.starts_with("LASF") || bytes.size() < record_count_at + 4) { return {}; }
  std::size_t at = number_at<std::uint16_t>(bytes.data() + header_size_at);
  auto const records = number_at<std::uint32_t>(bytes.data() + record_count_at);
  std::string of_keys;
  for (std::uint32_t record = 0; record < records && at + record_header <= bytes.size(); ++record) {
    std::string_view const user = bytes.substr(at + 2, 16);
    auto const id = number_at<std::uint16_t>(bytes.data() + at + 18);
    auto const length = number_at<std::uint16_t>(bytes.data() + at + 20);
    at += record_header;
    if (length > bytes.size() - at) { break; }
    std::string_view const content = bytes.substr(at, length);
    at += length;
    if (!user.starts_with("LASF_Projection")) { continue; }
    if (id == well_known_text) {
      if (std::string text = system_of_text(content); !text.empty()) { return text; }
    }
    if (id == geo_keys) { of_keys = system_of_keys(content); }
  }
  return of_keys;
}

}  // namespace slotscape::clouds
