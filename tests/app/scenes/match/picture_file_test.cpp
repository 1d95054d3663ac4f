#include "app/pictures/picture_file.hpp"

#include "app/gl/image.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/stb.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace slotscape::pictures {
namespace {

using matching::Picture;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Ne;

/// Brighter to the right and downwards.
Picture even_gradient(std::uint32_t width = 40, std::uint32_t height = 20)
{
  Picture picture{width, height, {}};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) { picture.pixels.push_back(static_cast<std::uint8_t>(4 * x + 2 * y)); }
  }
  return picture;
}

std::string png_of(Picture const& picture)
{
  std::string text;
  auto const width = static_cast<int>(picture.width);
  stbi_write_png_to_func(test::append, &text, width, static_cast<int>(picture.height), 1, picture.pixels.data(), width);
  return text;
}
std::string bmp_of(Picture const& picture)
{
  std::string text;
  stbi_write_bmp_to_func(test::append, &text, static_cast<int>(picture.width), static_cast<int>(picture.height), 1,
                         picture.pixels.data());
  return text;
}
std::string jpeg_of(Picture const& picture)
{
  std::string text;
  stbi_write_jpg_to_func(test::append, &text, static_cast<int>(picture.width), static_cast<int>(picture.height), 1,
                         picture.pixels.data(), 95);
  return text;
}
std::string pgm_of(Picture const& picture)
{
  std::string text = "P5\n# grey\n" + std::to_string(picture.width) + " " + std::to_string(picture.height) + "\n255\n";
  return text.append(picture.pixels.begin(), picture.pixels.end());
}

/// With parts of its pixels that have no byte before the first one and at the end.
std::string with_empty_parts(std::string png)
{
  std::string const empty("\0\0\0\0IDAT\x35\xaf\x06\x1e", 12);
  png.insert(png.find("IDAT") - 4, empty + empty);
  return png.insert(png.find("IEND") - 4, empty);
}

class PictureFile : public testing::Test {
protected:
  Picture read(std::string const& content, std::string const& name = "picture.png") const
  {
    return read_picture(folder_.write(name, content)).picture;
  }
  std::string refusal(std::string const& content) const
  {
    return message_of<Error>([&] { read(content, "broken.png"); });
  }
  TemporaryFolder folder_;
};

TEST_F(PictureFile, FormatsWithoutLossesAreReadExactly)
{
  Picture const picture = even_gradient();
  EXPECT_EQ(read(png_of(picture)), picture);
  EXPECT_EQ(read(with_empty_parts(png_of(picture))), picture);
  EXPECT_EQ(read(bmp_of(picture)), picture);
  EXPECT_EQ(read(pgm_of(picture)), picture);
  EXPECT_EQ(read(png_of(picture), "wrong.jpg"), picture) << "the content decides";
}

TEST_F(PictureFile, JpegIsReadNearlyExactly)
{
  Picture const picture = even_gradient();
  Picture const again = read(jpeg_of(picture));
  ASSERT_EQ(again.pixels.size(), picture.pixels.size());
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    ASSERT_LE(std::abs(int{again.pixels[i]} - int{picture.pixels[i]}), 6) << i;
  }
}

TEST_F(PictureFile, NetpbmIsReadAsTextAndWithWideOrColoredPixels)
{
  std::string plain = "P2 # text\n16 16\n# white is 50\n50\n";
  std::string wide = "P5 16 16 1000\n";
  std::string colored = "P6\n16 16\n255\n";
  for (int i = 0; i < 256; ++i) {
    plain += std::to_string(i % 51) + (i % 16 == 15 ? "\n" : " ");
    int const value = 1000 * (i % 11) / 10;
    wide += {static_cast<char>(value >> 8), static_cast<char>(value)};
    colored += {static_cast<char>(i), static_cast<char>(i), static_cast<char>(i)};
  }
  Picture const from_text = read(plain);
  EXPECT_EQ(from_text.pixels[0], 0);
  EXPECT_EQ(from_text.pixels[25], 128);
  EXPECT_EQ(from_text.pixels[50], 255);
  Picture const from_wide = read(wide);
  EXPECT_EQ(from_wide.pixels[10], 255);
  EXPECT_EQ(from_wide.pixels[5], 128);
  Picture const from_colors = read(colored);
  for (int i = 0; i < 256; ++i) { ASSERT_EQ(from_colors.pixels[static_cast<std::size_t>(i)], i); }
}

TEST_F(PictureFile, TransparentPixelsAreWhite)
{
  gl::Image image{.width = 16, .height = 16, .pixels = std::vector<std::uint8_t>(1024, 0)};
  image.pixels[4 + 3] = 255;
  image.pixels[8 + 3] = 128;
  gl::write_png(folder_ / "clear.png", image);
  Picture const picture = read_picture(folder_ / "clear.png").picture;
  EXPECT_EQ(picture.pixels[0], 255);
  EXPECT_EQ(picture.pixels[1], 0);
  EXPECT_EQ(picture.pixels[2], 127);
}

TEST_F(PictureFile, WhatIsNoPictureSaysWhatIsOne)
{
  EXPECT_THAT(refusal(""), AllOf(HasSubstr("broken.png"), HasSubstr("empty")));
  EXPECT_THAT(refusal("This is a letter."), AllOf(HasSubstr("broken.png"), HasSubstr("PNG, JPEG, BMP or PGM")));
  EXPECT_THAT(message_of<Error>([&] { read_picture(folder_ / "none.png"); }), HasSubstr("There is no file"));
  EXPECT_THAT(message_of<Error>([&] { read_picture(folder_.path()); }), HasSubstr("not a file"));
  EXPECT_THAT(message_of<Error>([] { read_picture("/dev/zero"); }), HasSubstr("not a file"));
}

TEST_F(PictureFile, TruncatedFilesAreRefused)
{
  Picture const picture = even_gradient(64, 64);
  for (std::string const& content : {png_of(picture), jpeg_of(picture), bmp_of(picture), pgm_of(picture)}) {
    EXPECT_THAT(refusal(content), Eq("nothing was thrown"));
    for (double const share : {0.95, 0.7, 0.5}) {
      auto const length = static_cast<std::size_t>(share * static_cast<double>(content.size()));
      EXPECT_THAT(refusal(content.substr(0, length)),
                  AllOf(HasSubstr("broken.png"), HasSubstr("damaged or incomplete")))
          << content.substr(0, 2) << " " << share;
    }
    constexpr std::size_t last_chunk_of_png = 12;  // has nothing in it
    for (std::size_t length = 1; length + last_chunk_of_png < content.size(); length += 29) {
      EXPECT_THAT(refusal(content.substr(0, length)), Ne("nothing was thrown"))
          << content.substr(0, 2) << " " << length;
    }
  }
}

TEST_F(PictureFile, SizesHaveLimits)
{
  EXPECT_THAT(refusal(png_of(even_gradient(15, 40))), AllOf(HasSubstr("15 × 40"), HasSubstr("at least 16 × 16")));
  EXPECT_THAT(refusal("P5 100000 100000 255\n"), AllOf(HasSubstr("100,000 × 100,000"), HasSubstr("scale it down")));
  std::string bomb = png_of(even_gradient());
  for (std::size_t const at : {16u, 20u}) { bomb.replace(at, 4, std::string("\0\0\xea\x60", 4)); }  // 60,000
  EXPECT_THAT(refusal(bomb), AllOf(HasSubstr("60,000 × 60,000"), HasSubstr("scale it down")));
  EXPECT_THAT(refusal("P5 99999999999999999999 16 255\n"), HasSubstr("damaged"));
  EXPECT_THAT(refusal("P5 -16 16 255\n"), HasSubstr("damaged"));
  EXPECT_THAT(refusal("P2 16 16 0\n"), HasSubstr("damaged"));
  EXPECT_THAT(refusal("P2 8000 8000 255\n1 2 3"), HasSubstr("damaged")) << "before memory is taken";
}

TEST_F(PictureFile, FramesAreInNaturalOrder)
{
  EXPECT_TRUE(naturally_before("frame 9.png", "frame 10.png"));
  EXPECT_FALSE(naturally_before("frame 10.png", "frame 9.png"));
  EXPECT_TRUE(naturally_before("a", "b"));
  EXPECT_TRUE(naturally_before("a", "a1"));
  EXPECT_TRUE(naturally_before("a2b10", "a2b11"));
  EXPECT_NE(naturally_before("a01", "a1"), naturally_before("a1", "a01")) << "an order of different names";
  EXPECT_FALSE(naturally_before("a1", "a1"));
  EXPECT_THAT(message_of<Error>([&] { frames_in(folder_.path()); }), HasSubstr("There are no pictures in the folder"));
  for (char const* const name : {"f10.png", "f9.png", "f1.JPG", "notes.txt"}) { folder_.write(name, "x"); }
  std::vector<std::string> names;
  for (auto const& frame : frames_in(folder_.path())) { names.push_back(frame.filename().string()); }
  EXPECT_THAT(names, ElementsAre("f1.JPG", "f9.png", "f10.png"));
  EXPECT_THAT(message_of<Error>([&] { frames_in(folder_ / "none"); }), HasSubstr("none"));
}

}  // namespace
}  // namespace slotscape::pictures
