#pragma once

#include "gpu/tables/hash_program.hpp"

#include <span>

namespace slotscape {

/// A step before the places of constants are known.
struct HashStep {
  HashOp op;
  std::uint64_t number = 0;     ///< of a constant
  bool prime_of_slots = false;  ///< of a constant that the hasher sets
};

/// Gives constants their places. Throws Error where the program would be too long.
HashProgram assembled(std::span<HashStep const> steps);
/// Whether the steps give the same for every key and every table.
bool is_constant(std::span<HashStep const> steps);
/// What they give then.
std::uint64_t computed(std::span<HashStep const> steps);

}  // namespace slotscape
