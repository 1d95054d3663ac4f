#include "app/files/relative_name.hpp"

namespace slotscape {

namespace fs = std::filesystem;

std::string relative_name(std::string const& file, fs::path const& folder)
{
  if (folder.empty()) { return file; }
  fs::path const relative = fs::path(file).lexically_relative(fs::absolute(folder).lexically_normal());
  bool const inside = !relative.empty() && *relative.begin() != "..";
  return inside ? relative.string() : file;
}

}  // namespace slotscape
