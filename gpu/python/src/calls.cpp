#include "neighbours.hpp"
#include "tables.hpp"

#include <array>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

/// The functions that slotscape/_tables.py calls through ctypes, so that one binary works with every Python version.
/// Arrays are passed as addresses of their elements: slotscape/_arrays.py has checked everything else. A call returns
/// an error code, and slotscape_message() returns details.
namespace slotscape::python {
namespace {

enum class Problem : int { none, memory, value, overflow, other };

thread_local std::string message;

template <class Call>
int answered(Call const& call)
{
  auto const said = [](Problem problem, std::exception const& exception) {
    message = exception.what();
    return static_cast<int>(problem);
  };
  try {
    call();
    return static_cast<int>(Problem::none);
  } catch (std::bad_alloc const& exception) {
    return said(Problem::memory, exception);
  } catch (std::logic_error const& exception) {
    return said(Problem::value, exception);
  } catch (std::overflow_error const& exception) {
    return said(Problem::overflow, exception);
  } catch (std::exception const& exception) {
    return said(Problem::other, exception);
  }
}

/// In the order of COMBINES.
constexpr std::array combines{Combine::replace, Combine::keep_first, Combine::add, Combine::min, Combine::max};

}  // namespace
}  // namespace slotscape::python

#define SLOTSCAPE_CALL extern "C" [[gnu::visibility("default")]]

using namespace slotscape;
using python::answered;
using python::AnyGrid;
using python::AnyRows;
using python::AnyTable;
using python::Number;

SLOTSCAPE_CALL std::uint8_t const slotscape_found;
std::uint8_t const slotscape_found = static_cast<std::uint8_t>(Outcome::found);
SLOTSCAPE_CALL std::uint8_t const slotscape_rejected;
std::uint8_t const slotscape_rejected = static_cast<std::uint8_t>(Outcome::rejected);

/// The message of this thread's last failed call; valid until the next failure.
SLOTSCAPE_CALL char const* slotscape_message()
{
  return python::message.c_str();
}

/// `made` must be freed by slotscape_free_table.
SLOTSCAPE_CALL int slotscape_make_table(int keys, int values, std::uint64_t capacity, std::uintptr_t stream,
                                        AnyTable** made)
{
  return answered([&] {
    auto const number = static_cast<Number>(values);
    *made = (static_cast<Number>(keys) == Number::int32 ? python::make_table<std::int32_t>(number, capacity, stream)
                                                        : python::make_table<std::int64_t>(number, capacity, stream))
                .release();
  });
}
SLOTSCAPE_CALL void slotscape_free_table(AnyTable* table)
{
  delete table;
}
/// done: how many keys were inserted, were updated, found no place, and were rejected.
SLOTSCAPE_CALL int slotscape_insert(AnyTable* table, int combine, void const* keys, void const* values,
                                    std::uint64_t count, int distinct, std::uint64_t* done)
{
  return answered([&] {
    auto const inserted =
        table->insert(python::combines.at(static_cast<std::size_t>(combine)), keys, values, count, distinct != 0);
    done[0] = inserted.inserted;
    done[1] = inserted.updated;
    done[2] = inserted.full;
    done[3] = inserted.rejected;
  });
}
SLOTSCAPE_CALL int slotscape_update(AnyTable* table, void const* keys, void const* values, Outcome* outcomes,
                                    std::uint64_t count, std::uint64_t* updated)
{
  return answered([&] { *updated = table->update(keys, values, outcomes, count); });
}
SLOTSCAPE_CALL int slotscape_find(AnyTable* table, void const* keys, void* values, Outcome* outcomes,
                                  std::uint64_t count, std::uint64_t* found)
{
  return answered([&] { *found = table->find(keys, values, outcomes, count); });
}
SLOTSCAPE_CALL int slotscape_contains(AnyTable* table, void const* keys, bool* are_there, std::uint64_t count,
                                      std::uint64_t* found)
{
  return answered([&] { *found = table->contains(keys, are_there, count); });
}
SLOTSCAPE_CALL int slotscape_erase(AnyTable* table, void const* keys, std::uint64_t count, std::uint64_t* erased)
{
  return answered([&] { *erased = table->erase(keys, count); });
}
SLOTSCAPE_CALL int slotscape_export_pairs(AnyTable* table, void* keys, void* values, std::uint64_t room,
                                          std::uint64_t* written)
{
  return answered([&] { *written = table->export_pairs(keys, values, room); });
}
SLOTSCAPE_CALL int slotscape_size(AnyTable* table, std::uint64_t* size)
{
  return answered([&] { *size = table->size(); });
}
SLOTSCAPE_CALL int slotscape_slots(AnyTable* table, std::uint64_t* slots)
{
  return answered([&] { *slots = table->slots(); });
}
SLOTSCAPE_CALL int slotscape_memory_bytes(AnyTable* table, std::uint64_t* bytes)
{
  return answered([&] { *bytes = table->memory_bytes(); });
}
SLOTSCAPE_CALL int slotscape_rehash(AnyTable* table, std::uint64_t slots)
{
  return answered([&] { table->rehash(slots); });
}
SLOTSCAPE_CALL int slotscape_clear(AnyTable* table)
{
  return answered([&] { table->clear(); });
}

/// `made` must be freed by slotscape_free_rows.
SLOTSCAPE_CALL int slotscape_make_rows(int keys, std::uintptr_t stream, AnyRows** made)
{
  return answered([&] {
    *made = (static_cast<Number>(keys) == Number::int32 ? python::make_rows<std::int32_t>(stream)
                                                        : python::make_rows<std::int64_t>(stream))
                .release();
  });
}
SLOTSCAPE_CALL void slotscape_free_rows(AnyRows* rows)
{
  delete rows;
}
SLOTSCAPE_CALL int slotscape_build(AnyRows* rows, void const* keys, std::uint64_t count)
{
  return answered([&] { rows->build(keys, count); });
}
SLOTSCAPE_CALL int slotscape_count(AnyRows* rows, void const* keys, std::uint32_t* counts, std::uint64_t count,
                                   std::uint64_t* all)
{
  return answered([&] { *all = rows->count(keys, counts, count); });
}
SLOTSCAPE_CALL int slotscape_retrieve(AnyRows* rows, void const* keys, std::uint64_t count, std::uint32_t* offsets,
                                      std::uint32_t* found, std::uint64_t room)
{
  return answered([&] { rows->retrieve(keys, count, offsets, found, room); });
}

/// `made` must be freed by slotscape_free_grid.
SLOTSCAPE_CALL int slotscape_make_grid(float radius, int divisor, std::uintptr_t stream, AnyGrid** made)
{
  return answered([&] { *made = python::make_grid(radius, divisor, stream).release(); });
}
SLOTSCAPE_CALL void slotscape_free_grid(AnyGrid* grid)
{
  delete grid;
}
SLOTSCAPE_CALL int slotscape_build_grid(AnyGrid* grid, void const* points, std::uint64_t count)
{
  return answered([&] { grid->build(points, count); });
}
SLOTSCAPE_CALL int slotscape_find_neighbours(AnyGrid* grid, void const* queries, std::uint64_t count, std::uint32_t k,
                                             std::uint64_t* found)
{
  return answered([&] { *found = grid->find(queries, count, k); });
}
SLOTSCAPE_CALL int slotscape_take_neighbours(AnyGrid* grid, std::int64_t* offsets, std::int32_t* numbers,
                                             float* distances)
{
  return answered([&] { grid->take(offsets, numbers, distances); });
}
