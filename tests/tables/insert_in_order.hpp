#pragma once

#include "gpu/engine/engine.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace slotscape::testing {

/// Inserts keys one after another, so that they come in this order, with the next numbers as their values.
inline void insert_in_order(Engine& engine, std::vector<Key> const& keys)
{
  for (Key const key : keys) {
    Value const value = key + 1;
    ASSERT_EQ(engine.insert(std::span(&key, 1), std::span(&value, 1))[Outcome::inserted], 1u) << key;
  }
}

}  // namespace slotscape::testing
