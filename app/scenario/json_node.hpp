#pragma once

#include "app/files/json_file.hpp"
#include "app/scenario/names.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// One value of a JSON document and its path there ("steps[2].count"), which the errors of all members name together
/// with what would be right. The document must outlive it.
class JsonNode {
public:
  JsonNode(Json const& value, std::string document, std::string path = "");

  bool is_object() const { return value_->is_object(); }
  bool is_text() const { return value_->is_string(); }

  /// Throws where this is no object, or has a field of another name.
  void expect_fields(std::span<std::string_view const> names) const;
  void expect_fields(std::initializer_list<std::string_view> names) const;
  std::optional<JsonNode> find(std::string_view field) const;
  JsonNode at(std::string_view field) const;
  std::vector<JsonNode> elements() const;

  std::string text() const;
  bool flag() const;
  double number(double low, double high) const;
  double positive_number() const;
  std::uint64_t whole_number(std::uint64_t low, std::uint64_t high) const;
  std::uint64_t power_of_two(std::uint64_t low, std::uint64_t high) const;

  /// One of these numbers; `why` there are no others, for the error.
  std::uint32_t choice(std::span<std::uint32_t const> choices, std::string_view why = "") const;

  /// The index of this text among `names`; `what` is what they are names of.
  std::size_t one_of(std::span<std::string_view const> names, std::string_view what) const;
  template <class Enum>
  Enum one_of(std::string_view what) const
  {
    return enum_names<Enum>()[one_of(enum_texts<Enum>(), what)].value;
  }

  [[noreturn]] void fail(std::string_view what) const;
  /// "1000 is wrong: " and what would be right.
  [[noreturn]] void fail_with_value(std::string_view right) const;

private:
  Json const* value_;
  std::string document_;
  std::string path_;
};

}  // namespace slotscape
