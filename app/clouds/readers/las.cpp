#include "app/base/text.hpp"
#include "app/clouds/colors.hpp"
#include "app/clouds/readers/copc.hpp"
#include "app/clouds/readers/las_coordinates.hpp"
#include "app/clouds/readers/las_header.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/sampling.hpp"
#include "gpu/base/translation.hpp"

#include <laszip_api.h>

#include <algorithm>
#include <istream>
#include <streambuf>

namespace slotscape::clouds {

namespace {

/// The bytes of a file as LASzip reads them. The stream ends where LASzip would misread damaged data.
class ByteBuffer final : public std::streambuf {
public:
  ByteBuffer(std::string_view bytes, las::Header const& header) : bytes_(bytes), header_(header)
  {
    char* const begin = const_cast<char*>(bytes.data());  // setg takes no const pointers; nothing is written
    setg(begin, begin, begin + bytes.size());
  }

protected:
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override
  {
    off_type const start = from == std::ios_base::beg   ? 0
                           : from == std::ios_base::cur ? gptr() - eback()
                                                        : egptr() - eback();
    off_type const size = egptr() - eback();
    if (offset < -start || offset > size - start) { return {off_type(-1)}; }
    setg(eback(), eback() + start + offset, egptr());
    return {start + offset};
  }
  pos_type seekpos(pos_type place, std::ios_base::openmode which) override
  {
    return seekoff(off_type(place), std::ios_base::beg, which);
  }
  std::streamsize xsgetn(char* to, std::streamsize count) override
  {
    auto const at = static_cast<std::size_t>(gptr() - eback());
    bool const sound = is_within(at, static_cast<std::size_t>(count)) && can_go_on(at, static_cast<std::size_t>(count));
    return sound ? std::streambuf::xsgetn(to, count) : 0;
  }

private:
  /// Reads larger than a number, of points and layers, must end where the points end. If LASzip fails to read the table
  /// that follows, it would otherwise take the next bytes for points.
  bool is_within(std::size_t at, std::size_t count) const
  {
    constexpr std::size_t of_a_number = 8;
    return count <= of_a_number || (at <= header_.end && count <= header_.end - at);
  }
  /// Without layers, only the first point of each chunk is read byte by byte; the decoder starts after it.
  bool can_go_on(std::size_t at, std::size_t count)
  {
    constexpr std::size_t of_table_place = 8;
    bool const of_points = header_.compressed && !header_.is_extended() && at >= header_.begin && at < header_.end;
    bool const is_place = at == header_.begin && count == of_table_place;
    if (!of_points || is_place) { return true; }
    bytes_of_point_ = (bytes_of_point_ + count) % header_.record_bytes;
    return bytes_of_point_ != 0 || las::Header::can_decode(bytes_, at + count);
  }

  std::string_view bytes_;
  las::Header const& header_;
  std::size_t bytes_of_point_ = 0;
};

/// Reads the points of a file in memory with LASzip. Each thread may have its own reader.
class PointReader {
public:
  PointReader(Source const& source, las::Header const& header)
      : source_(source), header_(header), buffer_(source.bytes, header), stream_(&buffer_)
  {
    laszip_BOOL compressed = 0;
    if (laszip_create(&laszip_) != 0) { throw std::bad_alloc(); }
    if (laszip_open_reader_stream(laszip_, stream_, &compressed) != 0 || (compressed != 0) != header.compressed ||
        laszip_get_point_pointer(laszip_, &point_) != 0) {
      std::string const why = reason();
      close();
      source.fail("it cannot be read: {}; get another copy, or export the file again", why);
    }
  }
  ~PointReader() { close(); }
  PointReader(PointReader const&) = delete;
  PointReader& operator=(PointReader const&) = delete;

  /// The number of the next point.
  std::uint64_t position() const { return read_; }
  /// Seeks to a point by its number, using the chunk table.
  void go_to(std::uint64_t number)
  {
    if (laszip_seek_point(laszip_, static_cast<laszip_I64>(number)) != 0) {
      source_.fail("point {} of {} cannot be read; the file is truncated or damaged: get another copy", number + 1,
                   header_.points);
    }
    read_ = number;
  }

  laszip_point const& next()
  {
    if (laszip_read_point(laszip_) != 0) {
      source_.fail("point {} of {} cannot be read; the file is truncated or damaged: get another copy", read_ + 1,
                   header_.points);
    }
    ++read_;
    return *point_;
  }

private:
  std::string reason() const
  {
    laszip_CHAR* text = nullptr;
    return laszip_get_error(laszip_, &text) == 0 && text != nullptr ? text : tr("unknown reason");
  }
  void close()
  {
    laszip_close_reader(laszip_);
    laszip_destroy(laszip_);
  }

  Source const& source_;
  las::Header const& header_;
  ByteBuffer buffer_;
  std::istream stream_;
  laszip_POINTER laszip_ = nullptr;
  laszip_point* point_ = nullptr;
  std::uint64_t read_ = 0;
};

/// The columns of a LAS file. Columns that are 0 in every point are left out: point formats have fields for quantities
/// that a scanner did not measure.
class LasColumns {
public:
  explicit LasColumns(las::Header const& header) : header_(header) {}

  void add(laszip_point const& point)
  {
    bool const extended = header_.is_extended();
    constexpr unsigned withheld_bit = 4;
    bool const is_withheld =
        extended ? (point.extended_classification_flags & withheld_bit) != 0 : point.withheld_flag != 0;
    withheld_ += is_withheld;
    intensity_.add(point.intensity);
    classification_.add(extended ? point.extended_classification : point.classification);
    return_number_.add(extended ? point.extended_return_number : point.return_number);
    if (!header_.has_colors()) { return; }
    for (std::size_t i = 0; i < color_.size(); ++i) { color_[i].add(point.rgb[i]); }
  }

  /// Notes on withheld points and skipped extra bytes.
  std::vector<std::string> notes() const
  {
    std::vector<std::string> notes;
    if (withheld_ > 0) {
      notes.push_back(
          tr("{} of {} points are marked as withheld, but were kept", grouped(withheld_), grouped(intensity_.count())));
    }
    if (header_.extra_bytes > 0) {
      notes.push_back(tr("Skipped the extra bytes of the points: {} each", header_.extra_bytes));
    }
    return notes;
  }

  std::vector<Attribute> attributes() &&
  {
    std::vector<Attribute> kept;
    for (Attribute* const column : {&intensity_, &classification_, &return_number_}) {
      if (largest(*column) > 0.0) { kept.push_back(std::move(*column)); }
    }
    if (std::ranges::all_of(color_, [](Attribute const& part) { return largest(part) == 0.0; })) { return kept; }
    double const scale = scale_to_bytes(std::array<Attribute const*, 3>{&color_[0], &color_[1], &color_[2]});
    for (Attribute const& part : color_) { kept.push_back(bytes_of_color(part, scale)); }
    return kept;
  }

private:
  static double largest(Attribute const& column)
  {
    double largest = 0.0;
    for (std::size_t i = 0; i < column.count(); ++i) { largest = std::max(largest, column[i]); }
    return largest;
  }
  /// Colours should have 16 bits, but many files store 8-bit values.
  static Attribute bytes_of_color(Attribute const& part, double scale)
  {
    Attribute bytes(part.name(), NumberType::uint8);
    for (std::size_t i = 0; i < part.count(); ++i) { bytes.add(scale * part[i]); }
    return bytes;
  }

  las::Header const& header_;
  std::uint64_t withheld_ = 0;
  Attribute intensity_{"intensity", NumberType::uint16};
  Attribute classification_{"classification", NumberType::uint8};
  Attribute return_number_{"return_number", NumberType::uint8};
  std::array<Attribute, 3> color_{Attribute{"red", NumberType::uint16}, Attribute{"green", NumberType::uint16},
                                  Attribute{"blue", NumberType::uint16}};
};

/// All points; of a COPC file, the nodes that meet the box to crop to or, if the file has too many points, the coarsest
/// levels.
las::CoarseLevels part_to_read(Source const& source, las::Header const& header)
{
  constexpr std::uint64_t most_for_laszip = 0xffffffff;  // limit of LASzip's seek, which takes 32 bits
  auto const& [limit, seed, box] = source.thinning;
  if (header.compressed && header.points <= most_for_laszip) {
    std::optional<las::CoarseLevels> part;
    if (box) {
      part = las::levels_in(*box, source, header.points);
    } else if (header.points > limit) {
      part = las::coarse_levels(source, header.points, limit);
    }
    if (part) { return *std::move(part); }
  }
  return {.runs = {{0, header.points}}, .points = header.points, .levels = 1, .of = 1};
}

/// Reads the points of a part that are in the box to crop to, if there is one.
class PartReader {
public:
  PartReader(Source const& source, las::Header const& header, las::CoarseLevels part)
      : source_(source), header_(header), part_(std::move(part)), shares_(source.thinning.crop ? 0.5 : 1.0)
  {
    if (source.thinning.crop) { count_inside(); }
  }

  /// The number of points in the box, or of all.
  std::uint64_t inside() const { return inside_; }
  las::CoarseLevels const& part() const { return part_; }

  Position place_of(laszip_point const& point) const
  {
    auto const along = [&](std::size_t axis, std::int32_t steps) {
      return header_.scale[axis] * steps + header_.offset[axis];
    };
    return {along(0, point.X), along(1, point.Y), along(2, point.Z)};
  }
  /// Calls `take` with each point, in the order of the file, until it returns false.
  void read(auto const& take)
  {
    PointReader reader(source_, header_);
    std::uint64_t number = 0;
    for (las::Run const& run : part_.runs) {
      if (!read(reader, run, number, 1.0 - shares_, take)) { return; }
    }
  }

private:
  /// Counts level by level, and leaves out the levels that are not needed for as many points as there may be.
  void count_inside()
  {
    PointReader reader(source_, header_);
    inside_ = 0;
    std::uint64_t number = 0;
    std::int32_t level = 0;
    for (; level != part_.levels && inside_ < source_.thinning.limit; ++level) {
      for (las::Run const& run : part_.runs) {
        if (run.level != level) { continue; }
        read(reader, run, number, 0.0, [&](laszip_point const&) { return ++inside_, true; });
      }
    }
    if (inside_ == 0) { source_.fail("the crop box contains none of its {} points; check the box", header_.points); }
    part_.levels = level;
    std::erase_if(part_.runs, [level](las::Run const& run) { return run.level >= level; });
    part_.points = number;
  }
  /// `number`: the position of the point among those read. Returns false if `take` did.
  bool read(PointReader& reader, las::Run const& run, std::uint64_t& number, double from, auto const& take) const
  {
    std::optional<Box> const& box = source_.thinning.crop;
    if (run.first != reader.position()) { reader.go_to(run.first); }
    for (std::uint64_t i = 0; i != run.count; ++i, ++number) {
      if (number % 65536 == 0) {
        double const share = from + shares_ * static_cast<double>(number) / static_cast<double>(part_.points);
        source_.reached(header_.begin +
                        static_cast<std::size_t>(share * static_cast<double>(header_.end - header_.begin)));
      }
      laszip_point const& point = reader.next();
      if (box && !box->contains(place_of(point))) { continue; }
      if (!take(point)) { return false; }
    }
    return true;
  }

  Source const& source_;
  las::Header const& header_;
  las::CoarseLevels part_;
  double shares_;  ///< share of the progress that one pass takes
  std::uint64_t inside_ = part_.points;
};

}  // namespace

Geometry read_las(Source const& source)
{
  las::Header const header = las::read_header(source);
  Geometry geometry;
  if (header.points == 0) { return geometry; }
  PartReader reader(source, header, part_to_read(source, header));
  las::CoarseLevels const& part = reader.part();
  std::uint64_t const kept = std::min(reader.inside(), source.thinning.limit);
  auto const number_of = [&](std::uint64_t i) { return thinned_index(i, reader.inside(), kept, source.thinning.seed); };
  LasColumns columns(header);
  std::uint64_t next = number_of(0);
  std::uint64_t number = 0;
  reader.read([&](laszip_point const& point) {
    if (number++ != next) { return true; }
    geometry.positions.push_back(reader.place_of(point));
    columns.add(point);
    if (geometry.positions.size() == kept) { return false; }
    next = number_of(geometry.positions.size());
    return true;
  });
  geometry.notes = columns.notes();
  if (part.levels < part.of) {
    geometry.notes.push_back(tr("Of the {} levels of its octree, the coarsest {} were read, with {} of {} points",
                                part.of, part.levels, grouped(part.points), grouped(header.points)));
  }
  geometry.attributes = std::move(columns).attributes();
  bool const is_cropped = source.thinning.crop.has_value();
  geometry.points_in_file = is_cropped ? reader.inside() : header.points;
  geometry.points_outside = header.points - geometry.points_in_file;
  geometry.system = las_coordinate_system(source.bytes);
  return geometry;
}

}  // namespace slotscape::clouds
