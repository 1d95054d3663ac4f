#include "app/clouds/attribute.hpp"

#include "app/base/alike.hpp"
#include "app/clouds/readers/column_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotscape::clouds {

namespace {

/// Calls `work` with a value of the C++ type that `type` stands for.
template <class Work>
auto with_number(NumberType type, Work work)
{
  switch (type) {
    case NumberType::int8: return work(std::int8_t{});
    case NumberType::uint8: return work(std::uint8_t{});
    case NumberType::int16: return work(std::int16_t{});
    case NumberType::uint16: return work(std::uint16_t{});
    case NumberType::int32: return work(std::int32_t{});
    case NumberType::uint32: return work(std::uint32_t{});
    case NumberType::float32: return work(float{});
    case NumberType::float64: break;
  }
  return work(double{});
}

template <class Number>
Number nearest(double value)
{
  if constexpr (std::is_integral_v<Number>) {
    using Limits = std::numeric_limits<Number>;
    if (std::isnan(value)) { return 0; }
    return static_cast<Number>(
        std::clamp(std::round(value), static_cast<double>(Limits::min()), static_cast<double>(Limits::max())));
  } else {
    return static_cast<Number>(value);
  }
}

template <class Number>
bool holds(double value)
{
  return static_cast<double>(nearest<Number>(value)) == value;
}

}  // namespace

std::size_t bytes_of(NumberType type)
{
  return with_number(type, [](auto number) { return sizeof(number); });
}

std::string_view name_of(NumberType type)
{
  constexpr std::array<std::string_view, 8> names{"char", "uchar", "short", "ushort", "int", "uint", "float", "double"};
  return names[static_cast<std::size_t>(type)];
}

void append_number(std::string& content, NumberType type, double value)
{
  with_number(type, [&](auto number) {
    number = nearest<decltype(number)>(value);
    std::array<char, sizeof(number)> raw;
    std::memcpy(raw.data(), &number, sizeof(number));
    content.append(raw.data(), raw.size());
  });
}

void Attribute::add(double value)
{
  append_number(bytes_, type_, value);
}

double Attribute::operator[](std::size_t index) const
{
  return with_number(type_, [&](auto number) {
    std::memcpy(&number, bytes_.data() + index * sizeof(number), sizeof(number));
    return static_cast<double>(number);
  });
}

Attribute Attribute::named(std::string name) const
{
  Attribute renamed = *this;
  renamed.name_ = std::move(name);
  return renamed;
}

Attribute Attribute::at(std::span<std::uint64_t const> indices) const
{
  Attribute chosen(name_, type_);
  std::size_t const size = bytes_of(type_);
  chosen.bytes_.reserve(indices.size() * size);
  for (std::uint64_t const index : indices) { chosen.bytes_.append(bytes_, index * size, size); }
  return chosen;
}

std::optional<std::size_t> place_of_name(std::span<std::string const> names, std::string_view name)
{
  auto const place = [&](auto const& means_it) -> std::optional<std::size_t> {
    auto const found = std::ranges::find_if(names, means_it);
    return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
  };
  auto found = place([&](std::string const& one) { return one == name; });
  if (!found) {
    found = place([&](std::string const& one) { return look_of(one) == look_of(name); });
  }
  if (!found) {
    found = place([&](std::string const& one) { return plain_name(one) == name; });
  }
  return found;
}

Attribute const* find_attribute(std::span<Attribute const> attributes, std::string_view name)
{
  std::vector<std::string> names;
  names.reserve(attributes.size());
  for (Attribute const& attribute : attributes) { names.push_back(attribute.name()); }
  auto const place = place_of_name(names, name);
  return place ? &attributes[*place] : nullptr;
}

std::string unused_name(std::string const& name, std::set<std::string> const& used)
{
  std::string unused = name;
  for (int number = 2; used.contains(unused); ++number) { unused = fmt::format("{}_{}", name, number); }
  return unused;
}

Attribute Attribute::narrowed() const
{
  bool bytes = true;
  bool whole = true;
  for (std::size_t i = 0; i < count() && whole; ++i) {
    bytes = bytes && holds<std::uint8_t>((*this)[i]);
    whole = holds<std::int32_t>((*this)[i]);
  }
  Attribute smaller(name_, bytes && whole ? NumberType::uint8 : whole ? NumberType::int32 : NumberType::float64);
  for (std::size_t i = 0; i < count(); ++i) { smaller.add((*this)[i]); }
  return smaller;
}

}  // namespace slotscape::clouds
