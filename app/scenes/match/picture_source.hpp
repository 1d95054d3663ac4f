#pragma once

#include "app/pictures/picture_file.hpp"
#include "app/scene/file_question.hpp"
#include "app/scenes/match/settings.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// --- pictures are identified by names: those of built-in pictures, or the paths of files, or of folders, whose
/// pictures are the frames of a video.

bool is_builtin_picture(std::string const& name);
std::vector<std::string_view> builtin_pictures();
/// The name of a picture as displayed.
std::string label_of_picture(std::string const& name);
/// The file formats of pictures.
FileKind pictures_kind();
/// The name of a built-in picture, or the absolute path of a file or folder. Throws Error if `word` is none of these.
std::string picture_named(std::string const& word);

/// The files of a video in order; otherwise, a single empty path. Throws Error.
Paths frames_of_picture(std::string const& name);
/// Reads a picture, or a frame of a video. Throws Error.
pictures::OpenedPicture load_picture(std::string const& name, std::filesystem::path const& frame);

/// A pose as a similarity that maps points of the original picture to points of the posed one.
matching::Similarity similarity_of(QueryPose const& pose, matching::Picture const& picture);
/// The inverse similarity.
matching::Similarity inverse_of(matching::Similarity const& similarity);
/// The picture in this pose.
matching::Picture posed(matching::Picture const& picture, QueryPose const& pose);

}  // namespace slotscape
