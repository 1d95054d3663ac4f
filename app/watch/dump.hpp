#pragma once

#include "app/base/json.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/watch/source.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slotscape::watch {

/// The files of a dump, and a description of the table in them.
struct Dump {
  std::vector<std::filesystem::path> files;
  Json layout = Json::object();  ///< a description; gaps are filled from the files
  std::string layout_name = {};  ///< the name of the description's file; empty if there is none
};

/// Opens a table in files: a .npy array (with fields, or with columns), arrays of a .npz archive, or raw bytes. The
/// array of a single file is called "slots"; those of an archive or of several files have their own names. Large files
/// are mapped, not loaded. A description may give "field" in place of the numbers that a .npy file contains, and may
/// leave out "key", "value" and "slots" if the files determine them. Throws Error naming the file and what to do.
///
/// Reports the progress of loading; throws Cancelled.
std::unique_ptr<Source> open_dump(Dump const& dump, Progress const& progress = {});

/// Whether `open_dump` can open the file, judging by its name.
bool is_dump(std::filesystem::path const& file);

}  // namespace slotscape::watch
