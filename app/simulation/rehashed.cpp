#include "app/simulation/rehashed.hpp"

#include <variant>

namespace slotscape {
namespace {

double count_of(Done const& one, Operation operation, double BatchRequest::*share)
{
  if (auto const* batch = std::get_if<BatchRequest>(&one)) { return static_cast<double>(batch->count) * batch->*share; }
  auto const* key = std::get_if<OnKey>(&one);
  if (key != nullptr) { return key->operation == operation ? 1.0 : 0.0; }
  auto const* keys = std::get_if<OnKeys>(&one);
  return keys != nullptr && keys->operation == operation ? static_cast<double>(keys->pairs.size()) : 0.0;
}

}  // namespace

bool lies_as_rehashed(std::vector<Done> const& done, std::uint64_t slots, std::uint64_t live)
{
  bool moved = false;
  bool has_gaps = false;  // erased keys have left gaps, which a rehash into the same number of slots closes
  double later = 0.0;
  for (Done const& one : done) {
    auto const* rehash = std::get_if<Rehash>(&one);
    bool const resizes = rehash != nullptr && rehash->slots != 0 && rehash->slots != slots;  // 0: a purge
    bool const moves = resizes || (rehash != nullptr && has_gaps);
    if (resizes) { slots = rehash->slots; }
    bool const is_cleared = std::holds_alternative<Clear>(one);
    has_gaps =
        rehash == nullptr && !is_cleared && (has_gaps || count_of(one, Operation::erase, &BatchRequest::erase) > 0.0);
    moved = moves || (moved && !is_cleared);
    later = moves ? 0.0 : later + count_of(one, Operation::insert, &BatchRequest::insert);
  }
  return moved && 2.0 * later < static_cast<double>(live);
}

}  // namespace slotscape
