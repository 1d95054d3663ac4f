#include "app/clouds/readers/off_header.hpp"

#include "app/base/text.hpp"

#include <algorithm>
#include <optional>

namespace slotscape::clouds {

namespace off {

namespace {

struct Keyword {
  Kind kind;
  std::string_view rest;  ///< digits directly after the keyword
};

/// Removes the letters from the front of the text.
bool take(std::string_view& text, std::string_view letters)
{
  if (!lower_case(text).starts_with(letters)) { return false; }
  text.remove_prefix(letters.size());
  return true;
}

std::optional<Keyword> keyword_in(std::string_view word)
{
  constexpr std::size_t longest_prefix = 6;
  std::size_t const at = lower_case(word.substr(0, longest_prefix + 3)).find("off");
  if (at == std::string::npos) { return std::nullopt; }
  std::string_view prefix = word.substr(0, at);
  Keyword keyword{{}, word.substr(at + 3)};
  if (!std::ranges::all_of(keyword.rest, [](char letter) { return letter >= '0' && letter <= '9'; })) {
    return std::nullopt;
  }
  bool const capital = word[at] == 'O';
  keyword.kind.texture = take(prefix, "st");
  keyword.kind.colors = take(prefix, "c");
  // "nOFF" has any number of dimensions, "NOFF" and "noff" have normals.
  if (!(prefix == "n" && capital)) { keyword.kind.normals = take(prefix, "n"); }
  keyword.kind.homogeneous = take(prefix, "4");
  keyword.kind.any_dimension = take(prefix, "n");
  return prefix.empty() ? std::optional(keyword) : std::nullopt;
}

Header counts_in(Source const& source, Lines const& lines, std::string_view text)
{
  auto const vertices = count_in(next_word(text));
  auto const faces = count_in(next_word(text));
  if (!vertices || !faces) {
    source.fail("line {}: expected the numbers of vertices and faces; export the file again", lines.number());
  }
  return {{}, *vertices, *faces};
}

void check_room(Source const& source, Lines const& lines, Header const& header)
{
  std::uint64_t const left = source.bytes.size() - lines.offset();
  constexpr std::uint64_t min_of_vertex = 5;
  constexpr std::uint64_t min_of_face = 1;
  if (header.vertices <= left / min_of_vertex + 1 && header.faces <= left / min_of_face + 1) { return; }
  source.fail("its header declares {} vertices and {} faces, but only {} bytes follow; get a complete copy",
              header.vertices, header.faces, left);
}

}  // namespace

std::string_view next_content(Lines& lines)
{
  while (auto const line = lines.next()) {
    std::string_view const text = trimmed(line->substr(0, line->find('#')));
    if (!text.empty()) { return text; }
  }
  return {};
}

Header read_header(Source const& source, Lines& lines)
{
  std::string_view const first = next_content(lines);
  std::string_view text = first;
  std::string_view const word = next_word(text);
  auto const keyword = keyword_in(word);
  if (!keyword && !count_in(word)) {
    source.fail("line {}: {} is not a variant of OFF; export the file as OFF, COFF, NOFF or CNOFF", lines.number(),
                in_quotes(word));
  }
  if (!keyword) { text = first; }
  if (keyword && lower_case(trimmed(text)) == "binary") {
    source.fail("binary OFF is not supported; export the file as text or as PLY");
  }
  if (keyword && !keyword->rest.empty()) {
    text = first.substr(static_cast<std::size_t>(keyword->rest.data() - first.data()));
  }
  if (keyword && keyword->kind.any_dimension) {
    std::string_view const dimension = trimmed(text).empty() ? next_content(lines) : trimmed(text);
    if (dimension != "3") {
      source.fail("its vertices have {} coordinates; export the file as OFF, with three", in_quotes(dimension));
    }
    text = {};
  }
  if (trimmed(text).empty()) { text = next_content(lines); }
  Header header = counts_in(source, lines, text);
  if (keyword) { header.kind = keyword->kind; }
  check_room(source, lines, header);
  return header;
}

}  // namespace off

bool has_off_keyword(std::string_view bytes)
{
  while (!bytes.empty()) {
    std::size_t const end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    std::string_view line = trimmed(bytes.substr(0, end));
    if (!line.empty() && line.front() != '#') { return off::keyword_in(next_word(line)).has_value(); }
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return false;
}

bool begins_with_off_counts(Source const& source)
{
  Lines lines(source);
  std::string_view text = off::next_content(lines);
  for (int i = 0; i < 3; ++i) {
    if (!count_in(next_word(text))) { return false; }
  }
  return trimmed(text).empty();
}

bool is_off_without_keyword(Source const& source)
{
  if (!begins_with_off_counts(source)) { return false; }
  Lines lines(source);
  std::string_view first = off::next_content(lines);
  std::uint64_t const vertices = count_in(next_word(first)).value_or(0);
  std::uint64_t const faces = count_in(next_word(first)).value_or(0);
  if (vertices < 3 || faces == 0) { return false; }
  for (std::uint64_t i = 0; i < vertices; ++i) {
    std::string_view text = off::next_content(lines);
    if (!three_numbers(text)) { return false; }
  }
  for (std::uint64_t i = 0; i < faces; ++i) {
    std::string_view text = off::next_content(lines);
    auto const corners = count_in(next_word(text));
    if (!corners || *corners == 0 || *corners > vertices) { return false; }
    for (std::uint64_t corner = 0; corner < *corners; ++corner) {
      auto const index = count_in(next_word(text));
      if (!index || *index >= vertices) { return false; }
    }
  }
  return off::next_content(lines).empty();
}

}  // namespace slotscape::clouds
