#include "app/base/text.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/clouds/mesh_parts.hpp"
#include "app/clouds/sampling.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace slotscape::clouds {

namespace {

Position corner_sum(std::vector<Position> const& places, std::array<std::uint32_t, 3> const& corners, double u,
                    double v)
{
  Position const& origin = places[corners[0]];
  return origin + u * (places[corners[1]] - origin) + v * (places[corners[2]] - origin);
}

/// A mesh scaled into the unit sphere, without degenerate triangles.
class Surface {
public:
  Surface(Geometry const& geometry, std::string const& name, PointCloud& cloud, Progress const& progress)
      : triangles_(triangulated(geometry, name, progress))
  {
    cloud.vertices = geometry.positions.size();
    cloud.triangles = triangles_.size();
    note_unused(geometry, cloud);
    leave_out_unusable(geometry, cloud);
    progress.require(0.82);
    cloud.frame = frame_of_used(geometry);
    for (Position const& position : geometry.positions) { places_.push_back(cloud.frame.local(position)); }
    progress.require(0.825);
    parts_.emplace(triangles_, places_, progress);
    if (parts_->copies() != 0) {
      cloud.notes.push_back(tr("Left out {} of {} triangles: they are duplicates", grouped(parts_->copies()),
                               grouped(triangles_.size() + parts_->copies() + parts_->walls_between())));
    }
    if (parts_->turned() != 0) {
      cloud.notes.push_back(tr("Flipped {} of {} triangles: their neighbours disagree about which side is outside",
                               grouped(parts_->turned()), grouped(triangles_.size())));
    }
    if (parts_->walls_between() != 0) {
      cloud.notes.push_back(tr("Left out {} triangles of walls between two solids", grouped(parts_->walls_between())));
    }
    if (parts_->ambiguous() != 0) {
      cloud.notes.push_back(
          tr("{} closed parts lie inside others, and their triangles do not say whether they are cavities or solids: "
             "they are treated as solids",
             grouped(parts_->ambiguous())));
    }
    leave_out_flat(cloud);
    if (triangles_.empty()) {
      throw Error(
          tr("{}: none of its {} triangles has finite corners and an area; export the file again, or delete "
             "its faces to use the points alone",
             name, cloud.triangles));
    }
    for (Vector const& normal : geometry.normals) {
      Position const direction = to_position(normal);
      normals_.push_back(usable(direction) ? normalized(direction) : Position{});
    }
    progress.require(0.84);
    turn_normals(cloud);
  }

  std::vector<double> const& areas() const { return areas_; }

  std::uint32_t polygon_of(TrianglePoint const& place) const { return triangles_[place.triangle].polygon; }

  std::uint32_t nearest_corner(TrianglePoint const& place) const
  {
    std::array<double, 3> const weights{1.0 - place.u - place.v, place.u, place.v};
    auto const largest = std::ranges::max_element(weights) - weights.begin();
    return triangles_[place.triangle].corners[static_cast<std::size_t>(largest)];
  }

  /// Whether the surface bounds nothing at this place: see `MeshParts::is_buried`.
  bool is_buried(TrianglePoint const& place) const
  {
    Triangle const& triangle = triangles_[place.triangle];
    return parts_->is_buried(corner_sum(places_, triangle.corners, place.u, place.v),
                             normalized(area_vector(triangle, places_)), triangle.part);
  }

  SurfacePoint at(TrianglePoint const& place) const
  {
    Triangle const& triangle = triangles_[place.triangle];
    constexpr double least_agreement = 0.25;  // almost a right angle
    Position const flat = front_ * normalized(area_vector(triangle, places_));
    Position const smooth = normals_.empty() ? Position{} : normals_outwards_ * corner_normal(triangle, place);
    double const smooth_length = length(smooth);
    bool const is_of_it = smooth_length > 1e-6 && dot(smooth, flat) > least_agreement * smooth_length;
    return {corner_sum(places_, triangle.corners, place.u, place.v), is_of_it ? (1.0 / smooth_length) * smooth : flat};
  }

private:
  /// Only the surface of a mesh is sampled, so anything that belongs to no face is lost.
  void note_unused(Geometry const& geometry, PointCloud& cloud) const
  {
    std::uint64_t const polygons = geometry.polygons.count();
    if (std::uint64_t const faces = geometry.polygons.count_of_faces(); faces < polygons) {
      cloud.notes.push_back(tr("Skipped {} of {} faces: they have fewer than three corners", grouped(polygons - faces),
                               grouped(polygons)));
    }
    std::vector<bool> const used = used_vertices(geometry);
    if (auto const unused = static_cast<std::uint64_t>(std::ranges::count(used, false)); unused > 0) {
      cloud.notes.push_back(
          tr("Skipped {} of {} vertices: they belong to no face", grouped(unused), grouped(used.size())));
    }
  }

  std::vector<bool> used_vertices(Geometry const& geometry) const
  {
    std::vector<bool> used(geometry.positions.size(), false);
    for (Triangle const& triangle : triangles_) {
      for (std::uint32_t const corner : triangle.corners) { used[corner] = true; }
    }
    return used;
  }

  void leave_out_unusable(Geometry const& geometry, PointCloud& cloud)
  {
    std::uint64_t const left_out = std::erase_if(triangles_, [&](Triangle const& triangle) {
      for (std::uint32_t const corner : triangle.corners) {
        if (!usable(geometry.positions[corner])) { return true; }
      }
      return false;
    });
    if (left_out > 0) {
      cloud.notes.push_back(tr("Skipped {} of {} triangles: the coordinates of their corners are not finite numbers",
                               grouped(left_out), grouped(cloud.triangles)));
    }
  }

  void leave_out_flat(PointCloud& cloud)
  {
    constexpr double smallest_area = 1e-20;
    std::uint64_t const left_out = std::erase_if(triangles_, [&](Triangle const& triangle) {
      double const area = 0.5 * length(area_vector(triangle, places_));
      if (area > smallest_area) { areas_.push_back(area); }
      return !(area > smallest_area);
    });
    if (left_out > 0) {
      cloud.notes.push_back(tr("Skipped {} of {} triangles: no area", grouped(left_out), grouped(cloud.triangles)));
    }
  }

  Frame frame_of_used(Geometry const& geometry) const
  {
    std::vector<bool> const used = used_vertices(geometry);
    std::vector<Position> positions;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (used[i]) { positions.push_back(geometry.positions[i]); }
    }
    return frame_of(positions);
  }

  Position corner_normal(Triangle const& triangle, TrianglePoint const& place) const
  {
    return corner_sum(normals_, triangle.normals, place.u, place.v);
  }

  /// The normals of a file may all face inwards. On an open surface, they tell which side is the front; normals that
  /// deviate far from those of the triangles are discarded.
  void turn_normals(PointCloud& cloud)
  {
    double area = 0.0;
    double agreement = 0.0;
    Position sum;
    for (Triangle const& triangle : triangles_) {
      Position const vector = area_vector(triangle, places_);
      area += length(vector);
      sum = sum + vector;
      if (!normals_.empty()) { agreement += dot(vector, corner_normal(triangle, {0, 1.0 / 3.0, 1.0 / 3.0})); }
    }
    bool const closed = length(sum) < opening_of_closed * area;
    if (closed && parts_->has_holes()) {
      cloud.notes_on_sides.emplace_back(tr("The mesh has holes: near them, inside and outside are a guess"));
    }
    constexpr double least_agreement = 0.5;
    if (!normals_.empty() && std::abs(agreement) < least_agreement * area) {
      normals_.clear();
      cloud.notes.emplace_back(
          tr("The file's normals contradict its faces: the normals of the faces are used instead"));
    }
    normals_outwards_ = closed && agreement < 0.0 ? -1.0 : 1.0;
    front_ = !closed && agreement < 0.0 ? -1.0 : 1.0;
    if (parts_->flipped() || (normals_outwards_ < 0.0 && !normals_.empty())) {
      cloud.notes.emplace_back(tr("Normals were flipped to point outwards"));
    }
  }

  std::vector<Triangle> triangles_;
  std::optional<MeshParts> parts_;
  std::vector<Position> places_;
  std::vector<Position> normals_;
  std::vector<double> areas_;
  double normals_outwards_ = 1.0;
  double front_ = 1.0;  ///< for an open surface: -1 if its triangles are wound against its normals
};

/// Vertex attributes take precedence over face attributes of the same name.
void add_face_attributes(Geometry const& geometry, std::vector<std::uint64_t> const& faces, PointCloud& cloud)
{
  std::vector<std::string> skipped;
  for (Attribute const& attribute : geometry.face_attributes) {
    if (std::ranges::find(geometry.attributes, attribute.name(), &Attribute::name) != geometry.attributes.end()) {
      skipped.push_back(attribute.name());
    } else {
      cloud.attributes.push_back(attribute.at(faces));
    }
  }
  if (skipped.empty()) { return; }
  cloud.notes.push_back(tr("Skipped {} of the faces: the vertices have their own", listed(skipped)));
}

/// Samples the parts of the surface that bound something; adds a note about the rest.
std::vector<TrianglePoint> samples_of(Surface const& surface, LoadSettings const& settings, PointCloud& cloud,
                                      Progress const& progress)
{
  auto const drawn = [&](std::uint64_t points) {
    std::vector<TrianglePoint> samples = sample_triangles(surface.areas(), points, settings.seed, progress);
    progress.require(0.87);
    std::erase_if(samples, [&](TrianglePoint const& place) { return surface.is_buried(place); });
    return samples;
  };
  std::vector<TrianglePoint> samples = drawn(settings.points);
  if (samples.size() == settings.points) { return samples; }
  double const share = static_cast<double>(samples.size()) / static_cast<double>(settings.points);
  cloud.notes.push_back(
      tr("Left out {} of the surface: it lies inside other closed parts of the mesh, where it bounds "
         "nothing",
         percent(1.0 - share)));
  constexpr double max_more = 8.0;
  samples = drawn(static_cast<std::uint64_t>(std::min(1.0 / share, max_more) * static_cast<double>(settings.points)));
  if (samples.size() <= settings.points) { return samples; }
  std::vector<TrianglePoint> kept;
  kept.reserve(settings.points);
  for (std::uint64_t const index : thinned(samples.size(), settings.points, settings.seed)) {
    kept.push_back(samples[index]);
  }
  return kept;
}

}  // namespace

PointCloud cloud_of_mesh(Geometry const& geometry, std::string const& name, LoadSettings const& settings,
                         Progress const& progress)
{
  PointCloud cloud;
  cloud.notes = geometry.notes;
  if (settings.ignore_outliers) {
    cloud.notes.emplace_back(tr("Did not look for outliers: the points of a mesh are samples of its faces"));
  }
  Surface const surface(geometry, name, cloud, progress);
  progress.require(0.85);
  cloud.positions.reserve(settings.points);
  cloud.originals.reserve(settings.points);
  cloud.normals.reserve(settings.points);
  cloud.normals_from_source = true;
  std::vector<std::uint64_t> corners;
  std::vector<std::uint64_t> faces;
  for (TrianglePoint const& place : samples_of(surface, settings, cloud, progress)) {
    SurfacePoint const point = surface.at(place);
    cloud.positions.push_back(to_vector(point.position));
    cloud.originals.push_back(cloud.frame.original(point.position));
    cloud.normals.push_back(to_vector(point.normal));
    if (!geometry.attributes.empty()) { corners.push_back(surface.nearest_corner(place)); }
    if (!geometry.face_attributes.empty()) { faces.push_back(surface.polygon_of(place)); }
    if (cloud.positions.size() % 65536 == 0) { progress.require(0.95); }
  }
  for (Attribute const& attribute : geometry.attributes) { cloud.attributes.push_back(attribute.at(corners)); }
  add_face_attributes(geometry, faces, cloud);
  return cloud;
}

}  // namespace slotscape::clouds
