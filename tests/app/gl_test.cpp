#include "app/gl/context.hpp"
#include "app/gl/embedded.hpp"
#include "app/gl/image.hpp"
#include "app/gl/program.hpp"
#include "gpu/base/error.hpp"
#include "slotscape_paths.hpp"
#include "tests/app/stb.hpp"
#include "tests/app/temporary_folder.hpp"

#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

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
    folder_.write("probe.vert", "#version 450 core\nvoid main() { gl_Position = vec4(0.0); }\n");
    folder_.write("probe.frag",
                  "#version 450 core\nuniform float scale;\nout vec4 color;\nvoid main() { color = vec4(scale); }\n");
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
  EXPECT_THAT(renderer_name(), HasSubstr("OpenGL 4."));
}

TEST_F(OffscreenTest, OpensAgainAfterwards)
{
  context_.reset();
  context_ = open_offscreen({16, 16});
  EXPECT_EQ(glCheckNamedFramebufferStatus(context_->framebuffer(), GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
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
  edit_fragment("#version 450 core\nvoid main() { no_such_function(); }\n");
  EXPECT_THAT(test::message_of<Error>([] { Program const program("probe"); }),
              AllOf(HasSubstr("probe.frag"), HasSubstr("no_such_function")));
}

TEST_F(ShadersFromFolder, PicksUpEditsAndKeepsWhatWorked)
{
  Program program("probe");
  edit_fragment("#version 450 core\nbroken\n");
  EXPECT_THROW(program.reload_if_changed(), Error);
  EXPECT_NO_THROW(program.reload_if_changed()) << "the same edit is reported once";
  EXPECT_GE(program.uniform("scale"), 0);

  edit_fragment("#version 450 core\nuniform float other;\nout vec4 color;\nvoid main() { color = vec4(other); }\n");
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
  EXPECT_THAT(std::string(embedded_text("shaders/slot_map.frag")), HasSubstr("#version 450"));
}

TEST(Embedded, EqualsTheFileToTheByte)
{
  std::ifstream file(SLOTSCAPE_SOURCE_DIR "/shaders/slot_map.frag", std::ios::binary);
  std::string const content(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(embedded_text("shaders/slot_map.frag"), content);
}

TEST(Embedded, RefusesUnknownNames)
{
  EXPECT_THROW(embedded("shaders/no_such.frag"), std::logic_error);
}

}  // namespace
}  // namespace slotscape::gl
