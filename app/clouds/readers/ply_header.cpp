#include "app/clouds/readers/ply_header.hpp"

#include "app/clouds/readers/text.hpp"

#include <array>
#include <utility>

namespace slotscape::clouds::ply {

namespace {

std::optional<Type> type_in(std::string_view word)
{
  constexpr std::array<std::pair<std::string_view, Type>, 16> names{{{"char", Type::int8},
                                                                     {"int8", Type::int8},
                                                                     {"uchar", Type::uint8},
                                                                     {"uint8", Type::uint8},
                                                                     {"short", Type::int16},
                                                                     {"int16", Type::int16},
                                                                     {"ushort", Type::uint16},
                                                                     {"uint16", Type::uint16},
                                                                     {"int", Type::int32},
                                                                     {"int32", Type::int32},
                                                                     {"uint", Type::uint32},
                                                                     {"uint32", Type::uint32},
                                                                     {"float", Type::float32},
                                                                     {"float32", Type::float32},
                                                                     {"double", Type::float64},
                                                                     {"float64", Type::float64}}};
  for (auto const& [name, type] : names) {
    if (name == word) { return type; }
  }
  return std::nullopt;
}

class HeaderReader {
public:
  explicit HeaderReader(Source const& source) : source_(source), lines_(source) {}

  Header read()
  {
    if (trimmed(lines_.next().value_or("")) != "ply") {
      source_.fail("the file does not begin with 'ply'; correct its extension, or export it again");
    }
    while (auto const line = lines_.next()) {
      std::string_view rest = *line;
      std::string_view const keyword = next_word(rest);
      if (keyword == "end_header") { return finished(); }
      read_line(keyword, rest);
    }
    source_.fail("the file ends inside its header, at line {}, before 'end_header'; get a complete copy",
                 lines_.number());
  }

private:
  void read_line(std::string_view keyword, std::string_view rest)
  {
    if (keyword.empty() || keyword == "comment" || keyword == "obj_info") { return; }
    if (keyword == "format") {
      format_ = format_in(next_word(rest));
    } else if (keyword == "element") {
      header_.elements.push_back(element_in(rest));
    } else if (keyword == "property" && !header_.elements.empty()) {
      header_.elements.back().properties.push_back(property_in(rest));
    } else {
      wrong(keyword);
    }
  }

  [[noreturn]] void wrong(std::string_view word) const
  {
    source_.fail("line {}: unexpected {} in the PLY header; export the file again", lines_.number(), in_quotes(word));
  }

  Format format_in(std::string_view word) const
  {
    if (word == "ascii") { return Format::ascii; }
    if (word == "binary_little_endian") { return Format::little_endian; }
    if (word == "binary_big_endian") { return Format::big_endian; }
    wrong(word);
  }

  Element element_in(std::string_view rest) const
  {
    std::string_view const name = next_word(rest);
    std::string_view const number = next_word(rest);
    auto const count = count_in(number);
    if (!count) { wrong(number); }
    return {std::string(name), *count, {}};
  }

  Type type(std::string_view& rest) const
  {
    std::string_view const word = next_word(rest);
    auto const found = type_in(word);
    if (!found) { wrong(word); }
    return *found;
  }

  Property property_in(std::string_view rest) const
  {
    std::string_view list = rest;
    if (next_word(list) != "list") {
      Type const scalar = type(rest);
      return {std::string(next_word(rest)), scalar, {}};
    }
    Type const count = type(list);
    Type const item = type(list);
    if (count == Type::float32 || count == Type::float64) { wrong("list of float"); }
    return {std::string(next_word(list)), item, count};
  }

  Header finished()
  {
    if (!format_) { source_.fail("the header has no 'format' line; export the file again"); }
    header_.format = *format_;
    header_.bytes = lines_.offset();
    header_.lines = lines_.number();
    return std::move(header_);
  }

  Source const& source_;
  Lines lines_;
  std::optional<Format> format_;
  Header header_{};
};

}  // namespace

Header read_header(Source const& source)
{
  return HeaderReader(source).read();
}

}  // namespace slotscape::clouds::ply
