#include "tests/app/clouds/las_files.hpp"

#include "tests/app/clouds/cloud_files.hpp"

#include <laszip_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace slotscape::clouds::test {

namespace {

constexpr std::array<std::uint16_t, 9> record_bytes{20, 28, 26, 34, 0, 0, 30, 36, 38};

bool has_colors(int format)
{
  return format == 2 || format == 3 || format == 7 || format == 8;
}

std::int32_t steps(double coordinate, double offset, double scale)
{
  return static_cast<std::int32_t>(std::lround((coordinate - offset) / scale));
}

std::string header_of(int format, std::size_t points, LasScale const& scale)
{
  bool const extended = format >= 6;
  std::uint16_t const size = extended ? 375 : 227;
  std::string header = "LASF" + std::string(20, '\0') + '\1' + static_cast<char>(extended ? 4 : 2);
  header += std::string(68, '\0') + raw(size) + raw(std::uint32_t{size}) + raw(std::uint32_t{0});
  header += static_cast<char>(format) + raw(record_bytes[static_cast<std::size_t>(format)]);
  header += raw(static_cast<std::uint32_t>(extended ? 0 : points)) + std::string(20, '\0');
  header += raw(scale.scale) + raw(scale.scale) + raw(scale.scale);
  header += raw(scale.offset.x) + raw(scale.offset.y) + raw(scale.offset.z) + std::string(48, '\0');
  if (extended) { header += std::string(20, '\0') + raw(std::uint64_t{points}) + std::string(120, '\0'); }
  return header;
}

/// Every call must succeed.
void expect(laszip_I32 failure)
{
  if (failure != 0) { throw std::runtime_error("LASzip could not write"); }
}

}  // namespace

std::string las_file(int format, std::vector<LasPoint> const& points, LasScale const& scale)
{
  std::string content = header_of(format, points.size(), scale);
  bool const extended = format >= 6;
  for (LasPoint const& point : points) {
    content +=
        raw(steps(point.at.x, scale.offset.x, scale.scale)) + raw(steps(point.at.y, scale.offset.y, scale.scale));
    content += raw(steps(point.at.z, scale.offset.z, scale.scale)) + raw(point.intensity);
    content += static_cast<char>(point.return_number);
    if (extended) { content += '\0'; }
    content += static_cast<char>(point.classification);
    content += std::string(extended ? 5 : 4, '\0');  // scan angle, user data, source
    if (format == 1 || format == 3 || extended) { content += raw(1.5); }
    for (std::uint16_t const part : point.color) {
      if (has_colors(format)) { content += raw(part); }
    }
    if (format == 8) { content += raw(std::uint16_t{7}); }  // near infrared
  }
  return content;
}

namespace {

/// chunk: its points, or 0 for as many as LASzip chooses. info: of COPC, if it is not empty.
std::string laz_file_in_chunks(int format, std::vector<LasPoint> const& points, LasScale const& scale, laszip_U32 chunk,
                               std::string const& info = {})
{
  bool const extended = format >= 6;
  std::ostringstream stream;
  laszip_POINTER laszip = nullptr;
  expect(laszip_create(&laszip));
  laszip_header* header = nullptr;
  laszip_point* record = nullptr;
  expect(laszip_get_header_pointer(laszip, &header));
  expect(laszip_get_point_pointer(laszip, &record));
  header->version_major = 1;
  header->version_minor = extended ? 4 : 2;
  header->header_size = extended ? 375 : 227;
  header->offset_to_point_data = header->header_size;
  header->point_data_format = static_cast<laszip_U8>(format);
  header->point_data_record_length = record_bytes[static_cast<std::size_t>(format)];
  header->number_of_point_records = extended ? 0 : static_cast<laszip_U32>(points.size());
  header->extended_number_of_point_records = extended ? points.size() : 0;
  header->x_scale_factor = header->y_scale_factor = header->z_scale_factor = scale.scale;
  header->x_offset = scale.offset.x;
  header->y_offset = scale.offset.y;
  header->z_offset = scale.offset.z;
  expect(laszip_request_native_extension(laszip, extended ? 1 : 0));
  if (chunk != 0) { expect(laszip_set_chunk_size(laszip, chunk)); }
  if (!info.empty()) {
    expect(laszip_add_vlr(laszip, "copc", 1, static_cast<laszip_U16>(info.size()), "",
                          reinterpret_cast<laszip_U8 const*>(info.data())));
  }
  expect(laszip_open_writer_stream(laszip, stream, 1, 0));
  for (LasPoint const& point : points) {
    record->X = steps(point.at.x, scale.offset.x, scale.scale);
    record->Y = steps(point.at.y, scale.offset.y, scale.scale);
    record->Z = steps(point.at.z, scale.offset.z, scale.scale);
    record->intensity = point.intensity;
    record->return_number = point.return_number & 7u;
    record->extended_return_number = point.return_number & 15u;
    record->classification = point.classification < 32 ? point.classification & 31u : 0;
    record->extended_classification = point.classification;
    for (std::size_t i = 0; i < point.color.size(); ++i) { record->rgb[i] = point.color[i]; }
    expect(laszip_write_point(laszip));
  }
  expect(laszip_close_writer(laszip));
  expect(laszip_destroy(laszip));
  return stream.str();
}

}  // namespace

std::string laz_file(int format, std::vector<LasPoint> const& points, LasScale const& scale, bool sizes_differ)
{
  return laz_file_in_chunks(format, points, scale, sizes_differ ? ~laszip_U32{0} : 0);
}

std::string copc_file(std::vector<std::vector<LasPoint>> const& levels, std::uint32_t node)
{
  constexpr std::size_t header = 375;
  constexpr std::size_t root_page = header + 54 + 40;
  std::vector<LasPoint> points;
  for (auto const& level : levels) { points.insert(points.end(), level.begin(), level.end()); }
  std::string file = laz_file_in_chunks(6, points, {}, node, std::string(160, '\0'));
  std::array<std::string, 2> pages;
  auto const add = [&](std::size_t page, std::int32_t level, std::int32_t x, std::uint64_t offset, std::int32_t bytes,
                       std::int32_t count) {
    pages.at(page) +=
        raw(level) + raw(x) + raw(std::int32_t{0}) + raw(std::int32_t{0}) + raw(offset) + raw(bytes) + raw(count);
  };
  for (std::size_t level = levels.size(); level-- > 0;) {  // readers may not rely on their order
    std::size_t before = 0;
    for (std::size_t i = 0; i != level; ++i) { before += levels[i].size(); }
    for (std::size_t first = 0; first < levels[level].size(); first += node) {
      auto const count = static_cast<std::int32_t>(std::min<std::size_t>(node, levels[level].size() - first));
      add(level == 0 ? 0 : 1, static_cast<std::int32_t>(level), static_cast<std::int32_t>(first / node),
          1000 + (before + first) / node, 1, count);
    }
  }
  std::uint64_t const second = file.size();
  file += pages[1];
  add(0, 1, 0, second, static_cast<std::int32_t>(pages[1].size()), -1);
  file.replace(root_page, 16, raw(std::uint64_t{file.size()}) + raw(std::uint64_t{pages[0].size()}));
  return file + pages[0];
}

std::string with_projection(std::string las, std::uint16_t id, std::string_view content)
{
  constexpr std::size_t header = 227;
  std::string user = "LASF_Projection";
  user.resize(16, '\0');
  std::string const record = raw(std::uint16_t{0}) + user + raw(id) + raw(static_cast<std::uint16_t>(content.size())) +
                             std::string(32, '\0') + std::string(content);
  las.replace(96, 4, raw(static_cast<std::uint32_t>(header + record.size())));
  las.replace(100, 4, raw(std::uint32_t{1}));
  return las.insert(header, record);
}

std::string with_keys(std::string las, std::vector<std::pair<std::uint16_t, std::uint16_t>> const& keys)
{
  std::string content = raw(std::uint16_t{1}) + raw(std::uint16_t{1}) + raw(std::uint16_t{0}) +
                        raw(static_cast<std::uint16_t>(keys.size()));
  for (auto const& [key, value] : keys) {
    content += raw(key) + raw(std::uint16_t{0}) + raw(std::uint16_t{1}) + raw(value);
  }
  return with_projection(std::move(las), 34735, content);
}

std::string with_text(std::string las, std::string_view text)
{
  return with_projection(std::move(las), 2112, text);
}

std::vector<LasPoint> las_points(std::vector<Position> const& positions)
{
  std::vector<LasPoint> points;
  points.reserve(positions.size());
  for (Position const& position : positions) {
    points.push_back({.at = position, .intensity = 0, .classification = 0, .return_number = 0, .color = {}});
  }
  return points;
}

}  // namespace slotscape::clouds::test
