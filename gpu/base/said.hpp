#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace slotscape {

/// Marks a text for the catalogue; its translation is looked up later.
constexpr char const* translatable(char const* text)
{
  return text;
}

/// A number or a name in a sentence.
struct SaidValue {
  std::string text;

  SaidValue(std::string name) : text(std::move(name)) {}
  SaidValue(std::uint64_t number) : text(std::to_string(number)) {}
};

/// Like `tr`, for headers that nvcc compiles: nvcc cannot check a text's placeholders against the values.
std::string said(char const* text, std::initializer_list<SaidValue> values = {});

}  // namespace slotscape
