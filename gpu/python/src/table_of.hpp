#pragma once

#include "tables.hpp"

#include <algorithm>

namespace slotscape::python {

/// AnyTable over a table of the library. Device: makes tables, see cpu.cpp and cuda.cu.
template <class Device, class Key, class Value>
class TableOf final : public AnyTable {
  using Table = typename Device::template Table<Key, Value>;
  static constexpr double load_factor = 0.8;

public:
  TableOf(std::uint64_t capacity, std::uintptr_t stream)
      : table_(Device::template make<Table>(TableOptions{.slots = Table::slots_for(std::max<std::uint64_t>(capacity, 1),
                                                                                   load_factor),
                                                         .grow_at = load_factor},
                                            stream))
  {
  }

  Inserted insert(Combine combine, void const* keys, void const* values, std::uint64_t count, bool distinct) override
  {
    auto const* const k = static_cast<Key const*>(keys);
    auto const* const v = static_cast<Value const*>(values);
    BatchOptions const options{.distinct = distinct};
    switch (combine) {
      case Combine::add: return table_.insert_or_add(k, v, count, options);
      case Combine::min: return table_.insert_or_min(k, v, count, options);
      case Combine::max: return table_.insert_or_max(k, v, count, options);
      case Combine::replace: return table_.insert_or_assign(k, v, count, options);
      default: return table_.insert(k, v, count, options);
    }
  }
  std::uint64_t update(void const* keys, void const* values, Outcome* outcomes, std::uint64_t count) override
  {
    auto const* const v = static_cast<Value const*>(values);
    return table_.update(static_cast<Key const*>(keys), v, count, {.outcomes = outcomes});
  }
  std::uint64_t find(void const* keys, void* values, Outcome* outcomes, std::uint64_t count) override
  {
    return table_.find(static_cast<Key const*>(keys), static_cast<Value*>(values), count, {.outcomes = outcomes});
  }
  std::uint64_t contains(void const* keys, bool* are_there, std::uint64_t count) override
  {
    return table_.contains(static_cast<Key const*>(keys), are_there, count);
  }
  std::uint64_t erase(void const* keys, std::uint64_t count) override
  {
    return table_.erase(static_cast<Key const*>(keys), count);
  }
  std::uint64_t export_pairs(void* keys, void* values, std::uint64_t room) override
  {
    return table_.export_pairs(static_cast<Key*>(keys), static_cast<Value*>(values), room);
  }
  std::uint64_t size() override { return table_.size(); }
  std::uint64_t slots() const override { return table_.slots(); }
  std::uint64_t memory_bytes() const override { return table_.memory_bytes(); }
  void rehash(std::uint64_t slots) override { table_.rehash(slots); }
  void clear() override { table_.clear(); }

private:
  Table table_;
};

/// The numbers from 0 on, as an array that takes no memory.
struct RowNumbers {
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator[](std::uint64_t i) const { return static_cast<std::uint32_t>(i); }
};

template <class Device, class Key>
class RowsOf final : public AnyRows {
  using Table = typename Device::template MultiTable<Key, std::uint32_t>;

public:
  explicit RowsOf(std::uintptr_t stream) : table_(Device::template make<Table>(MultiTableOptions{}, stream)) {}

  void build(void const* keys, std::uint64_t count) override
  {
    table_.build(static_cast<Key const*>(keys), RowNumbers{}, count);
  }
  std::uint64_t count(void const* keys, std::uint32_t* counts, std::uint64_t count) override
  {
    return table_.count(static_cast<Key const*>(keys), counts, count);
  }
  void retrieve(void const* keys, std::uint64_t count, std::uint32_t* offsets, std::uint32_t* rows,
                std::uint64_t room) override
  {
    table_.retrieve(static_cast<Key const*>(keys), count, offsets, rows, room);
  }

private:
  Table table_;
};

template <class Device, class Key>
std::unique_ptr<AnyTable> table_on(Number values, std::uint64_t capacity, std::uintptr_t stream)
{
  switch (values) {
    case Number::int32: return std::make_unique<TableOf<Device, Key, std::int32_t>>(capacity, stream);
    case Number::int64: return std::make_unique<TableOf<Device, Key, std::int64_t>>(capacity, stream);
    case Number::float32: return std::make_unique<TableOf<Device, Key, float>>(capacity, stream);
    default: return std::make_unique<TableOf<Device, Key, double>>(capacity, stream);
  }
}

}  // namespace slotscape::python
