#pragma once

#include "app/scene/entry.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// How files that were dropped together are used.
struct Drop {
  Paths scenarios;                         ///< scenario to open; at most one
  SceneEntry const* scene = nullptr;       ///< the scene that opens `files`; null if there are none
  Paths files;                             ///< at most as many as the scene opens together
  std::vector<std::string> left_out = {};  ///< the other files, each with the reason: "photos (a folder)"
};

/// Selects the files that the shown scene can use or, if it can use none, the first scene that opens any of the files.
Drop sort_dropped(Paths const& dropped, SceneEntry const& shown, SceneList scenes);

/// Whether a scene opens a file or a folder.
bool opens(SceneEntry const& entry, std::filesystem::path const& file);
/// "a.ply", "a.ply and b.ply", "a.ply, b.ply and c.ply"
std::string names_of(Paths const& files);
bool is_scenario(std::filesystem::path const& file);
bool is_folder(std::filesystem::path const& file);

}  // namespace slotscape
