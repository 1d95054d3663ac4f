#include "app/clouds/load_cloud.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/mapped_file.hpp"
#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <new>
#include <optional>
#include <set>
#include <system_error>

namespace slotscape::clouds {

namespace fs = std::filesystem;

namespace {

using Reader = Geometry (*)(Source const&);

struct FileFormat {
  std::string_view extension;
  Reader reader;
};
constexpr std::array formats{FileFormat{".ply", read_ply}, FileFormat{".obj", read_obj},
                             FileFormat{".stl", read_stl}, FileFormat{".off", read_off},
                             FileFormat{".pcd", read_pcd}, FileFormat{".las", read_las},
                             FileFormat{".laz", read_las}, FileFormat{".xyz", read_xyz},
                             FileFormat{".txt", read_xyz}, FileFormat{".csv", read_xyz},
                             FileFormat{".tsv", read_xyz}, FileFormat{".asc", read_xyz},
                             FileFormat{".pts", read_xyz}, FileFormat{".npy", read_npy_points}};

std::string read_bytes(fs::path const& file, Progress const& progress)
{
  std::string const name = file.string();
  std::error_code failure;
  fs::file_status const status = fs::status(file, failure);
  if (fs::is_directory(status)) { throw Error(tr("{}: this is a folder; choose a file in it", name)); }
  if (!fs::exists(status)) { throw Error(tr("{}: no such file; check the name", name)); }
  if (!fs::is_regular_file(status)) { throw Error(tr("{}: not a regular file; save the points to one", name)); }
  note_input(file);
  std::uintmax_t const size = fs::file_size(file, failure);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string bytes;
  if (in && !failure) { bytes.reserve(size); }
  constexpr std::size_t chunk = std::size_t{1} << 22;
  while (in) {
    std::size_t const before = bytes.size();
    bytes.resize(before + std::min<std::size_t>(chunk, size - std::min<std::uintmax_t>(before, size) + 1));
    in.read(bytes.data() + before, static_cast<std::streamsize>(bytes.size() - before));
    bytes.resize(before + static_cast<std::size_t>(in.gcount()));
    progress.require(0.1 * static_cast<double>(bytes.size()) / static_cast<double>(size + 1));
  }
  if (!in.is_open() || in.bad()) {
    std::string const why = errno == 0 ? tr("unknown reason") : std::generic_category().message(errno);
    throw Error(tr("{}: cannot be read: {}; check its permissions", name, why));
  }
  if (bytes.empty()) { throw Error(tr("{}: the file is empty; choose another", name)); }
  return bytes;
}

/// Maps a large LAS file, as only LAS files can be read in part.
std::optional<MappedFile> mapped_if_large(fs::path const& file)
{
  std::error_code failure;
  std::uintmax_t const size = fs::is_regular_file(file, failure) ? fs::file_size(file, failure) : 0;
  if (failure || size <= MappedFile::max_loaded) { return std::nullopt; }
  std::array<char, 4> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  if (std::string_view(start.data(), start.size()) != "LASF") { return std::nullopt; }
  return std::make_optional<MappedFile>(file);
}

bool is_npy(std::string_view bytes)
{
  return bytes.starts_with("\x93NUMPY");
}

bool is_pcd(std::string_view bytes)
{
  std::string_view const start = bytes.substr(0, 4096);
  return start.starts_with("# .PCD") || (start.find("FIELDS ") != start.npos && start.find("WIDTH ") != start.npos);
}

/// Chooses between OBJ and rows of numbers by the first meaningful lines.
Reader reader_of_text(Source const& source)
{
  constexpr std::array<std::string_view, 4> obj_data{"v", "vn", "vt", "f"};
  constexpr std::size_t lines_looked_at = 1000;
  constexpr std::size_t headings_at_most = 1;
  std::size_t headings = 0;
  Lines lines(source);
  while (auto line = lines.next()) {
    if (lines.number() > lines_looked_at) { break; }
    std::string_view rest = *line;
    std::string_view const word = next_word(rest, " \t\r\v\f,;");
    if (word.empty() || word.starts_with('#') || word.starts_with("//")) { continue; }
    if (std::ranges::find(obj_data, word) != obj_data.end()) { return read_obj; }
    if (number_in(word) && headings <= headings_at_most) { return read_xyz; }
    ++headings;
  }
  return nullptr;
}

Reader reader_by_ending(std::string const& name)
{
  std::string const extension = lower_case(fs::path(name).extension().string());
  auto const found = std::ranges::find(formats, extension, &FileFormat::extension);
  return found == formats.end() ? nullptr : found->reader;
}

/// Common formats that other programs can convert, recognised by the first bytes of a file.
struct ForeignFormat {
  std::string_view start;
  char const* name;
};
constexpr std::array foreign_formats{ForeignFormat{"ASTM-E57", translatable("an E57 file")},
                                     ForeignFormat{"CCB", translatable("a CloudCompare BIN file")},
                                     ForeignFormat{"glTF", translatable("a binary glTF file")},
                                     ForeignFormat{"Kaydara FBX", translatable("an FBX file")},
                                     ForeignFormat{"BLENDER", translatable("a Blender file")}};

void refuse_foreign(Source const& source)
{
  for (auto const& [start, name] : foreign_formats) {
    if (!source.bytes.starts_with(start)) { continue; }
    source.fail(
        "this is {}, which is not supported; save it as LAZ or PLY (points with CloudCompare, for instance, and meshes "
        "with Blender)",
        tr(name));
  }
}

Reader reader_of(Source const& source)
{
  refuse_foreign(source);
  std::string_view const bytes = source.bytes;
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r")) { return read_ply; }
  if (is_pcd(bytes)) { return read_pcd; }
  if (bytes.starts_with("LASF")) { return read_las; }
  if (is_npy(bytes)) { return read_npy_points; }
  if (is_binary_stl(bytes)) { return read_stl; }
  bool const text = bytes.find('\0') == std::string_view::npos;
  if (text && has_off_keyword(bytes)) { return read_off; }
  if (text && is_text_stl(bytes)) { return read_stl; }
  Reader const by_ending = reader_by_ending(source.name);
  bool const named_off = by_ending == read_off && begins_with_off_counts(source);
  if (text && (named_off || is_off_without_keyword(source))) { return read_off; }
  Reader const by_text = text ? reader_of_text(source) : nullptr;
  bool const text_format = by_ending == read_obj || by_ending == read_xyz || by_ending == read_off;
  if (by_text != nullptr) { return by_text; }
  if (by_ending != nullptr && (text || !text_format)) { return by_ending; }
  source.fail(
      "unknown format; supported formats are PLY, OBJ, STL, OFF, PCD, LAS, LAZ, NPY, and text with x y z on each line "
      "(XYZ, TXT, CSV)");
}

/// The axis that points upwards in most files of this kind: see `judge_surface`.
UpAxis usual_up(Reader reader, bool mesh)
{
  bool const of_graphics = reader == read_obj || (mesh && reader != read_stl);
  return of_graphics ? UpAxis::y : UpAxis::z;
}

PointCloud cloud_in(Source const& source, LoadSettings const& settings)
{
  Reader const reader = reader_of(source);
  Geometry const geometry = reader(source);
  source.progress.require(0.8);
  bool const mesh = geometry.polygons.count_of_faces() > 0;
  if (mesh && settings.crop) { source.fail("this is a mesh, and only point clouds can be cropped; leave out the box"); }
  PointCloud cloud = mesh ? cloud_of_mesh(geometry, source.name, settings, source.progress)
                          : cloud_of_points(geometry, source.name, settings, source.progress);
  cloud.up = usual_up(reader, mesh);
  cloud.system = geometry.system;
  std::string note = note_of_units(cloud.system);
  if (settings.unit == FileUnit::as_is) {
    if (!note.empty()) { cloud.notes.push_back(std::move(note)); }
    return cloud;
  }
  if (!note.empty()) { source.fail("its unit can be chosen only if all axes have the same one. {}", note); }
  convert_to_metres(cloud, settings.unit);
  return cloud;
}

/// Makes the names of attributes valid UTF-8 and unique.
void give_own_names(PointCloud& cloud)
{
  std::set<std::string> used;
  for (Attribute& attribute : cloud.attributes) {
    std::string const given = valid_text(attribute.name());
    std::string const name = unused_name(given, used);
    if (name != given) {
      cloud.notes.push_back(tr("Several columns are called '{}': one is renamed '{}' here", given, name));
    }
    used.insert(name);
    if (name != attribute.name()) { attribute = attribute.named(name); }
  }
}

void check(LoadSettings const& settings)
{
  if (settings.points >= 1 && settings.points <= spatial::max_points && settings.limit >= 1) { return; }
  throw Error(tr("cannot sample {} points; choose 1 to {}", settings.points, spatial::max_points));
}

}  // namespace

PointCloud load_cloud(fs::path const& file, LoadSettings const& settings, Progress const& progress)
{
  check(settings);
  std::string const name = file.string();
  try {
    std::optional<MappedFile> const mapped = mapped_if_large(file);
    std::string bytes = mapped ? std::string() : read_bytes(file, progress);
    bool const utf16 = bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
    if (utf16) { bytes = decoded(std::move(bytes)); }
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    std::string_view const content = mapped ? characters_of(mapped->bytes()) : bytes;
    Source const source{name,
                        content.substr(content.starts_with(byte_order_mark) ? byte_order_mark.size() : 0),
                        progress,
                        {settings.limit, settings.seed, settings.crop}};
    PointCloud cloud = cloud_in(source, settings);
    cloud.name = path_text(file.filename());
    give_own_names(cloud);
    progress.require(1.0);
    return cloud;
  } catch (std::bad_alloc const&) {
    throw Error(tr("{}: not enough memory; thin the file or close other programs", name));
  }
}

PointCloud open_cloud(std::string const& name_or_file, LoadSettings const& settings, Progress const& progress)
{
  check(settings);
  if (is_builtin(name_or_file) && settings.crop) {
    throw Error(tr("'{}' is a built-in shape, and only point clouds can be cropped; leave out the box", name_or_file));
  }
  if (is_builtin(name_or_file)) { return make_builtin(name_or_file, settings.points, settings.seed, progress); }
  std::error_code failure;
  bool const plain_word = name_or_file.find_first_of("./\\") == std::string::npos;
  if (plain_word && !fs::exists(name_or_file, failure)) {
    throw Error(
        tr("no file or built-in shape is named '{}'; {}", name_or_file, suggest(name_or_file, builtin_names())));
  }
  return load_cloud(name_or_file, settings, progress);
}

std::vector<std::string_view> cloud_file_extensions()
{
  std::vector<std::string_view> list;
  list.reserve(formats.size());
  for (FileFormat const& format : formats) { list.push_back(format.extension); }
  return list;
}

}  // namespace slotscape::clouds
