#pragma once

#include <filesystem>
#include <string>

namespace slotscape {

/// A file as a document in `folder` names it: relative to the folder where it is in or under it, else as it is. An
/// empty folder is none.
std::string relative_name(std::string const& file, std::filesystem::path const& folder);

}  // namespace slotscape
