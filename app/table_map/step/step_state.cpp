#include "app/table_map/step/step_state.hpp"

#include "gpu/tables/family.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace slotscape {
namespace {

/// Decimal, or hexadecimal after 0x.
template <class Number>
std::optional<Number> read_number(std::string_view text)
{
  bool const hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  std::string_view const digits = hexadecimal ? text.substr(2) : text;
  Number number = 0;
  auto const [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  bool const whole = error == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
  return whole ? std::optional(number) : std::nullopt;
}

std::string invalid_number(char const* what, std::string_view text, std::uint64_t largest)
{
  return fmt::format("The {} '{}' is invalid: enter a whole number from 0 to {} (or 0x…)", what, text, largest);
}

}  // namespace

std::string why_refused(OnKey const& operation, int key_bits)
{
  if (is_reserved(operation.key, key_bits)) {
    return fmt::format("key {} is reserved: no table of {}-bit keys can hold it", operation.key, key_bits);
  }
  if (operation.operation == Operation::insert && operation.value > largest_value(key_bits)) {
    return fmt::format("value {} is reserved: no table of {}-bit values can hold it", operation.value, key_bits);
  }
  return {};
}

TypedOperation typed_operation(StepState const& steps, int key_bits)
{
  bool const has_value = steps.operation == Operation::insert;
  auto const key = read_number<Key>(steps.key_text);
  auto const value = has_value ? read_number<Value>(steps.value_text) : std::optional(Value{0});
  TypedOperation typed{{steps.operation, key.value_or(0), value.value_or(0)}, {}};
  if (!key) {
    typed.error = invalid_number("key", steps.key_text, largest_key(key_bits));
  } else if (!value) {
    typed.error = invalid_number("value", steps.value_text, largest_value(key_bits));
  } else {
    typed.error = why_refused(typed.operation, key_bits);
  }
  return typed;
}

}  // namespace slotscape
