#include "app/table_map/step/step_state.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

std::string why_refused(OnKey const& operation, int key_bits)
{
  constexpr int narrow = 32;
  if (key_bits == narrow && operation.key >> narrow != 0 && operation.key >> 63 == 0) {  // no negative one
    return tr("key {} is too large: the table's keys have {} bits", operation.key, key_bits);
  }
  if (is_reserved(operation.key, key_bits)) {
    return tr("key {} is reserved: no table of {}-bit keys can hold it", operation.key, key_bits);
  }
  if (operation.operation == Operation::insert && operation.value > largest_value(key_bits)) {
    return tr("value {} is reserved: no table of {}-bit values can hold it", operation.value, key_bits);
  }
  return {};
}

}  // namespace slotscape
