#include "app/gl/context.hpp"
#include "app/gl/depth.hpp"
#include "app/gl/embedded.hpp"
#include "app/gl/image.hpp"
#include "app/gl/program.hpp"
#include "app/gl/texture.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/stb.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/paths.hpp"

#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace slotscape::gl {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using testing::Each;
using testing::HasSubstr;

class OffscreenTest : public testing::Test {
protected:
  std::unique_ptr<Context> context_ = open_offscreen({64, 48});
};

class ShadersFromFolder : public OffscreenTest {
protected:
  void SetUp() override
  {
    folder_.write("probe.vert", "void main() { gl_Position = vec4(0.0); }\n");
    folder_.write("probe.frag", "uniform float scale;\nout vec4 color;\nvoid main() { color = vec4(scale); }\n");
    setenv("SLOTSCAPE_SHADERS", folder_.path().c_str(), 1);
  }
  void TearDown() override { unsetenv("SLOTSCAPE_SHADERS"); }

  void edit_fragment(std::string const& content)
  {
    fs::path const file = folder_ / "probe.frag";
    auto const before = fs::last_write_time(file);
    folder_.write("probe.frag", content);
    fs::last_write_time(file, before + ++edits_ * std::chrono::seconds(1));
  }

  TemporaryFolder folder_;
  int edits_ = 0;
};

TEST_F(OffscreenTest, OpensWithoutADisplay)
{
  EXPECT_EQ(context_->size(), (Size{64, 48}));
  EXPECT_EQ(context_->window(), nullptr);
  EXPECT_FLOAT_EQ(context_->content_scale(), 1.0f);
  EXPECT_THAT(renderer_name(), HasSubstr("OpenGL "));
}

TEST_F(OffscreenTest, OpensAgainAfterwards)
{
  context_.reset();
  context_ = open_offscreen({16, 16});
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  EXPECT_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
}

TEST_F(OffscreenTest, RefusesImpossibleSizes)
{
  EXPECT_THROW(open_offscreen({0, 10}), Error);
  EXPECT_THROW(open_offscreen({10, 1 << 30}), Error);
}

TEST_F(OffscreenTest, ReadsThePixelsThatWereDrawn)
{
  glClearColor(1.0f, 0.2f, 0.0f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  context_->present();
  Image const image = read_pixels(context_->framebuffer(), 0, 0, 64, 48);
  ASSERT_EQ(image.pixels.size(), 64u * 48u * 4u);
  for (std::size_t i = 0; i < image.pixels.size(); i += 4) {
    ASSERT_THAT(std::vector(image.pixels.begin() + static_cast<std::ptrdiff_t>(i),
                            image.pixels.begin() + static_cast<std::ptrdiff_t>(i) + 4),
                testing::ElementsAre(255, 51, 0, 255));
  }
}

TEST_F(OffscreenTest, CountsRowsFromTheTop)
{
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(10, 48 - 5, 3, 5);  // OpenGL counts from the bottom: the top 5 rows
  glClearColor(1.0f, 1.0f, 1.0f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  EXPECT_THAT(read_pixels(context_->framebuffer(), 10, 0, 3, 5).pixels, Each(255));
  EXPECT_THAT(read_pixels(context_->framebuffer(), 10, 5, 3, 43).pixels, Each(0));

  Image const both = read_pixels(context_->framebuffer(), 10, 4, 1, 2);
  EXPECT_THAT(both.pixels, testing::ElementsAre(255, 255, 255, 255, 0, 0, 0, 0));
}

TEST(Image, SurvivesAPngFile)
{
  TemporaryFolder const folder;
  Image image{.width = 3, .height = 2, .pixels = {}};
  for (int i = 0; i < 24; ++i) { image.pixels.push_back(static_cast<std::uint8_t>(i * 10)); }
  fs::path const file = folder / "picture.png";
  write_png(file, image);

  int width = 0;
  int height = 0;
  int channels = 0;
  stbi_uc* const pixels = stbi_load(file.c_str(), &width, &height, &channels, 4);
  ASSERT_NE(pixels, nullptr) << stbi_failure_reason();
  EXPECT_EQ(width, 3);
  EXPECT_EQ(height, 2);
  EXPECT_EQ(channels, 4);
  EXPECT_EQ(std::vector(pixels, pixels + 24), image.pixels);
  stbi_image_free(pixels);
}

TEST(Image, SaysWhereItCannotBeWritten)
{
  Image const image{.width = 1, .height = 1, .pixels = {1, 2, 3, 4}};
  EXPECT_THAT(test::message_of<Error>([&] { write_png("/nowhere/picture.png", image); }),
              HasSubstr("/nowhere/picture.png"));
}

TEST_F(ShadersFromFolder, RefusesUniformsThatAreNotThere)
{
  Program const program("probe");
  EXPECT_GE(program.uniform("scale"), 0);
  EXPECT_THROW(program.uniform("no_such_uniform"), std::logic_error);
}

TEST_F(ShadersFromFolder, GivesTheCompilersLog)
{
  edit_fragment("void main() { no_such_function(); }\n");
  EXPECT_THAT(test::message_of<Error>([] { Program const program("probe"); }),
              AllOf(HasSubstr("probe.frag"), HasSubstr("no_such_function")));
}

TEST_F(ShadersFromFolder, PicksUpEditsAndKeepsWhatWorked)
{
  Program program("probe");
  edit_fragment("broken\n");
  EXPECT_THROW(program.reload_if_changed(), Error);
  EXPECT_NO_THROW(program.reload_if_changed()) << "the same edit is reported once";
  EXPECT_GE(program.uniform("scale"), 0);

  edit_fragment("uniform float other;\nout vec4 color;\nvoid main() { color = vec4(other); }\n");
  program.reload_if_changed();
  EXPECT_GE(program.uniform("other"), 0);
}

unsigned program_in_use(Program const& program)
{
  program.use();
  int name = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &name);
  return static_cast<unsigned>(name);
}

TEST_F(OffscreenTest, LinksEachProgramOnce)
{
  unsigned lines = 0;
  {
    Program const first("lines");
    Program const second("lines");
    lines = program_in_use(first);
    EXPECT_EQ(program_in_use(second), lines);
    EXPECT_NE(program_in_use(Program("points")), lines);
  }
  EXPECT_EQ(program_in_use(Program("lines")), lines) << "it is there as long as its context";
}

TEST_F(OffscreenTest, MoreTexelsThanATextureHoldsAreAnError)
{
  TexelTexture texture(four_words);
  EXPECT_THAT(test::message_of<Error>([&] { texture.show(0, std::uint64_t{1} << 40); }), HasSubstr("smaller"));
}

TEST(SoftwareRenderer, IsKnownByEachOfItsNames)
{
  for (char const* const name :
       {"llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe", "Microsoft Basic Render Driver", "Apple Software Renderer",
        "WebKit WebGL, ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
        "ANGLE (Mesa, llvmpipe (LLVM 15.0.6 256 bits), OpenGL 4.5)", "llvmpipe, or similar"}) {
    EXPECT_TRUE(is_software_renderer(name)) << name;
  }
  for (char const* const name : {"NVIDIA H100 80GB HBM3/PCIe/SSE2", "Mesa Intel(R) Xe Graphics (TGL GT2)",
                                 "WebKit WebGL, ANGLE (Apple, ANGLE Metal Renderer: Apple M1, Unspecified Version)"}) {
    EXPECT_FALSE(is_software_renderer(name)) << name;
  }
}

/// Contexts that the environment variable asks for.
class DialectTest : public testing::TestWithParam<char const*> {
protected:
  void SetUp() override { setenv("SLOTSCAPE_OPENGL", GetParam(), 1); }
  void TearDown() override { unsetenv("SLOTSCAPE_OPENGL"); }
};

TEST_P(DialectTest, EveryEmbeddedProgramLinks)
{
  auto const context = open_offscreen({64, 48});
  EXPECT_THAT(renderer_name(), HasSubstr(std::string_view(GetParam()) == "es" ? "OpenGL ES 3." : "OpenGL "));
  EXPECT_FALSE(DepthFromZero::is_native());
  for (char const* const name : {"slot_map", "drawn_models", "lines", "points", "voxels", "gui"}) {
    EXPECT_NO_THROW(Program{name}) << name;
  }
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

INSTANTIATE_TEST_SUITE_P(OpenGL, DialectTest, testing::Values("3.3", "es"));

/// Where shaders cannot read buffers.
TEST(CopiedTexels, ArriveHoweverManyThereAre)
{
  setenv("SLOTSCAPE_OPENGL", "es", 1);
  auto const context = open_offscreen({64, 48});
  unsetenv("SLOTSCAPE_OPENGL");
  ASSERT_FALSE(TexelTexture::reads_buffers());
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  TexelTexture texture(two_words);
  Program const program("drawn_models");
  GLuint framebuffer = 0;
  glGenFramebuffers(1, &framebuffer);
  for (std::uint32_t const count : {3u, 10'000u, 4096u, 300'000u, 1u}) {  // rows that are full, and that are not
    std::vector<std::uint32_t> words(std::size_t{2} * count);
    for (std::uint32_t i = 0; i < words.size(); ++i) { words[i] = i * 2'654'435'761u; }
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(words.size() * sizeof words[0]), words.data(),
                 GL_STREAM_DRAW);
    texture.show(buffer, count);
    program.use();
    texture.bind(program);
    glActiveTexture(GL_TEXTURE1);
    GLint name = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &name);
    glActiveTexture(GL_TEXTURE0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, static_cast<GLuint>(name), 0);
    auto const last = static_cast<GLint>(count - 1);
    std::array<std::uint32_t, 4> texel{};
    glReadPixels(last % 4096, last / 4096, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texel.data());
    EXPECT_EQ(texel[0], words[2 * count - 2]) << count;
    EXPECT_EQ(texel[1], words[2 * count - 1]) << count;
  }
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteBuffers(1, &buffer);
}

TEST(Dialect, AnUnknownOneIsRefused)
{
  setenv("SLOTSCAPE_OPENGL", "2.1", 1);
  EXPECT_THAT(test::message_of<Error>([] { open_offscreen({64, 48}); }), AllOf(HasSubstr("2.1"), HasSubstr("es")));
  unsetenv("SLOTSCAPE_OPENGL");
}

TEST_F(OffscreenTest, EveryEmbeddedProgramLinks)
{
  int programs = 0;
  for (std::string_view const name : embedded_names()) {
    if (!name.starts_with("shaders/") || !name.ends_with(".vert")) { continue; }
    EXPECT_NO_THROW(Program(std::string(name.substr(8, name.size() - 8 - 5)))) << name;
    ++programs;
  }
  EXPECT_GT(programs, 0);
}

TEST(Embedded, HoldsTheFontsAndShaders)
{
  auto const font = embedded("fonts/ui.ttf");
  EXPECT_GT(font.size(), 10'000u);
  EXPECT_EQ(std::to_integer<int>(font[1]), 1) << "TrueType starts with 00 01 00 00";
  EXPECT_THAT(std::string(embedded_text("shaders/slot_map.frag")), HasSubstr("void main()"));
}

TEST(Embedded, EqualsTheFileToTheByte)
{
  std::ifstream file(test::in_project("shaders/slot_map.frag"), std::ios::binary);
  std::string const content(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(embedded_text("shaders/slot_map.frag"), content);
}

TEST(Embedded, RefusesUnknownNames)
{
  EXPECT_THROW(embedded("shaders/no_such.frag"), std::logic_error);
}

}  // namespace
}  // namespace slotscape::gl
