#include "app/watch/file_format.hpp"

#include "app/base/encoding.hpp"
#include "app/base/mapped_file.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace slotscape::watch {
namespace {

struct Format {
  std::string_view begins;
  std::string_view name;
};
constexpr std::array formats{
    Format{"\x89HDF\r\n", "HDF5"},
    Format{"PAR1", "Parquet"},
    Format{"ARROW1", "Arrow"},
    Format{"MATLAB 5.0", "MATLAB"},
    Format{"SQLite format 3", "SQLite"},
    Format{"\x1f\x8b\x08", "gzip"},
    Format{"\x28\xb5\x2f\xfd", "Zstandard"},
    Format{"\xfd"
           "7zXZ",
           "xz"},
    Format{"BZh9", "bzip2"},
    Format{"\x80\x04\x95", "pickle"},
    Format{"\x80\x05\x95", "pickle"},
    Format{"\x7f"
           "ELF",
           "ELF"},
};

/// Whether the bytes are lines of letters and digits. The memory of a table hardly ever is: it has zero bytes.
bool is_text(std::string_view bytes)
{
  constexpr std::size_t looked_at = 1u << 16;
  constexpr std::size_t longest_letter = 4;  // bytes of a character in UTF-8
  bool const is_cut = bytes.size() > looked_at;
  std::string_view text = bytes.substr(0, looked_at);
  for (std::size_t i = 1; is_cut && i < longest_letter && (text.back() & 0x80) != 0; ++i) { text.remove_suffix(1); }
  bool const is_plain = std::ranges::all_of(text, [](char letter) {
    auto const byte = static_cast<unsigned char>(letter);
    return byte >= 0x20 ? byte != 0x7f : letter == '\n' || letter == '\r' || letter == '\t';
  });
  bool const has_lines = text.find('\n') != std::string_view::npos || text.starts_with('{') || text.starts_with('[');
  return is_plain && has_lines && valid_text(text) == text;
}

}  // namespace

std::string other_format(std::span<std::byte const> bytes)
{
  std::string_view const content = characters_of(bytes);
  auto const known =
      std::ranges::find_if(formats, [&](Format const& each) { return content.starts_with(each.begins); });
  if (known != formats.end()) { return tr("a file in {} format", known->name); }
  return is_text(content) ? std::string(tr("a text file")) : std::string();
}

}  // namespace slotscape::watch
