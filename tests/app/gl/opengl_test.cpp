// The program on the OpenGL of old machines and on that of browsers: the pictures are those of a new one.

#include "tests/app/support/stb.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace slotscape {
namespace {

/// Mesa then refuses what is newer; others ignore what is for Mesa.
constexpr char const* old_opengl =
    "SLOTSCAPE_OPENGL=3.3 MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330 "
    "MESA_EXTENSION_OVERRIDE='-GL_ARB_clip_control -GL_ARB_direct_state_access -GL_ARB_buffer_storage "
    "-GL_ARB_shader_storage_buffer_object -GL_ARB_texture_storage'";
constexpr char const* browsers_opengl = "SLOTSCAPE_OPENGL=es MESA_GLES_VERSION_OVERRIDE=3.0";

/// The number of one that may be used here.
int a_processor()
{
  cpu_set_t mine;
  CPU_ZERO(&mine);
  EXPECT_EQ(sched_getaffinity(0, sizeof(mine), &mine), 0);
  int number = 0;
  while (number + 1 < CPU_SETSIZE && !CPU_ISSET(number, &mine)) { ++number; }
  return number;
}

/// What is on the canvas of a scenario of the tour: 8-bit RGBA. With one thread: with several, keys that meet in a
/// table may change places.
std::vector<unsigned char> picture(std::string const& environment, std::string const& scenario)
{
  test::TemporaryFolder const folder;
  auto const file = folder / "picture.png";
  std::string const command = fmt::format(
      "{} taskset -c {} '{}' run '{}/assets/tour/{}.slotscape.json' --headless --backend cpu --frames 1 "
      "--slide-size 960x600 --slide '{}' > '{}'",
      environment, a_processor(), test::program(), test::in_project().string(), scenario, file.string(),
      (folder / "said.txt").string());
  EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(cert-env33-c): a test of its own program
  int width = 0;
  int height = 0;
  int channels = 0;
  stbi_uc* const pixels = stbi_load(file.c_str(), &width, &height, &channels, 4);
  if (pixels == nullptr) { return {}; }
  std::vector<unsigned char> all(pixels, pixels + std::size_t{4} * 960 * 600);
  stbi_image_free(pixels);
  return all;
}

class OpenGLOf : public testing::TestWithParam<char const*> {};

TEST_P(OpenGLOf, OldMachinesAndOfBrowsersDrawsTheSame)
{
  std::vector<unsigned char> const wanted = picture("", GetParam());
  ASSERT_FALSE(wanted.empty());
  EXPECT_TRUE(picture(old_opengl, GetParam()) == wanted);
  EXPECT_TRUE(picture(browsers_opengl, GetParam()) == wanted);
}

INSTANTIATE_TEST_SUITE_P(Tour, OpenGLOf, testing::Values("8-one-insert", "9-two-models", "12-a-turned-map"),
                         [](auto const& info) {
                           std::string const name = info.param;
                           return name.substr(name.rfind('-') + 1);
                         });

}  // namespace
}  // namespace slotscape
