#include "tests/app/clouds/cloud_files.hpp"

#include "tests/app/clouds/las_files.hpp"

#include <fmt/format.h>

namespace slotscape::clouds::test {

namespace {

std::string text_of(Position p, std::string_view separator = " ")
{
  return fmt::format("{:.4f}{}{:.4f}{}{:.4f}", p.x, separator, p.y, separator, p.z);
}

using Faces = std::vector<std::array<int, 3>>;

std::string ply_header(std::string_view format, std::size_t vertices, std::size_t faces)
{
  std::string const of_faces =
      faces == 0 ? "" : fmt::format("element face {}\nproperty list uchar int vertex_indices\n", faces);
  return fmt::format(
      "ply\nformat {} 1.0\ncomment made by a test\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nproperty uchar quality\nproperty list uchar short extra\n{}end_header\n",
      format, vertices, of_faces);
}

std::string ascii_ply(std::vector<Position> const& positions, Faces const& faces)
{
  std::string content = ply_header("ascii", positions.size(), faces.size());
  for (Position const& p : positions) { content += text_of(p) + " 7 2 -1 5\n"; }
  for (auto const& [a, b, c] : faces) { content += fmt::format("3 {} {} {}\n", a, b, c); }
  return content;
}

std::string binary_ply(std::vector<Position> const& positions, Faces const& faces, std::endian order)
{
  bool const little = order == std::endian::little;
  std::string content =
      ply_header(little ? "binary_little_endian" : "binary_big_endian", positions.size(), faces.size());
  for (Position const& p : positions) {
    content += raw(p.x, order) + raw(p.y, order) + raw(p.z, order) + '\7' + '\2';
    content += raw(std::int16_t{-1}, order) + raw(std::int16_t{5}, order);
  }
  for (auto const& face : faces) {
    content += '\3';
    for (int const corner : face) { content += raw(std::int32_t{corner}, order); }
  }
  return content;
}

std::string obj(std::vector<Position> const& positions, Faces const& faces)
{
  std::string content = "# a test\nmtllib none.mtl\no body\n" + lines_of(positions, "v ");
  for (auto const& [a, b, c] : faces) { content += fmt::format("f {} {}/1 {}\n", a + 1, b + 1, c - 4); }
  return content;
}

std::string off(std::vector<Position> const& positions, Faces const& faces)
{
  std::string content = fmt::format("OFF\n# a test\n{} {} 0\n{}", positions.size(), faces.size(), lines_of(positions));
  for (auto const& [a, b, c] : faces) { content += fmt::format("3 {} {} {} 255 0 0\n", a, b, c); }
  return content;
}

std::string ascii_stl(std::vector<Position> const& positions, Faces const& faces)
{
  std::string content = "solid test\n";
  for (auto const& [a, b, c] : faces) {
    content += "facet normal 0 0 0\nouter loop\n";
    for (int const i : {a, b, c}) { content += "vertex " + text_of(positions[static_cast<std::size_t>(i)]) + "\n"; }
    content += "endloop\nendfacet\n";
  }
  return content + "endsolid test\n";
}

std::string binary_stl(std::vector<Position> const& positions, Faces const& faces)
{
  std::string content = std::string(80, 's') + raw(static_cast<std::uint32_t>(faces.size()));
  for (auto const& face : faces) {
    content += raw(0.0f) + raw(0.0f) + raw(0.0f);
    for (int const i : face) {
      Vector const v = to_vector(positions[static_cast<std::size_t>(i)]);
      content += raw(v.x) + raw(v.y) + raw(v.z);
    }
    content += raw(std::uint16_t{0});
  }
  return content;
}

std::string pcd_header(std::string_view data, std::size_t points)
{
  return fmt::format(
      "# .PCD v0.7\nVERSION 0.7\nFIELDS rgb x y z\nSIZE 4 8 8 8\nTYPE U F F F\nCOUNT 2 1 1 1\nWIDTH {}\nHEIGHT 1\n"
      "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA {}\n",
      points, points, data);
}

std::string ascii_pcd(std::vector<Position> const& positions)
{
  return pcd_header("ascii", positions.size()) + lines_of(positions, "12 13 ");
}

std::string binary_pcd(std::vector<Position> const& positions)
{
  std::string content = pcd_header("binary", positions.size());
  for (Position const& p : positions) { content += raw(std::uint64_t{12}) + raw(p.x) + raw(p.y) + raw(p.z); }
  return content;
}

/// LZF of literal runs, but for the first field of zeros, which is one byte and a copy of it.
std::string compressed_pcd(std::vector<Position> const& positions)
{
  std::size_t const zeros = 8 * positions.size();
  std::string packed{'\0', '\0', '\xe0', static_cast<char>(zeros - 1 - 9), '\0'};
  std::string fields;
  for (double Position::*const axis : {&Position::x, &Position::y, &Position::z}) {
    for (Position const& p : positions) { fields += raw(p.*axis); }
  }
  for (std::size_t at = 0; at < fields.size(); at += 32) {
    std::string const run = fields.substr(at, 32);
    packed += static_cast<char>(run.size() - 1) + run;
  }
  return pcd_header("binary_compressed", positions.size()) + raw(static_cast<std::uint32_t>(packed.size())) +
         raw(static_cast<std::uint32_t>(zeros + fields.size())) + packed;
}

}  // namespace

std::string lines_of(std::vector<Position> const& positions, std::string_view prefix)
{
  std::string lines;
  for (Position const& p : positions) { lines += fmt::format("{}{}\n", prefix, text_of(p)); }
  return lines;
}

std::vector<NamedContent> files_of_meshes(Position at, bool inwards)
{
  std::vector<Position> const corners = tetrahedron(at);
  Faces faces(tetrahedron_faces.begin(), tetrahedron_faces.end());
  if (inwards) {
    for (auto& face : faces) { std::swap(face[1], face[2]); }
  }
  return {{"ascii.ply", ascii_ply(corners, faces)},
          {"little.ply", binary_ply(corners, faces, std::endian::little)},
          {"big.ply", binary_ply(corners, faces, std::endian::big)},
          {"text.obj", obj(corners, faces)},
          {"text.off", off(corners, faces)},
          {"ascii.stl", ascii_stl(corners, faces)},
          {"binary.stl", binary_stl(corners, faces)}};
}

std::vector<NamedContent> files_of_points(Position at)
{
  std::vector<Position> const points = tetrahedron(at);
  return {{"ascii.ply", ascii_ply(points, {})},
          {"little.ply", binary_ply(points, {}, std::endian::little)},
          {"big.ply", binary_ply(points, {}, std::endian::big)},
          {"text.obj", obj(points, {})},
          {"text.off", off(points, {})},
          {"text.xyz", lines_of(points)},
          {"ascii.pcd", ascii_pcd(points)},
          {"binary.pcd", binary_pcd(points)},
          {"compressed.pcd", compressed_pcd(points)},
          {"plain.las", las_file(1, las_points(points), {0.001, at})},
          {"extended.las", las_file(7, las_points(points), {0.001, at})},
          {"chunked.laz", laz_file(3, las_points(points), {0.001, at})},
          {"layered.laz", laz_file(7, las_points(points), {0.001, at})}};
}

}  // namespace slotscape::clouds::test
