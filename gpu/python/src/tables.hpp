#pragma once

#include <slotscape/options.hpp>

#include <cstdint>
#include <memory>

namespace slotscape::python {

/// The element types of arrays. Unsigned keys are passed as signed ones with the same bits.
enum class Number : std::uint8_t { int32, int64, float32, float64 };

/// A table of any types. Arrays are on the table's device; every call waits for completion.
class AnyTable {
public:
  virtual ~AnyTable() = default;
  virtual Inserted insert(Combine combine, void const* keys, void const* values, std::uint64_t count,
                          bool distinct) = 0;
  /// Sets the values of existing keys, and returns how many there are. `outcomes` shows which values were rejected.
  virtual std::uint64_t update(void const* keys, void const* values, Outcome* outcomes, std::uint64_t count) = 0;
  /// Leaves the values of missing keys unchanged. `outcomes` shows which keys are missing.
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

/// Maps each key to the numbers of the rows that contain it.
class AnyRows {
public:
  virtual ~AnyRows() = default;
  virtual void build(void const* keys, std::uint64_t count) = 0;
  /// Writes how often each key occurs; returns the total.
  virtual std::uint64_t count(void const* keys, std::uint32_t* counts, std::uint64_t count) = 0;
  /// Writes the rows of all keys: those of keys[i] begin at offsets[i]. There is one more offset than keys.
  virtual void retrieve(void const* keys, std::uint64_t count, std::uint32_t* offsets, std::uint32_t* rows,
                        std::uint64_t room) = 0;
};

/// Makes a table with room for `capacity` keys, which grows beyond that. `stream`: a CUDA stream as a number; 0
/// elsewhere. Defined for the key types std::int32_t and std::int64_t, by cpu.cpp or cuda.cu.
template <class Key>
std::unique_ptr<AnyTable> make_table(Number values, std::uint64_t capacity, std::uintptr_t stream);
template <class Key>
std::unique_ptr<AnyRows> make_rows(std::uintptr_t stream);

}  // namespace slotscape::python
