#pragma once

#include "app/base/json.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/watch/source.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slotscape::watch {

/// The files of a dump, and what is known of the table in them.
struct Dump {
  std::vector<std::filesystem::path> files;
  Json layout = Json::object();  ///< a description; what it leaves out is taken from the files
  std::string layout_name = {};  ///< of its file; empty: it has none
};

/// A table in files: a .npy array (with fields, or with columns), arrays of a .npz archive, or raw bytes. The array of
/// one file is called "slots"; those of an archive and of several files have their own names. Large files are mapped
/// and not loaded. A description may name "field" in place of the numbers that a .npy file tells, and may leave out
/// "key", "value" and "slots" where the file tells them. Throws Error that names the file and says what to do.
///
/// Loading them is reported; throws Cancelled.
std::unique_ptr<Source> open_dump(Dump const& dump, Progress const& progress = {});

/// Files that can be opened so, by their names.
bool is_dump(std::filesystem::path const& file);

}  // namespace slotscape::watch
