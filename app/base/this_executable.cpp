#include "app/base/scenario_files.hpp"

#include <system_error>

namespace slotscape {

std::filesystem::path this_executable()
{
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown);
}

}  // namespace slotscape
