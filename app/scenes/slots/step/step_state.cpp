#include "app/scenes/slots/step/step_state.hpp"

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

template <class Number>
std::string no_number(char const* what, std::string_view text)
{
  return fmt::format("The {} '{}' is wrong: it must be a whole number from 0 to {} (or 0x…)", what, text,
                     std::numeric_limits<Number>::max());
}

}  // namespace

std::string why_refused(OnKey const& operation)
{
  if (is_reserved(operation.key)) { return fmt::format("key {} is reserved: no table holds it", operation.key); }
  if (operation.operation == Operation::insert && operation.value == empty_value) {
    return fmt::format("value {} is reserved: no table holds it", operation.value);
  }
  return {};
}

TypedOperation typed_operation(StepState const& steps)
{
  bool const has_value = steps.operation == Operation::insert;
  auto const key = read_number<Key>(steps.key_text);
  auto const value = has_value ? read_number<Value>(steps.value_text) : std::optional(Value{0});
  TypedOperation typed{{steps.operation, key.value_or(0), value.value_or(0)}, {}};
  if (!key) {
    typed.complaint = no_number<Key>("key", steps.key_text);
  } else if (!value) {
    typed.complaint = no_number<Value>("value", steps.value_text);
  } else {
    typed.complaint = why_refused(typed.operation);
  }
  return typed;
}

}  // namespace slotscape
