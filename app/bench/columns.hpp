#pragma once

#include "app/base/enum_names.hpp"
#include "app/bench/report.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotscape {

/// Whether a column identifies a row or holds a figure.
enum class ColumnRole : std::uint8_t { identity, figure };

/// How a field is written and read. `write` takes a row and returns Json; `read` takes Json and a row, and returns
/// false if the field is damaged.
template <class Write, class Read>
struct ColumnField {
  Write write;
  Read read;
};
template <class Write, class Read>
ColumnField(Write, Read) -> ColumnField<Write, Read>;

/// A column in the files of a measurement: its name, position and field. `Row` is the type of a result.
template <class Row>
struct RowColumn {
  template <class Write, class Read>
  RowColumn(std::string_view name_, std::size_t place_, ColumnRole role_, ColumnField<Write, Read> field)
      : name(name_), place(place_), role(role_), write(std::move(field.write)), read(std::move(field.read))
  {
  }
  /// Converts a column of a base class of `Row`.
  template <class Base>
  requires(!std::same_as<Base, Row> && std::derived_from<Row, Base>) explicit RowColumn(RowColumn<Base> const& of_base)
      : name(of_base.name), place(of_base.place), role(of_base.role), write(of_base.write), read(of_base.read)
  {
  }

  std::string name;
  std::size_t place;  ///< position in CSV files; elsewhere, fields keep the order of the table
  ColumnRole role;
  std::function<Json(Row const&)> write;
  std::function<bool(Json const&, Row&)> read;
};

/// All columns of a file.
template <class Row>
class RowColumns {
public:
  /// Concatenates several tables of columns.
  template <class... Tables>
  explicit RowColumns(Tables const&... tables)
  {
    (add(tables), ...);
  }

  /// Names in the order of CSV files.
  std::vector<std::string> names() const
  {
    return names_where([](RowColumn<Row> const&) { return true; });
  }
  /// Names of the columns that identify a row.
  std::vector<std::string> identity() const
  {
    return names_where([](RowColumn<Row> const& column) { return column.role == ColumnRole::identity; });
  }
  BenchRow write(Row const& row) const
  {
    BenchRow fields;
    for (RowColumn<Row> const& column : columns_) { fields[column.name] = column.write(row); }
    return fields;
  }
  /// Reads all fields, in the order of the table. Returns false if one of them is damaged; the others are read.
  bool read(BenchRow const& fields, Row& into) const
  {
    bool is_whole = true;
    for (RowColumn<Row> const& column : columns_) { is_whole = column.read(fields.at(column.name), into) && is_whole; }
    return is_whole;
  }

private:
  template <class Table>
  void add(Table const& table)
  {
    columns_.reserve(columns_.size() + table.size());
    for (auto const& column : table) { columns_.emplace_back(column); }
  }
  template <class Where>
  std::vector<std::string> names_where(Where const& where) const
  {
    std::vector<RowColumn<Row>> chosen;
    std::ranges::copy_if(columns_, std::back_inserter(chosen), where);
    std::ranges::sort(chosen, {}, &RowColumn<Row>::place);
    std::vector<std::string> names;
    names.reserve(chosen.size());
    for (RowColumn<Row> const& column : chosen) { names.push_back(column.name); }
    return names;
  }

  std::vector<RowColumn<Row>> columns_;
};

/// --- fields. `member` takes a row, const or not, and returns a reference to the member that the field holds. A field
/// of another type leaves the member unchanged.

inline bool read_field(Json const& field, std::string& into)
{
  into = field_of(field);
  return true;
}
template <class Number>
requires std::is_arithmetic_v<Number>
bool read_field(Json const& field, Number& into)
{
  bool const fits = std::same_as<Number, bool>    ? field.is_boolean()
                    : std::floating_point<Number> ? field.is_number()
                                                  : field.is_number_integer();
  if (fits) { into = field.get<Number>(); }
  return true;
}
template <class Value>
bool read_field(Json const& field, std::optional<Value>& into)
{
  if (field.is_null()) { return true; }
  Value value{};
  read_field(field, value);
  into = value;
  return true;
}

template <class Value>
Json json_of_value(std::optional<Value> const& value)
{
  return value ? Json(*value) : Json();
}
template <class Value>
Json json_of_value(Value const& value)
{
  return Json(value);
}

/// A number, a text, a Boolean or nothing, written unchanged.
template <class Member>
auto plain_field(Member member)
{
  return ColumnField{[member](auto const& row) { return json_of_value(member(row)); },
                     [member](Json const& field, auto& row) { return read_field(field, member(row)); }};
}
/// A text; null if it is empty.
template <class Member>
auto text_if_any(Member member)
{
  return ColumnField{[member](auto const& row) { return text_or_null(member(row)); },
                     [member](Json const& field, auto& row) { return read_field(field, member(row)); }};
}
/// A value of an enum with names; a field with another name is damaged.
template <class Member>
auto choice_of(Member member)
{
  return ColumnField{[member](auto const& row) { return Json(to_text(member(row))); },
                     [member](Json const& field, auto& row) {
                       auto& value = member(row);
                       auto const read = from_text<std::remove_cvref_t<decltype(value)>>(field_of(field));
                       if (read) { value = *read; }
                       return read.has_value();
                     }};
}

struct EveryRow {
  bool operator()(auto const& /*row*/) const { return true; }
};
/// An optional number, multiplied by `units` and rounded; null unless `known` returns true for the row.
template <class Known = EveryRow>
struct Scaled {
  double units = 1.0;
  int digits = 5;  ///< significant ones
  Known known = {};

  template <class Member>
  auto of(Member member) const
  {
    return ColumnField{[member, scale = *this](auto const& row) {
                         std::optional<double> const value = member(row);
                         return value && scale.known(row) ? Json(rounded(scale.units * *value, scale.digits)) : Json();
                       },
                       [member, scale = *this](Json const& field, auto& row) {
                         if (field.is_number()) { member(row) = field.get<double>() / scale.units; }
                         return true;
                       }};
  }
};
Scaled(double, int = 5)->Scaled<EveryRow>;
template <class Known>
Scaled(double, int, Known) -> Scaled<Known>;

/// Computed from other columns; not read.
template <class Write>
auto computed(Write write)
{
  return ColumnField{std::move(write), [](Json const&, auto&) { return true; }};
}

}  // namespace slotscape
