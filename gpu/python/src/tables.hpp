#pragma once

#include <slotscape/options.hpp>

#include <cstdint>
#include <memory>

namespace slotscape::python {

/// What the arrays hold whose addresses are passed. Unsigned keys are passed as the signed ones with the same bits.
enum class Number : std::uint8_t { int32, int64, float32, float64 };

/// A table whatever its types. Arrays are on the table's device; every call waits until it is done.
class AnyTable {
public:
  virtual ~AnyTable() = default;
  virtual Inserted insert(Combine combine, void const* keys, void const* values, std::uint64_t count,
                          bool distinct) = 0;
  /// Changes the values of keys that are there, and returns how many are. `outcomes` tells which values are rejected.
  virtual std::uint64_t update(void const* keys, void const* values, Outcome* outcomes, std::uint64_t count) = 0;
  /// Values of missing keys stay as they are. `outcomes` tells which ones those are.
  virtual std::uint64_t find(void const* keys, void* values, Outcome* outcomes, std::uint64_t count) = 0;
  virtual std::uint64_t contains(void const* keys, bool* are_there, std::uint64_t count) = 0;
  virtual std::uint64_t erase(void const* keys, std::uint64_t count) = 0;
  virtual std::uint64_t export_pairs(void* keys, void* values, std::uint64_t room) = 0;
  virtual std::uint64_t size() = 0;
  virtual std::uint64_t slots() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
  virtual void rehash(std::uint64_t slots) = 0;
  virtual void clear() = 0;
};

/// The numbers of the rows in which each key stands.
class AnyRows {
public:
  virtual ~AnyRows() = default;
  virtual void build(void const* keys, std::uint64_t count) = 0;
  /// Writes how often each key occurs; returns how often all of them do.
  virtual std::uint64_t count(void const* keys, std::uint32_t* counts, std::uint64_t count) = 0;
  /// Writes the rows of all keys, those of keys[i] from offsets[i] on, of which there is one more than keys.
  virtual void retrieve(void const* keys, std::uint64_t count, std::uint32_t* offsets, std::uint32_t* rows,
                        std::uint64_t room) = 0;
};

/// With room for so many keys, and growing beyond it. `stream`: of CUDA, as a number; 0 elsewhere. Defined for
/// std::int32_t and std::int64_t as keys, by cpu.cpp or cuda.cu.
template <class Key>
std::unique_ptr<AnyTable> make_table(Number values, std::uint64_t capacity, std::uintptr_t stream);
template <class Key>
std::unique_ptr<AnyRows> make_rows(std::uintptr_t stream);

}  // namespace slotscape::python
