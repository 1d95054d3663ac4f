#include "app/base/scenario_files.hpp"

#include <windows.h>

#include <string>

namespace slotscape {

std::filesystem::path this_executable()
{
  constexpr std::size_t longest = 32768;
  std::wstring path(longest, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

}  // namespace slotscape
