#include "app/simulation/rehashed.hpp"

#include <variant>

namespace slotscape {
namespace {

double inserts_of(Done const& one)
{
  if (auto const* batch = std::get_if<BatchRequest>(&one)) { return static_cast<double>(batch->count) * batch->insert; }
  auto const* key = std::get_if<OnKey>(&one);
  if (key != nullptr) { return key->operation == Operation::insert ? 1.0 : 0.0; }
  auto const* keys = std::get_if<OnKeys>(&one);
  return keys != nullptr && keys->operation == Operation::insert ? static_cast<double>(keys->pairs.size()) : 0.0;
}

}  // namespace

bool lies_as_rehashed(std::vector<Done> const& done, std::uint64_t slots, std::uint64_t live)
{
  bool moved = false;
  double later = 0.0;
  for (Done const& one : done) {
    auto const* rehash = std::get_if<Rehash>(&one);
    bool const moves = rehash != nullptr && rehash->slots != slots;
    if (rehash != nullptr) { slots = rehash->slots; }
    if (std::holds_alternative<Clear>(one)) { moved = false; }
    if (moves) { moved = true; }
    later = moves ? 0.0 : later + inserts_of(one);
  }
  return moved && 2.0 * later < static_cast<double>(live);
}

}  // namespace slotscape
