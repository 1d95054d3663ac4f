#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Where the project and its program lie. The paths are compiled into one small file (tests/CMakeLists.txt): whatever
/// includes this header is the same in every clone, so that ccache finds it.
namespace slotscape::test {

/// The path of a file or folder of the project; the project's folder itself without a name.
std::filesystem::path in_project(std::string_view name = {});
/// The program that was built.
std::string program();
/// The CUDA compiler; empty if the build has none.
std::string nvcc();
/// Include folders for code that the program writes for other libraries; empty if they are not here.
std::string cucollections_include();
std::string warpcore_include();

}  // namespace slotscape::test
