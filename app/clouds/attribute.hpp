#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace slotscape::clouds {

/// The number types of PLY.
enum class NumberType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
std::size_t bytes_of(NumberType type);
std::string_view name_of(NumberType type);  ///< in the header of a PLY file: "uchar"

/// A number that a file stores for each point besides its position and normal: an intensity, a class, a colour channel.
/// Kept in the file's own type.
class Attribute {
public:
  Attribute(std::string name, NumberType type) : name_(std::move(name)), type_(type) {}

  std::string const& name() const { return name_; }
  NumberType type() const { return type_; }
  std::size_t count() const { return bytes_.size() / bytes_of(type_); }
  /// Integer types round the value and clamp it to their range; NaN becomes 0.
  void add(double value);
  double operator[](std::size_t index) const;
  Attribute named(std::string name) const;
  /// The values at these indices.
  Attribute at(std::span<std::uint64_t const> indices) const;
  /// The same values in the smallest of uint8, int32 and float64 that holds them all.
  Attribute narrowed() const;

private:
  std::string name_;
  NumberType type_;
  std::string bytes_;  ///< in native byte order
};

/// The index of the name that is meant: an exact match, otherwise one that differs only in case, otherwise one whose
/// plain form (`plain_name`) is `name`, as older versions saved it.
std::optional<std::size_t> place_of_name(std::span<std::string const> names, std::string_view name);
/// The attribute that is meant, matched in the same way; null if there is none.
Attribute const* find_attribute(std::span<Attribute const> attributes, std::string_view name);
/// The name or, if it is already used, "name_2", "name_3" and so on.
std::string unused_name(std::string const& name, std::set<std::string> const& used);

/// Appends a number to the content of a file, in native byte order.
void append_number(std::string& content, NumberType type, double value);

}  // namespace slotscape::clouds
