#pragma once

#include "gpu/tables/hash_program.hpp"

#include <span>

namespace slotscape {

/// A step before constants have been placed.
struct HashStep {
  HashOp op;
  std::uint64_t number = 0;     ///< the value of a constant
  bool prime_of_slots = false;  ///< a constant that the hasher sets
};

/// Places the constants. Throws Error if the program would be too long.
HashProgram assembled(std::span<HashStep const> steps);
/// Whether the steps have the same result for every key and every table.
bool is_constant(std::span<HashStep const> steps);
/// The result of constant steps.
std::uint64_t computed(std::span<HashStep const> steps);

}  // namespace slotscape
