#include "app/clouds/readers/las_header.hpp"
#include "gpu/base/translation.hpp"

#include <cmath>
#include <vector>

namespace slotscape::clouds::las {

namespace {

constexpr std::size_t vlr_bytes = 54;  ///< header size of a variable length record
constexpr char const* compression_record = translatable("the record of how its points are compressed");

/// The parts of a compressed record, as LASzip numbers them.
enum class Part : std::uint16_t {
  bytes = 0,
  point10 = 6,
  gps_time11 = 7,
  rgb12 = 8,
  wave_packet13 = 9,
  point14 = 10,
  rgb14 = 11,
  rgb_nir14 = 12,
  wave_packet14 = 13,
  bytes14 = 14,
};

std::vector<Part> parts_of(int format)
{
  switch (format) {
    case 0: return {Part::point10};
    case 1: return {Part::point10, Part::gps_time11};
    case 2: return {Part::point10, Part::rgb12};
    case 3: return {Part::point10, Part::gps_time11, Part::rgb12};
    case 4: return {Part::point10, Part::gps_time11, Part::wave_packet13};
    case 5: return {Part::point10, Part::gps_time11, Part::rgb12, Part::wave_packet13};
    case 6: return {Part::point14};
    case 7: return {Part::point14, Part::rgb14};
    case 8: return {Part::point14, Part::rgb_nir14};
    case 9: return {Part::point14, Part::wave_packet14};
    default: return {Part::point14, Part::rgb_nir14, Part::wave_packet14};
  }
}

/// Whether LASzip can decompress this version of a part. It misbehaves on others.
bool is_known(Part part, std::uint16_t version)
{
  switch (part) {
    case Part::wave_packet13: return version == 1;
    case Part::wave_packet14: return version == 3 || version == 4;
    default: return part < Part::point14 ? version == 1 || version == 2 : version >= 2 && version <= 4;
  }
}

/// The number of layers of a part in a layered chunk, each preceded by its size.
std::size_t layers_of(Part part, std::size_t bytes)
{
  switch (part) {
    case Part::point14: return 9;
    case Part::rgb_nir14: return 2;
    case Part::bytes14: return bytes;
    default: return 1;
  }
}

constexpr std::array<std::size_t, 11> min_record_bytes{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

class HeaderReader {
public:
  explicit HeaderReader(Source const& source) : source_(source) {}

  Header read()
  {
    require_bytes(227);
    check_version();
    header_.format = at<std::uint8_t>(104) & 0x3f;
    header_.record_bytes = at<std::uint16_t>(105);
    header_.begin = at<std::uint32_t>(96);
    header_.end = source_.bytes.size();
    header_.points = point_count();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      header_.scale[axis] = at<double>(131 + 8 * axis);
      header_.offset[axis] = at<double>(155 + 8 * axis);
    }
    check_layout();
    header_.extra_bytes = header_.record_bytes - min_record_bytes[static_cast<std::size_t>(header_.format)];
    check_coordinates();
    std::uint8_t const packing = at<std::uint8_t>(104) >> 6;
    if (packing == 1 || packing == 3) {
      source_.fail("its points are compressed with a method that is no longer in use; save it again as LAZ");
    }
    header_.compressed = packing != 0;
    if (header_.compressed) {
      check_compressed();
    } else {
      if (!laszip_records().empty()) { damaged(compression_record); }
      check_count();
    }
    return header_;
  }

private:
  template <class Number>
  Number at(std::size_t offset) const
  {
    return number_at<Number>(source_.bytes.data() + offset);
  }

  void require_bytes(std::size_t count) const
  {
    if (source_.bytes.size() < count) { source_.fail("the file ends inside its header; get a complete copy"); }
  }

  [[noreturn]] void damaged(char const* what) const
  {
    source_.fail("{} is damaged; get another copy, or export the file again", tr(what));
  }

  int minor() const { return at<std::uint8_t>(25); }

  void check_version() const
  {
    int const major = at<std::uint8_t>(24);
    if (major != 1 || minor() > 5) {
      source_.fail("LAS {}.{} is not supported; save it as LAS 1.4 or older", major, minor());
    }
  }

  /// Since LAS 1.4, 64-bit counts have a separate field.
  std::uint64_t point_count() const
  {
    constexpr std::size_t bytes_of_1_4 = 375;
    if (minor() >= 4) {
      require_bytes(bytes_of_1_4);
      if (auto const count = at<std::uint64_t>(247); count != 0) { return count; }
    }
    return at<std::uint32_t>(107);
  }

  void check_layout() const
  {
    constexpr std::array<std::size_t, 6> min_header_bytes{227, 227, 227, 235, 375, 393};
    auto const header_bytes = std::size_t{at<std::uint16_t>(94)};
    if (header_.format >= static_cast<int>(min_record_bytes.size())) {
      source_.fail("point format {} is unknown; save it with one of the formats 0 to 10", header_.format);
    }
    if (header_.record_bytes < min_record_bytes[static_cast<std::size_t>(header_.format)]) {
      source_.fail("its points have {} bytes, too few for point format {}; export the file again", header_.record_bytes,
                   header_.format);
    }
    if (header_bytes < min_header_bytes[static_cast<std::size_t>(minor())]) { damaged(translatable("its header")); }
    constexpr std::size_t largest_begin = 0x7fffffff;
    if (header_.begin < header_bytes || header_.begin > largest_begin) { damaged(translatable("its header")); }
    if (header_.begin > source_.bytes.size()) {
      source_.fail("its points begin at byte {}, but it has only {}; it may be truncated: get a complete copy",
                   header_.begin, source_.bytes.size());
    }
    if (at<std::uint32_t>(100) > (header_.begin - header_bytes) / vlr_bytes) {
      damaged(translatable("its list of records"));
    }
  }

  void check_coordinates() const
  {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bool const finite = std::isfinite(header_.scale[axis]) && std::isfinite(header_.offset[axis]);
      if (!finite || header_.scale[axis] == 0.0) {
        source_.fail(
            "its {} coordinates have scale {} and offset {}, so their positions cannot be computed; export the file "
            "again",
            "xyz"[axis], header_.scale[axis], header_.offset[axis]);
      }
    }
  }

  void check_count() const
  {
    std::uint64_t const room = (header_.end - header_.begin) / header_.record_bytes;
    if (header_.points > room) {
      source_.fail(
          "its header declares {} points of {} bytes, but only {} follow; it may be truncated: get a complete copy",
          header_.points, header_.record_bytes, room);
    }
  }

  struct Record {
    std::size_t content;  ///< offset of the record's content
    std::size_t bytes;
  };
  /// LASzip's own records. It reads all of them, even if the points are not compressed.
  std::vector<Record> laszip_records() const
  {
    std::vector<Record> records;
    std::size_t record = at<std::uint16_t>(94);
    for (std::uint32_t i = at<std::uint32_t>(100); i > 0 && header_.begin - record >= vlr_bytes; --i) {
      std::size_t const content = record + vlr_bytes;
      std::size_t const bytes = at<std::uint16_t>(record + 20);
      bool const of_laszip = source_.bytes.substr(record + 2, 15) == std::string_view("laszip encoded\0", 15);
      if (of_laszip && at<std::uint16_t>(record + 18) == 22204) { records.push_back({content, bytes}); }
      if (bytes > header_.begin - content) { break; }
      record = content + bytes;
    }
    return records;
  }

  /// Whether the record has exactly the size of its parts.
  bool is_whole(Record const& record) const
  {
    constexpr std::size_t without_parts = 34;
    constexpr std::size_t per_part = 6;
    return record.bytes >= without_parts && record.bytes <= header_.begin - record.content &&
           record.bytes == without_parts + per_part * at<std::uint16_t>(record.content + 32);
  }

  void check_compressed()
  {
    std::vector<Record> const records = laszip_records();
    if (records.size() != 1 || !is_whole(records.front())) { damaged(compression_record); }
    std::size_t const record = records.front().content;
    auto const compressor = at<std::uint16_t>(record);
    check_parts(record, compressor);
    // Even thousands of identical points are not compressed further than this.
    constexpr std::uint64_t max_points_per_byte = 4096;
    if (header_.points / max_points_per_byte > header_.end - header_.begin) {
      source_.fail(
          "its header declares {} points, which do not fit in {} bytes; it may be truncated: get a complete copy",
          header_.points, header_.end - header_.begin);
    }
    constexpr std::uint16_t pointwise = 1;  // compressed without chunks
    if (header_.points == 0 || compressor == pointwise) { return; }
    check_chunk_table(at<std::uint32_t>(record + 12));
    if (header_.is_extended()) { check_layers(); }
  }

  void check_parts(std::size_t record, std::uint16_t compressor)
  {
    std::vector<Part> expected = parts_of(header_.format);
    std::size_t const count = at<std::uint16_t>(record + 32);
    Part const extra = header_.is_extended() ? Part::bytes14 : Part::bytes;
    if (count == expected.size() + 1) { expected.push_back(extra); }
    bool const fits = header_.is_extended() ? compressor == 3 : compressor == 1 || compressor == 2;
    if (!fits || count != expected.size()) { damaged(compression_record); }
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t const part = record + 34 + 6 * i;
      bool const same = at<std::uint16_t>(part) == static_cast<std::uint16_t>(expected[i]);
      if (!same) { damaged(compression_record); }
      if (auto const version = at<std::uint16_t>(part + 4); !is_known(expected[i], version)) {
        source_.fail("part {} of its points uses compression version {}, which LASzip does not support: save it as LAS",
                     i + 1, version);
      }
      std::size_t const part_bytes = at<std::uint16_t>(part + 2);
      bytes += part_bytes;
      layers_ += layers_of(expected[i], part_bytes);
    }
    if (bytes != header_.record_bytes) { damaged(compression_record); }
  }

  /// The points begin with the offset of the chunk table; it is -1 if the offset is at the end of the file, and the
  /// offset of the points themselves if the program that wrote the file was interrupted.
  void check_chunk_table(std::uint32_t chunk_points)
  {
    constexpr std::size_t place_bytes = 8;
    constexpr std::size_t table_bytes = 8;  // size of the table without its entries
    std::size_t const size = source_.bytes.size();
    if (size - header_.begin < place_bytes) { source_.fail("the file ends before its points; get a complete copy"); }
    auto place = at<std::int64_t>(header_.begin);
    if (place == -1) { place = at<std::int64_t>(size - place_bytes); }
    bool const sizes_differ = chunk_points == 0 || chunk_points == 0xffffffffu;  // then the table has the sizes
    if (place == static_cast<std::int64_t>(header_.begin) && !sizes_differ) { return; }
    std::size_t const first_chunk = header_.begin + place_bytes;
    if (place < static_cast<std::int64_t>(first_chunk) || place > static_cast<std::int64_t>(size - table_bytes)) {
      source_.fail("its points should end at byte {}, but it has only {}; it may be truncated: get a complete copy",
                   place, size);
    }
    header_.end = static_cast<std::size_t>(place);
    auto const version = at<std::uint32_t>(header_.end);
    std::size_t const chunks = at<std::uint32_t>(header_.end + 4);
    // Each chunk begins with an uncompressed point.
    if (version != 0 || !Header::can_decode(source_.bytes, header_.end + table_bytes) || chunks == 0 ||
        chunks > (header_.end - first_chunk) / header_.record_bytes) {
      damaged(translatable("the table of its compressed points"));
    }
    // LASzip would read beyond the table to find points after the last chunk.
    std::string_view const table = source_.bytes.substr(header_.end + table_bytes);
    if (sizes_differ && las::points_in_chunks(table, chunks).value_or(0) < header_.points) {
      damaged(translatable("the table of its compressed points"));
    }
  }

  /// Layered chunks contain the sizes of their layers, which LASzip adds up in 32 bits. Reading stops before the first
  /// chunk whose sizes are impossible.
  void check_layers()
  {
    std::size_t chunk = header_.begin + 8;
    std::size_t const fixed = header_.record_bytes + sizeof(std::uint32_t) * (1 + layers_);
    while (header_.end - chunk >= fixed) {
      std::size_t const sizes = chunk + fixed - sizeof(std::uint32_t) * layers_;
      std::uint64_t bytes = fixed;
      bool sound = true;
      for (std::size_t i = 0; i < layers_ && sound; ++i) {
        std::uint64_t const layer = at<std::uint32_t>(sizes + sizeof(std::uint32_t) * i);
        sound =
            layer <= header_.end - chunk - bytes && (layer == 0 || Header::can_decode(source_.bytes, chunk + bytes));
        bytes += layer;
      }
      if (!sound) { break; }
      chunk += bytes;
    }
    if (chunk == header_.begin + 8) {
      source_.fail("its compressed points are truncated or damaged; get another copy");
    }
    header_.end = chunk;
  }

  Source const& source_;
  Header header_;
  std::size_t layers_ = 0;  ///< number of layers in a compressed chunk
};

}  // namespace

Header read_header(Source const& source)
{
  return HeaderReader(source).read();
}

}  // namespace slotscape::clouds::las
