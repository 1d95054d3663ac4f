#include "app/widgets/drawing.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {
namespace {

/// In ImGui, the size of a font is the height of a line; in SVG, that of its em square. The ratio is the same for
/// Roboto and DejaVu Sans.
constexpr float em_share = 0.855f;
constexpr float ascent_share = 0.795f;

/// The attributes of a colour: fill="#5fb3f0" fill-opacity="0.5".
std::string paint(std::string_view attribute, ImU32 color)
{
  auto const channel = [color](int shift) { return (color >> shift) & 0xffu; };
  std::string text = fmt::format("{}=\"#{:02x}{:02x}{:02x}\"", attribute, channel(IM_COL32_R_SHIFT),
                                 channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT));
  if (channel(IM_COL32_A_SHIFT) != 0xffu) {
    text += fmt::format(" {}-opacity=\"{:.3g}\"", attribute, static_cast<double>(channel(IM_COL32_A_SHIFT)) / 255.0);
  }
  return text;
}

std::string rectangle(ImVec2 low, ImVec2 high, float rounding)
{
  return fmt::format(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" rx="{:.2f}")", low.x, low.y,
                     high.x - low.x, high.y - low.y, rounding);
}

std::string escaped(std::string_view text)
{
  std::string safe;
  for (char const character : text) {
    switch (character) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      default: safe += character;
    }
  }
  return safe;
}

}  // namespace

void Drawing::line(ImVec2 from, ImVec2 to, ImU32 color, float thickness)
{
  polyline(std::array{from, to}, color, thickness);
}

void ScreenDrawing::fill(ImVec2 low, ImVec2 high, ImU32 color, float rounding)
{
  list_.AddRectFilled(low, high, color, rounding);
}

void ScreenDrawing::frame(ImVec2 low, ImVec2 high, ImU32 color, float rounding, float thickness)
{
  list_.AddRect(low, high, color, rounding, 0, thickness);
}

void ScreenDrawing::polyline(std::span<ImVec2 const> points, ImU32 color, float thickness)
{
  list_.AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, thickness);
}

void ScreenDrawing::triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color)
{
  list_.AddTriangleFilled(a, b, c, color);
}

void ScreenDrawing::circle(ImVec2 center, float radius, ImU32 color, float thickness)
{
  list_.AddCircle(center, radius, color, 0, thickness);
}

void ScreenDrawing::disc(ImVec2 center, float radius, ImU32 color)
{
  list_.AddCircleFilled(center, radius, color);
}

void ScreenDrawing::text(ImVec2 at, float size, ImU32 color, std::string const& text, float wrap)
{
  if (size < 1.0f) { return; }  // no room; Dear ImGui does not support smaller sizes
  list_.AddText(font_, size, at, color, text.c_str(), nullptr, wrap);
}

void ScreenDrawing::clip(ImVec2 low, ImVec2 high)
{
  list_.PushClipRect(low, high, true);
}

void ScreenDrawing::unclip()
{
  list_.PopClipRect();
}

namespace {

std::string svg_head(float width, float height)
{
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"Roboto, 'DejaVu Sans', Arial, sans-serif\">\n",
      width, height);
}

}  // namespace

SvgDrawing::SvgDrawing(float width, float height, ImU32 background, ImFont* font)
    : content_(svg_head(width, height)), font_(font)
{
  fill({0.0f, 0.0f}, {width, height}, background, 0.0f);
}

void SvgDrawing::fill(ImVec2 low, ImVec2 high, ImU32 color, float rounding)
{
  content_ += fmt::format("{} {}/>\n", rectangle(low, high, rounding), paint("fill", color));
}

void SvgDrawing::frame(ImVec2 low, ImVec2 high, ImU32 color, float rounding, float thickness)
{
  content_ += fmt::format("{} fill=\"none\" {} stroke-width=\"{:.2f}\"/>\n", rectangle(low, high, rounding),
                          paint("stroke", color), thickness);
}

void SvgDrawing::polyline(std::span<ImVec2 const> points, ImU32 color, float thickness)
{
  std::string corners;
  for (ImVec2 const& point : points) { corners += fmt::format("{:.2f},{:.2f} ", point.x, point.y); }
  content_ += fmt::format("<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"{:.2f}\"/>\n", corners,
                          paint("stroke", color), thickness);
}

void SvgDrawing::triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color)
{
  content_ += fmt::format("<polygon points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" {}/>\n", a.x, a.y, b.x, b.y,
                          c.x, c.y, paint("fill", color));
}

void SvgDrawing::circle(ImVec2 center, float radius, ImU32 color, float thickness)
{
  content_ += fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:.2f}" fill="none" {} stroke-width="{:.2f}"/>)",
                          center.x, center.y, radius, paint("stroke", color), thickness) +
              "\n";
}

void SvgDrawing::disc(ImVec2 center, float radius, ImU32 color)
{
  content_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", center.x, center.y, radius,
                          paint("fill", color));
}

void SvgDrawing::text(ImVec2 at, float size, ImU32 color, std::string const& text, float wrap)
{
  char const* begin = text.data();
  char const* const end = begin + text.size();
  while (begin < end) {
    char const* line_end = wrap > 0.0f ? font_->CalcWordWrapPosition(size, begin, end, wrap) : end;
    if (line_end == begin) { ++line_end; }  // no room even for a single letter
    line_of_text(at, size, color, {begin, line_end});
    at.y += size;
    begin = line_end;
    while (begin < end && (*begin == ' ' || *begin == '\n')) { ++begin; }
  }
}

/// Writes the width, so that another font fits, too.
void SvgDrawing::line_of_text(ImVec2 at, float size, ImU32 color, std::string_view text)
{
  float const width = font_->CalcTextSizeA(size, FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x;
  content_ +=
      fmt::format(
          R"(<text x="{:.2f}" y="{:.2f}" font-size="{:.2f}" textLength="{:.2f}" lengthAdjust="spacingAndGlyphs" {}>{}</text>)",
          at.x, at.y + ascent_share * size, em_share * size, width, paint("fill", color), escaped(text)) +
      "\n";
}

void SvgDrawing::clip(ImVec2 low, ImVec2 high)
{
  content_ += fmt::format("<clipPath id=\"clip{0}\">{1}/></clipPath>\n<g clip-path=\"url(#clip{0})\">\n", ++clips_,
                          rectangle(low, high, 0.0f));
}

void SvgDrawing::unclip()
{
  content_ += "</g>\n";
}

std::string SvgDrawing::finished() const
{
  return content_ + "</svg>\n";
}

}  // namespace slotscape
