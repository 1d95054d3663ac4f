#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include "tables.hpp"

/// Arrays come as addresses of their elements: slotscape/_arrays.py has looked at everything else.
namespace slotscape::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using Address = std::uintptr_t;
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

template <class T>
T* at(Address address)
{
  return reinterpret_cast<T*>(address);
}

void define_table(nb::module_& module)
{
  nb::class_<Inserted>(module, "Inserted")
      .def_ro("inserted", &Inserted::inserted)
      .def_ro("updated", &Inserted::updated)
      .def_ro("full", &Inserted::full)
      .def_ro("rejected", &Inserted::rejected);
  nb::class_<AnyTable>(module, "Table")
      .def(
          "insert",
          [](AnyTable& table, int combine, Address keys, Address values, std::uint64_t count, bool distinct) {
            return table.insert(static_cast<Combine>(combine), at<void>(keys), at<void>(values), count, distinct);
          },
          Unlocked())
      .def(
          "update",
          [](AnyTable& table, Address keys, Address values, Address outcomes, std::uint64_t count) {
            return table.update(at<void>(keys), at<void>(values), at<Outcome>(outcomes), count);
          },
          Unlocked())
      .def(
          "find",
          [](AnyTable& table, Address keys, Address values, Address outcomes, std::uint64_t count) {
            return table.find(at<void>(keys), at<void>(values), at<Outcome>(outcomes), count);
          },
          Unlocked())
      .def(
          "contains",
          [](AnyTable& table, Address keys, Address are_there, std::uint64_t count) {
            return table.contains(at<void>(keys), at<bool>(are_there), count);
          },
          Unlocked())
      .def(
          "erase",
          [](AnyTable& table, Address keys, std::uint64_t count) { return table.erase(at<void>(keys), count); },
          Unlocked())
      .def(
          "export_pairs",
          [](AnyTable& table, Address keys, Address values, std::uint64_t room) {
            return table.export_pairs(at<void>(keys), at<void>(values), room);
          },
          Unlocked())
      .def("size", &AnyTable::size, Unlocked())
      .def("slots", &AnyTable::slots)
      .def("memory_bytes", &AnyTable::memory_bytes)
      .def("rehash", &AnyTable::rehash, Unlocked())
      .def("clear", &AnyTable::clear, Unlocked());
}

void define_rows(nb::module_& module)
{
  nb::class_<AnyRows>(module, "Rows")
      .def(
          "build", [](AnyRows& rows, Address keys, std::uint64_t count) { rows.build(at<void>(keys), count); },
          Unlocked())
      .def(
          "count",
          [](AnyRows& rows, Address keys, Address counts, std::uint64_t count) {
            return rows.count(at<void>(keys), at<std::uint32_t>(counts), count);
          },
          Unlocked())
      .def(
          "retrieve",
          [](AnyRows& rows, Address keys, std::uint64_t count, Address offsets, Address found, std::uint64_t room) {
            rows.retrieve(at<void>(keys), count, at<std::uint32_t>(offsets), at<std::uint32_t>(found), room);
          },
          Unlocked());
}

std::unique_ptr<AnyTable> table_of(Number keys, Number values, std::uint64_t capacity, std::uintptr_t stream)
{
  return keys == Number::int32 ? make_table<std::int32_t>(values, capacity, stream)
                               : make_table<std::int64_t>(values, capacity, stream);
}
std::unique_ptr<AnyRows> rows_of(Number keys, std::uintptr_t stream)
{
  return keys == Number::int32 ? make_rows<std::int32_t>(stream) : make_rows<std::int64_t>(stream);
}

}  // namespace

NB_MODULE(SLOTSCAPE_PYTHON_MODULE, module)
{
  nb::enum_<Number>(module, "Number")
      .value("int32", Number::int32)
      .value("int64", Number::int64)
      .value("float32", Number::float32)
      .value("float64", Number::float64);
  define_table(module);
  define_rows(module);
  module.attr("combines") = nb::dict();
  module.attr("combines")["replace"] = static_cast<int>(Combine::replace);
  module.attr("combines")["keep"] = static_cast<int>(Combine::keep_first);
  module.attr("combines")["add"] = static_cast<int>(Combine::add);
  module.attr("combines")["min"] = static_cast<int>(Combine::min);
  module.attr("combines")["max"] = static_cast<int>(Combine::max);
  module.attr("found") = static_cast<int>(Outcome::found);
  module.attr("rejected") = static_cast<int>(Outcome::rejected);
  module.def("make_table", &table_of, "keys"_a, "values"_a, "capacity"_a, "stream"_a, Unlocked());
  module.def("make_rows", &rows_of, "keys"_a, "stream"_a, Unlocked());
}

}  // namespace slotscape::python
