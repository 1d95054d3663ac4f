#include "app/pictures/orientation.hpp"
#include "app/pictures/picture_file.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/stb.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>

namespace slotscape::pictures {
namespace {

using matching::Picture;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string little(std::uint64_t number, int bytes)
{
  std::string text;
  for (int i = 0; i < bytes; ++i) { text += static_cast<char>(number >> (8 * i)); }
  return text;
}
std::string big(std::uint64_t number, int bytes)
{
  std::string const text = little(number, bytes);
  return {text.rbegin(), text.rend()};
}

/// Brighter to the right, and more so downwards.
Picture gradient(std::uint32_t width = 40, std::uint32_t height = 20)
{
  Picture picture{width, height, {}};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) { picture.pixels.push_back(static_cast<std::uint8_t>(2 * x + 7 * y)); }
  }
  return picture;
}

class PictureKinds : public testing::Test {
protected:
  OpenedPicture open(std::string const& content) const { return read_picture(folder_.write("picture", content)); }
  std::string refusal(std::string const& content) const
  {
    return message_of<Error>([&] { open(content); });
  }
  TemporaryFolder folder_;
};

/// --- BMP

std::string bmp_header(std::uint32_t width, std::int32_t height, int bits, int compression, std::string const& after)
{
  std::string const info = little(40, 4) + little(width, 4) + little(static_cast<std::uint32_t>(height), 4) +
                           little(1, 2) + little(static_cast<std::uint64_t>(bits), 2) +
                           little(static_cast<std::uint64_t>(compression), 4) + std::string(20, '\0') + after;
  return "BM" + little(0, 8) + little(14 + info.size(), 4) + info;
}

/// Greys as colours of so many bits: 16 are five for each colour.
std::string bmp_of(Picture const& picture, int bits, bool from_top)
{
  auto const height = static_cast<std::int32_t>(picture.height);
  std::string text = bmp_header(picture.width, from_top ? -height : height, bits, 0, "");
  for (std::uint32_t row = 0; row < picture.height; ++row) {
    std::uint32_t const y = from_top ? row : picture.height - 1 - row;
    std::string line;
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      std::uint64_t const grey = picture.pixels[y * picture.width + x];
      std::uint64_t const five = grey >> 3;
      line += bits == 16 ? little(five << 10 | five << 5 | five, 2) : little(grey * 0x010101u, bits / 8);
    }
    line.resize((line.size() + 3) / 4 * 4);
    text += line;
  }
  return text;
}

TEST_F(PictureKinds, BmpIsReadFromTheTopDownAndFromBelow)
{
  Picture const picture = gradient(41, 19);
  for (int const bits : {24, 32}) {
    for (bool const from_top : {false, true}) { EXPECT_EQ(open(bmp_of(picture, bits, from_top)).picture, picture); }
  }
  for (bool const from_top : {false, true}) {
    Picture const coarse = open(bmp_of(picture, 16, from_top)).picture;
    ASSERT_EQ(coarse.pixels.size(), picture.pixels.size());
    for (std::size_t i = 0; i < coarse.pixels.size(); ++i) {
      ASSERT_NEAR(coarse.pixels[i], picture.pixels[i], 8) << "five bits are left";
    }
  }
  std::string const whole = bmp_of(picture, 24, true);
  EXPECT_THAT(refusal(whole.substr(0, whole.size() - 10)), HasSubstr("damaged or incomplete"));
  EXPECT_THAT(refusal(bmp_header(16, std::numeric_limits<std::int32_t>::min(), 24, 0, "")),
              HasSubstr("not a readable picture"));
}

TEST_F(PictureKinds, ACompressedBmpIsRefused)
{
  std::string const pixels(64, '\x10');
  for (auto const& [bits, compression] : {std::pair{8, 1}, std::pair{4, 2}, std::pair{24, 4}}) {
    std::string const content = bmp_header(16, 16, bits, compression, std::string(1024, '\0')) + pixels;
    EXPECT_THAT(refusal(content), AllOf(HasSubstr("compressed BMP"), HasSubstr("PNG"))) << compression;
  }
}

/// --- EXIF

std::string exif(int orientation, bool is_big)
{
  auto const number = [&](std::uint64_t n, int bytes) { return is_big ? big(n, bytes) : little(n, bytes); };
  auto const entry = [&](std::uint64_t tag, std::uint64_t value) {
    return number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + number(0, 2);
  };
  return (is_big ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2) + entry(0x010a, 99) +
         entry(0x0112, static_cast<std::uint64_t>(orientation)) + number(0, 4);
}

std::string jpeg_of(Picture const& picture, std::string const& exif)
{
  std::string text;
  stbi_write_jpg_to_func(test::append, &text, static_cast<int>(picture.width), static_cast<int>(picture.height), 1,
                         picture.pixels.data(), 95);
  std::string const content = std::string("Exif\0\0", 6) + exif;
  return text.insert(2, "\xff\xe1" + big(content.size() + 2, 2) + content);
}

/// A chunk of a PNG file.
std::string chunk(std::string const& name, std::string const& content)
{
  std::string checked = name + content;
  auto* const bytes = reinterpret_cast<unsigned char*>(checked.data());
  return big(content.size(), 4) + checked + big(stbiw__crc32(bytes, static_cast<int>(checked.size())), 4);
}
/// Of grey samples, or of grey ones and alpha (kind 4), with other chunks before them.
std::string png_of(std::uint32_t width, std::uint32_t height, int bits, int kind, std::string const& samples,
                   std::string const& chunks)
{
  std::string rows;
  std::size_t const row = samples.size() / height;
  for (std::uint32_t y = 0; y < height; ++y) { rows += '\0' + samples.substr(y * row, row); }
  int packed_size = 0;
  auto* const bytes = reinterpret_cast<unsigned char*>(rows.data());
  unsigned char* const packed = stbi_zlib_compress(bytes, static_cast<int>(rows.size()), &packed_size, 8);
  std::string const data(reinterpret_cast<char const*>(packed), static_cast<std::size_t>(packed_size));
  std::free(packed);
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", big(width, 4) + big(height, 4) + static_cast<char>(bits) + static_cast<char>(kind) +
                           std::string(3, '\0')) +
         chunks + chunk("IDAT", data) + chunk("IEND", "");
}

/// Where the standard puts the first row and the first column of a stored picture.
struct Placed {
  char row;
  char column;
};
constexpr std::array<Placed, 8> placed{
    {{'t', 'l'}, {'t', 'r'}, {'b', 'r'}, {'b', 'l'}, {'l', 't'}, {'r', 't'}, {'r', 'b'}, {'l', 'b'}}};

Picture shown_as(Picture const& stored, int orientation)
{
  auto const [row_side, column_side] = placed.at(static_cast<std::size_t>(orientation - 1));
  bool const swaps = row_side == 'l' || row_side == 'r';
  Picture shown{swaps ? stored.height : stored.width, swaps ? stored.width : stored.height, {}};
  shown.pixels.resize(stored.pixels.size());
  for (std::uint32_t row = 0; row < stored.height; ++row) {
    for (std::uint32_t column = 0; column < stored.width; ++column) {
      std::uint32_t x = 0;
      std::uint32_t y = 0;
      for (auto const& [side, n] : {std::pair{row_side, row}, {column_side, column}}) {
        if (side == 'l') { x = n; }
        if (side == 'r') { x = shown.width - 1 - n; }
        if (side == 't') { y = n; }
        if (side == 'b') { y = shown.height - 1 - n; }
      }
      shown.pixels[y * shown.width + x] = stored.pixels[row * stored.width + column];
    }
  }
  return shown;
}

/// --- what stb_image trusts

/// With a DHT segment before its end, whose one table has this many codes of each length from 1 to 16.
std::string with_codes_of_each_length(std::string const& jpeg, int codes, std::size_t before)
{
  std::string const table = std::string(1, '\x13') + std::string(16, static_cast<char>(codes)) +
                            std::string(std::size_t{16} * static_cast<std::size_t>(codes), '\x01');
  std::string changed = jpeg;
  return changed.insert(before, "\xff\xc4" + big(2 + table.size(), 2) + table);
}

TEST_F(PictureKinds, JpegWithMoreCodesThanSymbolsIsDamaged)
{
  std::string const jpeg = jpeg_of(gradient(), "");
  std::size_t const frame = jpeg.find("\xff\xc0");
  std::size_t const end = jpeg.rfind("\xff\xd9");
  ASSERT_NE(frame, std::string::npos);
  for (std::size_t const before : {frame, end}) {
    EXPECT_EQ(open(with_codes_of_each_length(jpeg, 1, before)).picture.width, 40u) << before;
    for (int const codes : {17, 255}) {
      EXPECT_THAT(refusal(with_codes_of_each_length(jpeg, codes, before)), HasSubstr("damaged")) << before;
    }
  }
}

TEST_F(PictureKinds, PicturesAreShownAsExifSays)
{
  Picture const stored = gradient();
  std::string const samples(stored.pixels.begin(), stored.pixels.end());
  for (int orientation = 1; orientation <= 8; ++orientation) {
    SCOPED_TRACE(orientation);
    Picture const wanted = shown_as(stored, orientation);
    bool const is_big = orientation % 2 == 0;
    OpenedPicture const png = open(png_of(40, 20, 8, 0, samples, chunk("eXIf", exif(orientation, is_big))));
    EXPECT_EQ(png.picture, wanted);
    OpenedPicture const jpeg = open(jpeg_of(stored, exif(orientation, is_big)));
    ASSERT_EQ(jpeg.picture.width, wanted.width);
    ASSERT_EQ(jpeg.picture.height, wanted.height);
    for (std::size_t i = 0; i < wanted.pixels.size(); ++i) { ASSERT_NEAR(jpeg.picture.pixels[i], wanted.pixels[i], 8); }
    if (orientation == 1) {
      EXPECT_THAT(jpeg.findings, IsEmpty());
    } else {
      EXPECT_THAT(jpeg.findings, ElementsAre(HasSubstr("EXIF orientation (" + std::to_string(orientation) + ")")));
    }
  }
  for (int const invalid : {0, 9, 300}) { EXPECT_EQ(open(jpeg_of(stored, exif(invalid, false))).picture.width, 40u); }
  std::string const broken = exif(6, false).substr(0, 20);
  EXPECT_EQ(open(jpeg_of(stored, broken)).picture.width, 40u) << "the rest is missing";
  EXPECT_EQ(open(jpeg_of(stored, "II" + little(42, 2) + little(0xfffffff0u, 4))).picture.width, 40u);
}

/// --- depth

/// A grey of each pixel times a factor, in 16 bits.
std::string deep_samples(Picture const& picture, std::uint64_t factor)
{
  std::string samples;
  for (std::uint8_t const grey : picture.pixels) { samples += big(factor * grey, 2); }
  return samples;
}

TEST_F(PictureKinds, SamplesOf16BitsAreReadAtTheirOwnDepth)
{
  Picture picture = gradient();
  picture.pixels.back() = 255;
  auto const png = [&](std::uint64_t factor, std::string const& chunks) {
    return open(png_of(40, 20, 16, 0, deep_samples(picture, factor), chunks));
  };
  EXPECT_EQ(png(257, "").picture, picture);
  EXPECT_THAT(png(257, "").findings, IsEmpty());
  for (auto const& [bits, factor] : {std::pair{10, 4u}, {12, 16u}, {14, 64u}}) {
    OpenedPicture const opened = png(factor, "");
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
      ASSERT_NEAR(opened.picture.pixels[i], picture.pixels[i], 1) << bits;
    }
    EXPECT_THAT(opened.findings, ElementsAre(HasSubstr("Only " + std::to_string(bits) + " of its 16 bits")));
  }
  auto const said = [](char bits) { return chunk("sBIT", {bits}); };
  EXPECT_NEAR(png(2, said(9)).picture.pixels.back(), 255, 1) << "510 of 511";
  EXPECT_NEAR(png(4, said(12)).picture.pixels.back(), 64, 1) << "1020 of 4095: dark, and not of 10 bits";
  EXPECT_EQ(png(257, said(12)).picture, picture) << "shifted up, as the standard wants it";
  EXPECT_NEAR(png(32, said(12)).picture.pixels.back(), 32, 1) << "8160 of 65535: dark, and shifted up";
}

TEST_F(PictureKinds, AlphaAndOtherFormatsOf16BitsHaveTheirOwnDepth)
{
  Picture const picture = gradient();
  std::string with_alpha;
  std::string pgm = "P5 40 20 65535\n";
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    bool const is_clear = i % 3 == 0;
    with_alpha += big(16u * picture.pixels[i] + 15u, 2) + big(is_clear ? 0 : 65535, 2);
    pgm += big(16u * picture.pixels[i] + 15u, 2);
  }
  OpenedPicture const clear = open(png_of(40, 20, 16, 4, with_alpha, ""));
  OpenedPicture const grey = open(pgm);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    ASSERT_NEAR(clear.picture.pixels[i], i % 3 == 0 ? 255 : picture.pixels[i], 1);
    ASSERT_NEAR(grey.picture.pixels[i], picture.pixels[i], 1);
  }
  EXPECT_THAT(grey.findings, ElementsAre(HasSubstr("4,095 is white")));
  std::string black = "P5 16 16 65535\n" + std::string(512, '\0');
  EXPECT_EQ(open(black).picture.pixels, std::vector<std::uint8_t>(256, 0));
}

/// --- others

TEST_F(PictureKinds, WhatIsNotReadSaysWhatItIsAndWhatToDo)
{
  auto const rest = std::string(100, 'x');
  for (auto const& [begin, name] : {std::pair{std::string("II*\0", 4), "TIFF"},
                                    {std::string("MM\0*", 4), "TIFF"},
                                    {std::string("GIF89a"), "GIF"},
                                    {"RIFF" + little(100, 4) + "WEBP", "WebP"},
                                    {big(24, 4) + "ftypheic", "HEIC"},
                                    {std::string("8BPS"), "Photoshop"},
                                    {std::string("P4\n16 16\n"), "1-bit bitmap"}}) {
    EXPECT_THAT(refusal(begin + rest), AllOf(HasSubstr(name), HasSubstr("save the picture as PNG")));
  }
}

}  // namespace
}  // namespace slotscape::pictures
