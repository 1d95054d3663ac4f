#pragma once

#include "app/pictures/picture_file.hpp"
#include "app/scene/file_question.hpp"
#include "app/scenes/match/settings.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// --- pictures have names: those of built-in ones, and the paths of files and of folders, whose pictures are the
/// frames of a video.

bool is_builtin_picture(std::string const& name);
std::vector<std::string_view> builtin_pictures();
/// The display name.
std::string label_of_picture(std::string const& name);
/// The files that pictures can be read from.
FileKind pictures_kind();
/// The name of a built-in picture, or the absolute path of a file or folder. Throws Error if `word` is none of these.
std::string picture_named(std::string const& word);

/// The files of a video in order; a single empty path for anything else. Throws Error.
Paths frames_of_picture(std::string const& name);
/// Reads a picture, or a frame of a video. Throws Error.
pictures::OpenedPicture load_picture(std::string const& name, std::filesystem::path const& frame);

/// A pose as the similarity that takes a point of the picture before to a point of the picture after it.
matching::Similarity similarity_of(QueryPose const& pose, matching::Picture const& picture);
/// The similarity that takes its points back.
matching::Similarity inverse_of(matching::Similarity const& similarity);
/// The picture in this pose.
matching::Picture posed(matching::Picture const& picture, QueryPose const& pose);

}  // namespace slotscape
