#pragma once

#include "app/clouds/geometry.hpp"
#include "app/clouds/readers/source.hpp"

/// One reader for each format of files. They check what is declared against the size of the file before they allocate,
/// and throw Error that says where the file is wrong, or Cancelled.
namespace slotscape::clouds {

/// Stanford polygons: ascii, binary of either byte order; properties and elements in any order.
Geometry read_ply(Source const& source);
/// Point Cloud Library: ascii, binary, binary_compressed.
Geometry read_pcd(Source const& source);
/// Lines of numbers: x y z, then normals where all that stands in columns 4 to 6 has the length 1.
Geometry read_xyz(Source const& source);
/// Wavefront: vertices, normals and faces; all else is passed over.
Geometry read_obj(Source const& source);
/// Object File Format, of text: OFF, COFF, NOFF, CNOFF.
Geometry read_off(Source const& source);
/// Stereolithography, of text or binary. Each triangle has its own three vertices.
Geometry read_stl(Source const& source);

/// Whether the file has the size that a binary STL of its number of triangles has.
bool is_binary_stl(std::string_view bytes);
/// Whether it is text that begins as an STL does.
bool is_text_stl(std::string_view bytes);

}  // namespace slotscape::clouds
