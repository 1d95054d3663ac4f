#include "app/scenes/match/picture_source.hpp"

#include "app/base/text.hpp"
#include "app/pictures/generated.hpp"
#include "app/pictures/transformed.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t disturbance_seed = 1;

/// The grey around a turned picture: in a dark or a pale picture, any other grey would make a stronger edge than those
/// inside.
std::uint8_t mean_of(matching::Picture const& picture)
{
  std::uint64_t const sum = std::accumulate(picture.pixels.begin(), picture.pixels.end(), std::uint64_t{0});
  return static_cast<std::uint8_t>(sum / std::max<std::size_t>(picture.pixels.size(), 1));
}

bool is_folder(fs::path const& path)
{
  std::error_code unreadable;
  return fs::is_directory(path, unreadable);
}

}  // namespace

bool is_builtin_picture(std::string const& name)
{
  return pictures::is_builtin(name);
}

std::vector<std::string_view> builtin_pictures()
{
  return {pictures::builtin_names().begin(), pictures::builtin_names().end()};
}

std::string label_of_picture(std::string const& name)
{
  if (is_builtin_picture(name)) { return name; }
  fs::path const path(name);
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

FileKind pictures_kind()
{
  return {"picture", pictures::picture_file_extensions()};
}

std::string picture_named(std::string const& word)
{
  if (is_builtin_picture(word)) { return word; }
  std::error_code unreadable;
  if (fs::exists(word, unreadable)) { return fs::absolute(word).lexically_normal().string(); }
  throw Error(tr("'{}' is neither a file, nor a folder, nor built in; {}", word, suggest(word, builtin_pictures())));
}

Paths frames_of_picture(std::string const& name)
{
  return !is_builtin_picture(name) && is_folder(name) ? pictures::frames_in(name) : Paths{{}};
}

pictures::OpenedPicture load_picture(std::string const& name, fs::path const& frame)
{
  if (!frame.empty()) { return pictures::read_picture(frame); }
  if (is_builtin_picture(name)) { return {pictures::make_builtin(name), {}}; }
  return pictures::read_picture(name);
}

matching::Similarity similarity_of(QueryPose const& pose, matching::Picture const& picture)
{
  pictures::Point const middle{picture.width / 2.0, picture.height / 2.0};
  matching::Similarity similarity{pose.turn, pose.scale, 0.0, 0.0};
  pictures::Point const moved = middle - pictures::in_reference(similarity, middle);
  similarity.shift_x = moved.x + pose.shift_x;
  similarity.shift_y = moved.y + pose.shift_y;
  return similarity;
}

matching::Similarity inverse_of(matching::Similarity const& similarity)
{
  matching::Similarity inverse{-similarity.rotation_degrees, 1.0 / similarity.scale, 0.0, 0.0};
  pictures::Point const shift = pictures::in_reference(inverse, {similarity.shift_x, similarity.shift_y});
  inverse.shift_x = -shift.x;
  inverse.shift_y = -shift.y;
  return inverse;
}

matching::Picture posed(matching::Picture const& picture, QueryPose const& pose)
{
  QueryPose undisturbed = pose;
  undisturbed.noise = undisturbed.occlusion = 0.0;
  matching::Picture shown = picture;
  if (undisturbed != QueryPose{}) {
    shown = pictures::transformed(picture, inverse_of(similarity_of(pose, picture)), picture.width, picture.height,
                                  mean_of(picture));
  }
  if (pose.occlusion > 0.0) { shown = pictures::with_occlusion(std::move(shown), pose.occlusion, disturbance_seed); }
  if (pose.noise > 0.0) { shown = pictures::with_noise(std::move(shown), pose.noise, disturbance_seed); }
  return shown;
}

}  // namespace slotscape
